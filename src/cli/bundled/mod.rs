//! Domains and problems that are part of the binary. Commands read them as files of the names
//! `bundled:DOMAIN` and `bundled:DOMAIN/PROBLEM`.

mod action_space;

use std::path::{Path, PathBuf};

pub(super) use action_space::published_action_space;

/// Begins the path of a file that is part of the binary.
const SCHEME: &str = "bundled:";

/// A file and its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bundled {
    /// Its place in the repository.
    pub(super) path: &'static str,
    pub(super) text: &'static str,
}

/// A domain and its problems.
#[derive(Clone, Copy, Debug)]
pub(super) struct BundledDomain {
    /// The name that problems give it.
    pub(super) name: &'static str,
    pub(super) file: Bundled,
    pub(super) problems: &'static [Bundled],
}

/// A domain by the name of its file, and the problems of its folder.
macro_rules! bundled {
    ($name:literal, $($problem:literal),* $(,)?) => {
        BundledDomain {
            name: $name,
            file: Bundled {
                path: concat!("domains/", $name, ".pddl"),
                text: include_str!(concat!("../../../domains/", $name, ".pddl")),
            },
            problems: &[$(Bundled {
                path: concat!("problems/", $name, "/", $problem, ".pddl"),
                text: include_str!(concat!("../../../problems/", $name, "/", $problem, ".pddl")),
            }),*],
        }
    };
}

/// Two players and a thief.
pub(super) const COLLAB_CAPTURE: BundledDomain = bundled!(
    "collab-capture",
    "door3-open",
    "door1-open",
    "both-open",
    "both-closed",
);

/// Two players and a killer.
pub(super) const COLLAB_ESCAPE: BundledDomain =
    bundled!("collab-escape", "code-map", "prompt-map",);

/// The kitchen of Collab-Overcooked.
pub(super) const COLLAB_OVERCOOKED: BundledDomain = bundled!(
    "collab-overcooked",
    "baked_bell_pepper",
    "baked_bell_pepper_soup",
    "baked_carrot_soup",
    "baked_mushroom_soup",
    "baked_potato_slices",
    "baked_potato_soup",
    "baked_pumpkin_slices",
    "baked_pumpkin_soup",
    "baked_sweet_potato",
    "boiled_corn_slices",
    "boiled_egg",
    "boiled_green_bean_slices",
    "boiled_mushroom",
    "boiled_potato_slices",
    "boiled_sweet_potato",
    "mashed_broccoli_and_bean_patty",
    "mashed_carrot_and_chickpea_patty",
    "mashed_cauliflower_and_lentil_patty",
    "mashed_potato_and_pea_patty",
    "mashed_sweet_potato_and_bean_patty",
    "potato_carrot_and_onion_patty",
    "romaine_lettuce_pea_and_tomato_patty",
    "sliced_bell_pepper_and_corn_stew",
    "sliced_bell_pepper_and_lentil_stew",
    "sliced_eggplant_and_chickpea_stew",
    "sliced_pumpkin_and_chickpea_stew",
    "sliced_zucchini_and_chickpea_stew",
    "sweet_potato_spinach_and_mushroom_patty",
    "taro_bean_and_bell_pepper_patty",
    "zucchini_green_pea_and_onion_patty",
);

/// The restaurant of CookMAS.
pub(super) const COOKMAS: BundledDomain = bundled!(
    "cookmas",
    "level-1-burger",
    "level-1-green-salad",
    "level-1-baked-potato",
    "level-2-lunch",
    "level-2-dinner",
    "level-3-evening",
    "level-3-rush",
);

/// The kitchens of CuisineWorld.
pub(super) const CUISINEWORLD: BundledDomain = bundled!(
    "cuisineworld",
    "level-0",
    "level-1",
    "level-2",
    "level-3",
    "level-4",
    "level-5",
    "level-6",
    "level-7",
    "level-8",
    "level-9",
    "level-10",
    "level-11",
    "level-12",
);

