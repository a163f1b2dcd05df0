//! Scores of a trajectory against references: TES, ITES, PC, IC, RC, SR, regret.
