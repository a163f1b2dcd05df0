//! The teams of a set-up: one for each combination of the policies that it lists for its agents, as self-play and
//! cross-play have them.

use indexmap::IndexMap;

use super::setup::{Policies, Policy, Setup, Team, design_and_model};
use crate::diagnostics::suggest;

/// More teams of one set-up are a mistake.
const MOST_TEAMS: usize = 10_000;

/// The end of a policy that stands for one with each model.
const EVERY_MODEL: &str = "@*";

impl Setup<Policies> {
    /// The set-ups that this one stands for; the last list varies first.
    pub(super) fn teams(&self, models: &[&str]) -> Result<Vec<Setup>, String> {
        let fail = |why: String| format!("set-up `{}`: {why}", self.name);
        let given = [("agents", &self.agents)].into_iter();
        let given = given.chain(self.except.iter().map(|(agent, it)| (agent.as_str(), it)));
        let mut axes: Vec<(&str, Vec<String>, bool)> = Vec::new();
        for (agent, policies) in given {
            let (listed, varies) = policies.listed(models).map_err(fail)?;
            axes.push((agent, listed, varies));
        }
        let sizes = axes.iter().map(|(_, listed, _)| listed.len());
        let number = sizes.fold(1_usize, usize::saturating_mul);
        if number > MOST_TEAMS {
            return Err(fail(format!("it stands for more than {MOST_TEAMS} teams")));
        }
        Ok((0..number).map(|team| self.team(&axes, team)).collect())
    }

    /// The team of a number.
    fn team(&self, axes: &[(&str, Vec<String>, bool)], mut number: usize) -> Setup {
        let mut chosen: Vec<(&str, &String, bool)> = Vec::new();
        for (agent, listed, varies) in axes.iter().rev() {
            chosen.push((agent, &listed[number % listed.len()], *varies));
            number /= listed.len();
        }
        chosen.reverse();
        let policies: IndexMap<String, String> = chosen
            .iter()
            .filter(|(.., varies)| *varies)
            .map(|(agent, policy, _)| ((*agent).to_owned(), (*policy).clone()))
            .collect();
        let words = policies
            .iter()
            .map(|(agent, policy)| format!(" {agent}={policy}"));
        let mut except = chosen.iter().map(|(agent, policy, _)| (*agent, *policy));
        let agents = except.next().map(|(_, policy)| policy.clone());
        Setup {
            name: std::iter::once(self.name.clone()).chain(words).collect(),
            agents: agents.unwrap_or_default(),
            except: except
                .map(|(agent, policy)| (agent.to_owned(), policy.clone()))
                .collect(),
            problems: self.problems.clone(),
            max_ticks: self.max_ticks,
            agent_timeout: self.agent_timeout,
            change: self.change.clone(),
            team: (!policies.is_empty()).then(|| Team {
                setup: self.name.clone(),
                policies,
            }),
        }
    }
}

impl Policies {
    /// The policies, and whether they are several, if only as more models are added.
    fn listed(&self, models: &[&str]) -> Result<(Vec<String>, bool), String> {
        let (texts, mut varies) = match self {
            Self::One(text) => (std::slice::from_ref(text), false),
            Self::Several(texts) => (texts.as_slice(), true),
        };
        let mut listed: Vec<String> = Vec::new();
        for text in texts {
            match text.strip_suffix(EVERY_MODEL) {
                Some(design) => {
                    varies = true;
                    if models.is_empty() {
                        return Err(format!(
                            "`{text}` stands for every model, and there is none: add `[models.NAME]`"
                        ));
                    }
                    listed.extend(models.iter().map(|model| format!("{design}@{model}")));
                }
                None => listed.push(text.clone()),
            }
        }
        if listed.is_empty() {
            return Err("a list of policies is empty".to_owned());
        }
        for (place, policy) in listed.iter().enumerate() {
            if listed[..place].contains(policy) {
                return Err(format!("a list of policies has `{policy}` twice"));
            }
            check_model(policy, models)?;
        }
        Ok((listed, varies))
    }
}

/// The model that a policy names is one of the file, and is asked.
fn check_model(policy: &str, models: &[&str]) -> Result<(), String> {
    let Policy::Design(_) = Policy::of(policy) else {
        return Ok(());
    };
    let (design, Some(model)) = design_and_model(policy) else {
        return Ok(());
    };
    if !matches!(Policy::of(design), Policy::Design(_)) {
        return Err(format!("`{policy}`: the policy `{design}` asks no model"));
    }
    if models.contains(&model) {
        return Ok(());
    }
    let help = match suggest(model, models.iter().copied()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => format!(": add `[models.{model}]`"),
    };
    Err(format!(
        "`{policy}` names the model `{model}`, which there is not{help}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(text: &str) -> Setup<Policies> {
        toml::from_str(text).unwrap()
    }

    fn names(text: &str, models: &[&str]) -> Result<Vec<String>, String> {
        let teams = setup(text).teams(models)?;
        Ok(teams.into_iter().map(|team| team.name).collect())
    }

    #[test]
    fn a_set_up_of_one_policy_for_each_agent_is_one_team() {
        let text = "name = \"a\"\nagents = \"react\"\nexcept = { bob = \"react@m\" }";
        assert_eq!(names(text, &["m"]), Ok(vec!["a".to_owned()]));
        assert_eq!(setup(text).teams(&["m"]).unwrap()[0].team, None);
    }

    #[test]
    fn lists_are_combined_and_the_last_varies_first() {
        let text = "name = \"x\"\nagents = \"planner\"\n\
                    except = { ann = [\"react\", \"greedy\"], bob = \"react@*\" }";
        let expected = [
            "x ann=react bob=react@m",
            "x ann=react bob=react@n",
            "x ann=greedy bob=react@m",
            "x ann=greedy bob=react@n",
        ];
        assert_eq!(names(text, &["m", "n"]).unwrap(), expected);
    }

    #[test]
    fn a_list_for_all_agents_is_self_play() {
        let text = "name = \"self\"\nagents = \"react@*\"";
        let teams = setup(text).teams(&["m", "n"]).unwrap();
        assert_eq!(teams[1].name, "self agents=react@n");
        assert_eq!(teams[1].agents, "react@n");
        assert!(teams[1].except.is_empty());
    }

    #[test]
    fn what_cannot_be_combined_says_why() {
        for (agents, expected) in [
            ("[]", "a list of policies is empty"),
            ("[\"react\", \"react\"]", "has `react` twice"),
            ("\"react@*\"", "there is none: add `[models.NAME]`"),
            ("\"planner@m\"", "the policy `planner` asks no model"),
            (
                "\"react@m\"",
                "names the model `m`, which there is not: add `[models.m]`",
            ),
        ] {
            let text = format!("name = \"x\"\nagents = {agents}");
            let error = names(&text, &[]).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        let near = names("name = \"x\"\nagents = \"react@smal\"", &["small"]).unwrap_err();
        assert!(near.contains("did you mean `small`?"), "{near}");
        let many: Vec<String> = (0..200).map(|number| format!("\"d{number}\"")).collect();
        let many = many.join(", ");
        let text = format!("name = \"x\"\nagents = [{many}]\nexcept = {{ a = [{many}] }}");
        assert!(
            names(&text, &[])
                .unwrap_err()
                .contains("more than 10000 teams")
        );
    }

    #[test]
    fn the_file_of_a_design_names_no_model() {
        assert_eq!(design_and_model("a@b.toml"), ("a@b.toml", None));
        assert_eq!(design_and_model("a.toml@m"), ("a.toml", Some("m")));
        assert_eq!(design_and_model("react"), ("react", None));
    }
}