/// A game of cards.
pub(super) const HANABI: BundledDomain = bundled!(
    "hanabi", "full-2", "full-3", "full-4", "full-5", "small-2", "tiny-2",
);

/// MindAgent's second domain.
pub(super) const MINECRAFT_KITCHEN: BundledDomain =
    bundled!("minecraft-kitchen", "two-meats", "porkchop", "orders",);

/// A kitchen for three cooks while orders change.
pub(super) const ORDER_RUSH: BundledDomain = bundled!("order-rush", "lunch", "dinner", "banquet",);

/// The kitchens of Overcooked-AI, and those with gates.
pub(super) const OVERCOOKED_AI: BundledDomain = bundled!(
    "overcooked-ai",
    "cramped_room",
    "cramped_room-deliver-1",
    "asymmetric_advantages",
    "asymmetric_advantages-deliver-1",
    "coordination_ring",
    "coordination_ring-deliver-1",
    "forced_coordination",
    "forced_coordination-deliver-1",
    "counter_circuit_o_1order",
    "counter_circuit_o_1order-deliver-1",
    "cramped_room_tomato",
    "mdp_test",
    "multiplayer_schelling",
    "no_counter_door",
    "soup_passing_door",
);

/// The kitchen of Robotouille.
pub(super) const ROBOTOUILLE: BundledDomain = bundled!(
    "robotouille",
    "synchronous-0_cheese_sandwich",
    "synchronous-1_lettuce_sandwich",
    "synchronous-2_lettuce_tomato_sandwich",
    "synchronous-3_burger",
    "synchronous-4_cheeseburger",
    "synchronous-5_double_cheeseburger",
    "synchronous-6_lettuce_tomato_cheeseburger",
    "synchronous-7_two_lettuce_chicken_sandwich",
    "synchronous-8_two_lettuce_tomato_burger",
    "synchronous-9_onion_cheese_burger_and_lettuce_tomato_chicken_sandwich",
    "asynchronous-0_cheese_chicken_sandwich",
    "asynchronous-1_lettuce_chicken_sandwich",
    "asynchronous-2_lettuce_tomato_fried_chicken_sandwich",
    "asynchronous-3_tomato_burger_and_fries",
    "asynchronous-4_onion_cheese_burger_and_fried_onion",
    "asynchronous-5_potato_soup",
    "asynchronous-6_onion_soup",
    "asynchronous-7_tomato_soup_and_lettuce_chicken_sandwich",
    "asynchronous-8_onion_tomato_soup_and_two_chicken_sandwich",
    "asynchronous-9_onion_potato_soup_and_fried_onion_ring_lettuce_burger_and_onion_cheese_sandwich",
);

/// The same for players who take turns.
pub(super) const ROBOTOUILLE_IN_TURN: BundledDomain = bundled!(
    "robotouille-in-turn",
    "multi_agent-1_lettuce_burger",
    "multi_agent-2_lettuce_tomato_burger",
    "multi_agent-3_lettuce_fried_chicken_fried_onion_burger",
    "multi_agent-4_lettuce_chicken_sandwich",
    "multi_agent-5_lettuce_tomato_chicken_sandwich",
    "multi_agent-6_double_lettuce_chicken_burger",
    "multi_agent-7_onion_potato_tomato_soup",
    "multi_agent-8_tomato_cheeseburger_onion_chicken_sandwich",
    "multi_agent-9_two_lettuce_cheeseburger",
    "multi_agent-10_potato_tomato_chicken_soup_potato_cheese_onion_soup",
);

/// All domains, by name.
pub(super) const DOMAINS: [BundledDomain; 11] = [
    COLLAB_CAPTURE,
    COLLAB_ESCAPE,
    COLLAB_OVERCOOKED,
    COOKMAS,
    CUISINEWORLD,
    HANABI,
    MINECRAFT_KITCHEN,
    ORDER_RUSH,
    OVERCOOKED_AI,
    ROBOTOUILLE,
    ROBOTOUILLE_IN_TURN,
];

