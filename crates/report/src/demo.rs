//! The report of `brigade demo`, part by part: a problem from its compilation to the scores of the
//! teams that play it.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::table::Table;
use super::task_text::AgentSummary;
use brigade_diagnostics::words::{agent_name, counted};

/// Part 1: the compiled task.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Compiled {
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
    /// The agents and how many actions each has.
    pub agents: Vec<AgentSummary>,
}

/// Part 2: the search's answer.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Proof {
    /// The answer in one sentence: what is proven, and what stopped the search if anything did.
    pub answer: String,
    /// States that it took.
    pub states: u64,
    /// The labels of an optimal plan, where there is one.
    pub plan: Vec<PlanLabel>,
    /// The reason why the report ends here, if it does.
    pub end: Option<String>,
}

/// A label of a plan.
#[derive(Clone, Debug, Serialize)]
pub struct PlanLabel {
    /// Ticks that had passed.
    pub tick: u32,
    /// The agent of the label.
    pub agent: String,
    /// The label.
    pub label: String,
}

/// Part 3: what follows from all optimal plans.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Derivation {
    /// The number of optimal plans.
    pub plans: String,
    /// The number of references.
    pub references: String,
}

/// Part 4: the teams.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Play {
    /// The agents' names.
    pub agents: Vec<String>,
    /// After how many ticks an episode ends, and why then.
    pub limit: String,
    /// The teams.
    pub teams: Vec<Team>,
    /// The reason why the play or its scoring stopped before all was done, if it did.
    pub stopped: Option<String>,
}

/// The result of a team.
#[derive(Clone, Debug, Serialize)]
pub struct Team {
    /// Its policies, by agent.
    pub policies: Vec<String>,
    /// Those of them that know facts which their agents do not observe.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clairvoyant: Vec<String>,
    /// The end of the episode.
    pub end: &'static str,
    /// Ticks that passed.
    pub ticks: u32,
    /// The scores of an episode that was not stopped.
    pub score: Option<TeamScore>,
    /// The cost lost beyond the optimum.
    #[serde(flatten)]
    pub regret: Regret,
}

/// The scores of a team.
#[derive(Clone, Debug, Serialize)]
pub struct TeamScore {
    /// TES of each agent against all references.
    pub tes: Vec<f64>,
    /// Progress completeness: the mean of the agents' TES.
    pub pc: f64,
}

/// The cost lost beyond the optimum, in ticks or in the problem's metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Regret {
    /// So much.
    Lost(String),
    /// The goal came out of reach.
    Infinite,
    /// It was not computed.
    Unknown,
}

impl Serialize for Regret {
    /// As `regret`, the number in decimals or `null`, and `regret_infinite`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let lost = match self {
            Self::Lost(lost) => Some(lost),
            Self::Infinite | Self::Unknown => None,
        };
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("regret", &lost)?;
        map.serialize_entry("regret_infinite", &(*self == Self::Infinite))?;
        map.end()
    }
}

/// The text of a cell without a value.
const ABSENT: &str = "–";

impl Compiled {
    /// The part as text.
    pub fn render(&self) -> String {
        let agents: Vec<String> = self
            .agents
            .iter()
            .map(|agent| {
                let actions = counted(agent.actions, "action");
                format!("{} ({actions})", agent_name(&agent.name))
            })
            .collect();
        format!(
            "1. Compile\n\n   problem {}, domain {}, semantics {}\n   {} in {}; {}\n",
            self.problem,
            self.domain,
            self.semantics,
            counted(self.variables, "variable"),
            counted(self.bits, "bit"),
            agents.join(", "),
        )
    }
}

impl Proof {
    /// The part as text.
    pub fn render(&self) -> String {
        let mut text = format!(
            "\n2. Prove the optimum\n\n   {}; {} searched\n",
            self.answer,
            counted(self.states, "state")
        );
        if !self.plan.is_empty() {
            let mut plan = Table::new(["tick", "agent", "action"]).right(0);
            for PlanLabel { tick, agent, label } in &self.plan {
                plan.row([&tick.to_string(), agent_name(agent), label]);
            }
            text.push_str(&format!("\n{}", indented(&plan.render())));
        }
        if let Some(end) = &self.end {
            text.push_str(&format!("\n   {end}\n"));
        }
        text
    }
}

