//! The constants of the portfolio: what each bounds, and the experiment that chose it.
//!
//! States and effort are counted, not time, so that what is tried depends on the task alone. The page
//! `docs/results/search.md` lists these constants beside the measurements.

/// States of the first, blind attempt. Measured: 56 of the 144 instances that are proven within 5 s end
/// within it, the slowest in 0.26 s.
pub(super) const STATES_WITHOUT_HEURISTIC: u64 = 30_000;
/// States of the first attempt with LM-cut, and so the effort that the next one gets. Measured: all 21
/// proofs that LM-cut ends within 5 s store fewer.
pub(super) const STATES_WITH_CUTS: u64 = 3_000;
/// States that blind search may store for one of LM-cut's where LM-cut does not fit into memory: a
/// guess at the ratio of their times, not tuned.
pub(super) const STATES_PER_CUT_STATE: u64 = 100;
/// Each further attempt with LM-cut stores so many times more states, so that all attempts before cost a
/// twentieth of the last. Not tuned.
pub(super) const CUTS_GROWTH: u64 = 20;
/// Each further attempt without LM-cut stores at least so many times more states, however short LM-cut's
/// was: else it would repeat the one before.
pub(super) const CHEAP_GROWTH: u64 = 3;
/// States of the last attempt before views of agents, where several choose at once. Measured: 11 kitchens
/// take a fifth less time with 100,000 than with 250,000 (geometric mean), none more than 2 % longer. With
/// 60,000 it is a quarter less, but then a hard problem has no incumbent while views are built.
pub(super) const STATES_WITHOUT_VIEWS: u64 = 100_000;
/// States of the last attempt before abstractions of the whole task, where one chooses at a time. On one
/// competition instance (settlers, p03) the attempt ends at 222,766 states. Not tuned.
pub(super) const STATES_WITHOUT_ABSTRACTIONS: u64 = 250_000;
/// States of the last attempt before patterns, or potentials in more detail, are looked for. Those take
/// seconds to a minute to find. Measured: on Robotouille's synchronous/9, seed 126, 13,781 states are
/// stored with them, 732,439 without.
pub(super) const STATES_WITHOUT_DETAIL: u64 = 500_000;
/// Stored states on which two heuristics are compared, in milliseconds. Not tuned.
pub(super) const COMPARED_STATES: u32 = 1_000;
/// Stored states in which stubborn sets are tried, in milliseconds. Not tuned.
pub(super) const PRUNING_SAMPLE: u32 = 1_000;
/// Stubborn sets are used if they leave out one of so many applicable operators: Fast Downward's limit.
pub(super) const LEAST_PRUNED: u64 = 5;

