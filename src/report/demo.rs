//! The report of `brigade demo`: a problem from its compilation to the scores of teams that play it.

use super::table::Table;

/// Everything that the report says.
#[derive(Clone, Debug, Default)]
pub struct Demo {
    /// The problem's name.
    pub problem: String,
    /// The domain's name.
    pub domain: String,
    /// The semantics.
    pub semantics: String,
    /// State variables.
    pub variables: usize,
    /// Bits of a state.
    pub bits: u32,
    /// Actions of each agent.
    pub agents: Vec<(String, usize)>,
    /// Ticks of an optimal plan.
    pub makespan: u32,
    /// Labelled actions of an optimal plan.
    pub actions: u32,
    /// States that the proof took.
    pub states: u64,
    /// The number of optimal plans.
    pub plans: String,
    /// The number of references.
    pub references: String,
    /// The labels of an optimal plan: tick, agent, label.
    pub plan: Vec<(u32, String, String)>,
    /// The teams.
    pub teams: Vec<Team>,
}

/// How a team did.
#[derive(Clone, Debug)]
pub struct Team {
    /// Its policies, by agent.
    pub policies: Vec<String>,
    /// Ticks that passed.
    pub ticks: u32,
    /// How the episode ended.
    pub end: &'static str,
    /// TES of each agent against all references.
    pub tes: Vec<f64>,
    /// Progress completeness: the mean of the agents' TES.
    pub pc: f64,
    /// Ticks lost beyond the optimum, where that is known.
    pub regret: Option<u64>,
}

impl Demo {
    /// The report.
    pub fn render(&self) -> String {
        let agents: Vec<String> = self
            .agents
            .iter()
            .map(|(name, actions)| format!("{name} ({actions} actions)"))
            .collect();
        let mut text = format!(
            "1. Compile\n\n   problem {}, domain {}, semantics {}\n   {} variables in {} bits; {}\n\n",
            self.problem,
            self.domain,
            self.semantics,
            self.variables,
            self.bits,
            agents.join(", "),
        );
        text.push_str(&format!(
            "2. Prove the optimum\n\n   {} ticks and {} labelled actions, proven optimal over {} states\n\n",
            self.makespan, self.actions, self.states
        ));
        let mut plan = Table::new(["tick", "agent", "action"]).right(0);
        for (tick, agent, label) in &self.plan {
            plan.row([tick.to_string(), agent.clone(), label.clone()]);
        }
        text.push_str(&indented(&plan.render()));
        text.push_str(&format!(
            "\n3. Derive the reference action trajectories\n\n   optimal plans: {}; references (what each agent does, in order): {}\n\n",
            self.plans, self.references
        ));
        text.push_str("4. Let agents act, and score them against all references\n\n");
        let mut columns: Vec<String> = self.agents.iter().map(|(name, _)| name.clone()).collect();
        columns.push("end".to_owned());
        columns.push("ticks".to_owned());
        columns.extend(self.agents.iter().map(|(name, _)| format!("TES {name}")));
        columns.extend(["PC", "regret"].map(str::to_owned));
        let first_number = self.agents.len() + 1;
        let numbers = first_number..columns.len();
        let mut teams = numbers.fold(Table::new(columns), Table::right);
        for team in &self.teams {
            let mut row = team.policies.clone();
            row.push(team.end.to_owned());
            row.push(team.ticks.to_string());
            row.extend(team.tes.iter().map(|tes| format!("{tes:.4}")));
            row.push(format!("{:.4}", team.pc));
            row.push(
                team.regret
                    .map_or("-".to_owned(), |regret| regret.to_string()),
            );
            teams.row(row);
        }
        text.push_str(&indented(&teams.render()));
        text
    }
}

/// Three spaces before each line.
fn indented(text: &str) -> String {
    let mut indented = String::new();
    for line in text.lines() {
        indented.push_str("   ");
        indented.push_str(line);
        indented.push('\n');
    }
    indented
}