impl Derivation {
    /// The part as text.
    pub fn render(&self) -> String {
        format!(
            "\n3. Derive the reference action trajectories\n\n   optimal plans: {}; references (what \
             each agent does, in order): {}\n",
            self.plans, self.references
        )
    }
}

impl Team {
    /// Its policies, marked where they know more than their agents observe.
    fn shown_policies(&self) -> impl Iterator<Item = String> {
        self.policies.iter().map(|policy| {
            if self.clairvoyant.contains(policy) {
                format!("{policy} (clairvoyant)")
            } else {
                policy.clone()
            }
        })
    }
}

impl Play {
    /// The part as text.
    pub fn render(&self) -> String {
        let names = || self.agents.iter().map(|name| agent_name(name));
        let mut columns: Vec<String> = names().map(str::to_owned).collect();
        columns.extend(["end", "ticks"].map(str::to_owned));
        columns.extend(names().map(|name| format!("TES {name}")));
        columns.extend(["PC", "regret"].map(str::to_owned));
        let numbers = self.agents.len() + 1..columns.len();
        let mut teams = numbers.fold(Table::new(columns), Table::right);
        for team in &self.teams {
            let mut row: Vec<String> = team.shown_policies().collect();
            row.extend([team.end.to_owned(), team.ticks.to_string()]);
            match &team.score {
                Some(score) => {
                    let values = score.tes.iter().chain([&score.pc]);
                    row.extend(values.map(|value| format!("{value:.4}")));
                }
                None => row.extend(vec![ABSENT.to_owned(); self.agents.len() + 1]),
            }
            row.push(match &team.regret {
                Regret::Lost(lost) => lost.clone(),
                Regret::Infinite => "∞".to_owned(),
                Regret::Unknown => ABSENT.to_owned(),
            });
            teams.row(row);
        }
        let is_marked = self.teams.iter().any(|team| !team.clairvoyant.is_empty());
        let mut text = format!(
            "\n4. Let agents act, and score them against all references\n\n   {}\n\n{}",
            self.limit,
            indented(&teams.render())
        );
        if is_marked {
            text.push_str(
                "\n   clairvoyant: such a policy, as the references, knows facts that its agent does not observe\n",
            );
        }
        if let Some(stopped) = &self.stopped {
            text.push_str(&format!("\n   stopped: {stopped}\n"));
        }
        text
    }
}

/// Three spaces before each line.
fn indented(text: &str) -> String {
    text.lines().map(|line| format!("   {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_episode_that_was_stopped_has_no_scores() {
        let team = |end, ticks, score, regret| Team {
            policies: vec!["planner".to_owned(), "random".to_owned()],
            clairvoyant: Vec::new(),
            end,
            ticks,
            score,
            regret,
        };
        let score = TeamScore {
            tes: vec![1.0, 0.5],
            pc: 0.75,
        };
        let play = Play {
            agents: vec!["chef".to_owned(), String::new()],
            limit: "an episode ends after 8 ticks".to_owned(),
            teams: vec![
                team("goal", 3, Some(score.clone()), Regret::Lost("1".to_owned())),
                team("no goal", 8, Some(score), Regret::Infinite),
                team("stopped", 2, None, Regret::Unknown),
            ],
            stopped: Some("the time limit was reached".to_owned()),
        };
        let expected = "
4. Let agents act, and score them against all references

   an episode ends after 8 ticks

   chef     (no agent)  end      ticks  TES chef  TES (no agent)      PC  regret
   planner  random      goal         3    1.0000          0.5000  0.7500       1
   planner  random      no goal      8    1.0000          0.5000  0.7500       ∞
   planner  random      stopped      2         –               –       –       –

   stopped: the time limit was reached
";
        assert_eq!(play.render(), expected);
    }
}