impl Bundled {
    /// The name of its file, without the ending.
    pub(super) fn name(self) -> &'static str {
        let file = self.path.rsplit('/').next().unwrap_or_default();
        file.strip_suffix(".pddl").unwrap_or(file)
    }
}

impl BundledDomain {
    /// The path that commands read the domain by.
    pub(super) fn place(&self) -> PathBuf {
        PathBuf::from(format!("{SCHEME}{}", self.name))
    }

    /// The path that commands read a problem of it by.
    pub(super) fn place_of(&self, problem: Bundled) -> PathBuf {
        PathBuf::from(format!("{SCHEME}{}/{}", self.name, problem.name()))
    }
}

/// The domain of a name.
pub(super) fn domain(name: &str) -> Option<BundledDomain> {
    let mut domains = DOMAINS.into_iter();
    domains.find(|domain| domain.name.eq_ignore_ascii_case(name))
}

/// The problems of a bundled domain that have this name.
pub(super) fn named(domain_name: &str, problem: &str) -> Vec<PathBuf> {
    let Some(found) = domain(domain_name) else {
        return Vec::new();
    };
    let heading = format!("(problem {problem})");
    let problems = found
        .problems
        .iter()
        .filter(|problem| problem.text.contains(&heading));
    problems.map(|problem| found.place_of(*problem)).collect()
}

/// The path of a part of the binary, `DOMAIN` or `DOMAIN/PROBLEM`, also where it begins as one already.
pub(super) fn path_of(name: &str) -> PathBuf {
    let name = name.strip_prefix(SCHEME).unwrap_or(name);
    PathBuf::from(format!("{SCHEME}{name}"))
}

/// Returns the name within the binary that a path has; `None` if it is the path of a file.
fn within(path: &Path) -> Option<&str> {
    path.to_str()?.strip_prefix(SCHEME)
}

/// The domain at such a path, or that of the problem at it.
pub(super) fn domain_at(path: &Path) -> Option<BundledDomain> {
    domain(within(path)?.split('/').next()?)
}

/// Returns true if it is the path of a part of the binary.
pub(super) fn is_within(path: &Path) -> bool {
    within(path).is_some()
}

/// The text at such a path.
pub(super) fn text_at(path: &Path) -> Option<&'static str> {
    let domain = domain_at(path)?;
    let Some((_, name)) = within(path)?.split_once('/') else {
        return Some(domain.file.text);
    };
    let mut problems = domain.problems.iter();
    let problem = problems.find(|file| file.name() == name)?;
    Some(problem.text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    fn files_in(folder: &str) -> BTreeSet<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let entries = std::fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name());
        let names = names.map(|name| name.into_string().unwrap());
        names
            .filter_map(|name| name.strip_suffix(".pddl").map(str::to_owned))
            .collect()
    }

    #[test]
    fn every_domain_and_problem_of_the_repository_is_bundled() {
        let domains: BTreeSet<String> = DOMAINS.iter().map(|it| it.name.to_owned()).collect();
        assert_eq!(domains, files_in("domains"));
        for domain in DOMAINS {
            let problems = domain.problems.iter().map(|file| file.name().to_owned());
            let problems: BTreeSet<String> = problems.collect();
            assert_eq!(problems, files_in(&format!("problems/{}", domain.name)));
        }
    }

    #[test]
    fn a_bundled_file_is_read_by_its_path() {
        for domain in DOMAINS {
            assert_eq!(text_at(&domain.place()), Some(domain.file.text));
            for &problem in domain.problems {
                assert_eq!(text_at(&domain.place_of(problem)), Some(problem.text));
                assert!(problem.text.contains(&format!("(:domain {})", domain.name)));
            }
        }
        assert_eq!(text_at(Path::new("bundled:nowhere")), None);
        assert_eq!(text_at(Path::new("bundled:order-rush/supper")), None);
        assert_eq!(text_at(Path::new("domains/order-rush.pddl")), None);
    }
}