/// The part of the proof's effort that is spent on plans each time they are looked for, which bounds what
/// a proof can lose to them. Not tuned.
pub(super) const PLANS_SHARE: u64 = 4;
/// Plans are looked for again once the proof has spent so many times more. Not tuned.
pub(super) const PLANS_GROWTH: u64 = 3;
/// Effort, in states, where plans are looked for before anything else. Not tuned.
pub(super) const PLANS_AT_ONCE: u64 = 20_000;
/// A search that stores all nodes pauses for plans each time that it has stored so many more. Not
/// tuned.
pub(super) const PAUSE: u64 = 50_000;
/// Effort, in states, that any search for plans is charged at least, so that their number is bounded. Not
/// tuned.
pub(super) const LEAST_SPENT: u64 = 1_000;
/// The weight of what is to come in the first greedy search, as in LAMA.
pub(super) const FIRST_WEIGHT: u32 = 5;
/// The weight is divided by this in each further greedy search. Not tuned.
pub(super) const LIGHTER: u32 = 2;
/// Nodes of a depth that the first beam keeps. Measured: on Robotouille's asynchronous/9 a beam of 1,000
/// leads to a plan of 80 steps within seconds; greedy search by the same patterns finds one of 84.
pub(super) const FIRST_WIDTH: usize = 300;
/// Each further beam is so many times wider. Not tuned.
pub(super) const WIDER: usize = 4;
/// A beam that took too long is followed by one so many times narrower. Not tuned.
pub(super) const NARROWER: usize = 2;
/// The width of the first beam over ticks. Measured: it leads to a plan in all five
/// kitchens of Overcooked-AI with all counters.
pub(super) const FIRST_TICK_WIDTH: usize = 25;
/// The factor by which the next beam over ticks is wider, or narrower if this one met its limits. Not tuned.
pub(super) const TICKS_WIDER: usize = 2;
/// The width of the last of the beams over ticks before long blind searches, where no heuristic helps several agents.
/// Measured: of the first delivery in `coordination_ring` and `counter_circuit` those of widths 400 and 800 find plans of 42
/// ticks, where 200 leaves 47 and 44.
pub(super) const MOST_TICK_WIDTH: usize = 800;
/// The effort of these beams together, in states. Measured: four of widths 25 to 200 take 1,400,000 to 3,000,000 in
/// the five kitchens, two to four seconds, and six of up to 800 two seconds more.
pub(super) const BEAMS_EFFORT: u64 = 16_000_000;
/// The effort, in states, of beams that look for a first plan before views of agents are built, as long as there is
/// none. Measured: the first plan of a rush of CookMAS takes 2,800,000.
pub(super) const FIRST_BEAMS_EFFORT: u64 = 4_000_000;
/// The width of a beam over ticks of one agent, while the others wait. Measured: in eleven evenings of CookMAS one of
/// the four rounds finds a plan within 6 s.
pub(super) const ALONE_WIDTH: usize = 50;
/// The effort, in states, of such beams for each agent. Measured: the four of an evening of 200 ticks take 15,000,000.
pub(super) const ALONE_EFFORT: u64 = 16_000_000;
/// Effort of all searches, in states, from which a first plan of agents in turn is looked for, for as long again.
/// Measured: in Robotouille such a plan takes 700,000 to 7,200,000.
pub(super) const FIRST_IN_TURN: u64 = 1_000_000;
/// The effort, in states, of beams around a plan of one agent. Measured: in 18 s a plan of 63 ticks gets to 26.
pub(super) const AROUND_ALONE_EFFORT: u64 = 24_000_000;
/// The effort, in states, of beams around a first plan of agents in turn, at most. Measured: tasks 2, 6 and 7 of
/// Robotouille have plans of 47, 54 and 43 ticks by them within 11 s.
pub(super) const AROUND_IN_TURN_EFFORT: u64 = 8_000_000;
/// States of the first blind search that takes turns with searches for plans. Not tuned.
pub(super) const FIRST_BLIND_STATES: u64 = 30_000;
/// The factor by which each further one may store more. Not tuned.
pub(super) const BLIND_GROWTH: u64 = 8;
/// The effort for plans beside it, as a multiple of what blind search has spent, where no plan is known or any may be
/// improved upon. Measured: with 1, two of those kitchens have no plan after 30 s; with 4, each has one.
pub(super) const MUTE: u64 = 4;
/// The effort of beams for a total, in states, after which blind search may store a state. Measured: with 4, blind
/// searches, which prove nothing there, take 41 of 60 seconds in `asymmetric_advantages`.
pub(super) const BEAMS_PER_BLIND: u64 = 32;
/// States that A* with views of agents stores before small decision diagrams are compared with it. Measured: 23 of 30
/// kitchens of Collab-Overcooked end before; the comparison takes a tenth of a second.
pub(super) const STATES_BEFORE_DIAGRAMS: u64 = 100_000;
/// States of the first search that takes turns with decision diagrams. Not tuned.
pub(super) const STATES_BESIDE_DIAGRAMS: u64 = 300_000;
/// Work of the first decision diagrams, in parts of nodes; a second takes some 10 million. Measured: with 100 million
/// they end just below the optimum of `forced_coordination`, and the proof takes 73 s instead of 40.
pub(super) const FIRST_DIAGRAM_WORK: u64 = 200_000_000;
/// The same where the bound is only compared, or nothing else is asked for, so that small tasks that have no plan
/// end soon. Measured: the bound of the first delivery in `cramped_room` is 25 then, of views 14 (optimum 33);
/// in Collab-Overcooked views show more.
pub(super) const LEAST_DIAGRAM_WORK: u64 = 1_000_000;
/// The factor by which further ones take more. Not tuned.
pub(super) const DIAGRAM_GROWTH: u64 = 4;
/// The work of diagrams in the time in which a state is stored. Not tuned.
pub(super) const WORK_PER_STATE: u64 = 16;
/// States of the first neighbourhood of a plan. Not tuned.
pub(super) const FIRST_NEIGHBOURHOOD: u64 = 10_000;
/// Each further neighbourhood has so many times more states. Not tuned.
pub(super) const LARGER: u64 = 4;

/// States of the search that completes a beam's nearest node to a plan. Measured: two seeds of Robotouille
/// without a known plan have one of 80 and 86 steps by it.
pub(super) const COMPLETION_STATES: u64 = 100_000;
/// Effort, in states, of each greedy search that does so. Not tuned.
pub(super) const COMPLETION_EFFORT: u64 = 1_250_000;
/// Greedy search counts so many times too much where there are thousands of operators. Measured: a relaxed
/// plan, which counts as 140 states, takes some 50 microseconds there, and a state some 3.
pub(super) const RELAXED_PLANS_OVERCOUNTED: u64 = 8;
/// Nodes of a beam that are completed greedily, the nearest first: the nearest may be a dead end. Not
/// tuned.
pub(super) const COMPLETION_TRIES: usize = 4;

/// Iterative deepening may generate so many times more successors than all searches before it. It would
/// never end where no plan exists. Not tuned.
pub(super) const DEEPENING_PATIENCE: u64 = 4;
/// Successors that iterative deepening may generate where nothing was tried before. Not tuned.
pub(super) const FIRST_DEEPENING: u64 = 10_000_000;
/// Bytes of the table of iterative deepening where memory has no limit. Not tuned.
pub(super) const DEEPENING_BYTES: usize = 1 << 29;
/// LM-cut leads iterative deepening where its estimate of the start is greater than the cheap one, by one part
/// in so many. Not tuned.
pub(super) const WORTH_CUTS: i64 = 5;
