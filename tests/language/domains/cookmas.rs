//! The restaurant of CookMAS: its recipes in prose say what its data says, and what is ordered can be served.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use brigade::generate::cookmas::{Cookbook, Part, draw, serve};
use brigade::ground::{Options, ground};
use brigade::sema::model::Model;
use brigade::task::PackedTask;
use brigade::task::effect::Record;

use crate::domains::{files, model, root, stem};

const ANY: &str = "problems/cookmas/level-1-burger.pddl";

fn domain() -> String {
    fs::read_to_string(root().join("domains/cookmas.pddl")).unwrap()
}

/// A problem as agents play it.
fn played(problem: &str) -> (Model, PackedTask) {
    let model = model(&domain(), problem, "clean");
    let options = Options::default().with_irrelevant_kept(true);
    let task = ground(&model, &options).unwrap();
    (model, task)
}

fn book() -> Cookbook {
    let problem = fs::read_to_string(root().join(ANY)).unwrap();
    Cookbook::of(&model(&domain(), &problem, "clean")).unwrap()
}

/// A step of a recipe: what is taken, whether it is sliced, in what it is heated, and for how many ticks.
type Step = (String, bool, Option<String>, (u32, u32));

/// The pages of the cookbook: by the menu for which each is opened, its text.
fn pages() -> BTreeMap<String, String> {
    let domain = domain();
    let mut texts = BTreeMap::new();
    for rest in domain.split("(page-").skip(1) {
        let (number, rest) = rest.split_once(|it: char| !it.is_ascii_digit()).unwrap();
        if let Some((_, text)) = rest
            .split_once(":text \"")
            .filter(|(blank, _)| blank.trim().is_empty())
        {
            texts.insert(number, text.split_once('"').unwrap().0);
        }
    }
    let rules = domain.split("(:derived (page-").skip(1).map(|rest| {
        let (number, rest) = rest.split_once(") (on-order ").unwrap();
        (
            rest.split_once(')').unwrap().0.to_owned(),
            texts[number].to_owned(),
        )
    });
    rules.collect()
}

/// Returns the steps of a recipe's sentence; every sentence has one of four forms.
fn steps(sentence: &str) -> Vec<Step> {
    let words: Vec<&str> = sentence.split(' ').collect();
    let words: Vec<&str> = words
        .into_iter()
        .filter(|it| !["a", "an", "the"].contains(it))
        .collect();
    let kind = |verb: &str| match verb.to_lowercase().as_str() {
        "grill" => "grill".to_owned(),
        "boil" => "pot".to_owned(),
        "fry" => "fryer".to_owned(),
        "bake" => "oven".to_owned(),
        _ => panic!("{verb} in {sentence:?}"),
    };
    let ticks = |from: &str, to: &str| (from.parse().unwrap(), to.parse().unwrap());
    match words[..] {
        ["Slice", food, "and", "add", "it"] => vec![(food.to_owned(), true, None, (0, 0))],
        [
            "Slice",
            food,
            "and",
            verb,
            "it",
            "for",
            from,
            "to",
            to,
            "ticks",
        ] => {
            vec![(food.to_owned(), true, Some(kind(verb)), ticks(from, to))]
        }
        ["Add", ref foods @ ..] => {
            let foods = foods.iter().filter(|word| **word != "and");
            let foods =
                foods.map(|food| (food.trim_end_matches(',').to_owned(), false, None, (0, 0)));
            foods.collect()
        }
        [verb, food, "for", from, "to", to, "ticks"] => {
            vec![(food.to_owned(), false, Some(kind(verb)), ticks(from, to))]
        }
        _ => panic!("{sentence:?}"),
    }
}

#[test]
fn every_recipe_in_prose_states_the_steps_times_and_ingredients_of_the_data() {
    let (book, pages) = (book(), pages());
    assert!(book.menus.len() >= 12);
    assert_eq!(book.menus.len(), pages.len());
    for menu in &book.menus {
        let (title, text) = pages[&menu.name].split_once(": ").unwrap();
        assert_eq!(title, menu.name);
        let sentences = text.strip_suffix('.').unwrap().split(". ");
        let described: Vec<Step> = sentences.flat_map(steps).collect();
        let of = |part: &Part| {
            let Part {
                ingredient,
                is_sliced,
                kind,
                ticks,
                ..
            } = part.clone();
            (ingredient, is_sliced, kind, ticks)
        };
        let data: BTreeSet<Step> = menu.parts.iter().map(of).collect();
        assert_eq!(
            described.len(),
            data.len(),
            "{}: nothing is said twice",
            menu.name
        );
        assert_eq!(
            described.into_iter().collect::<BTreeSet<_>>(),
            data,
            "{}",
            menu.name
        );
    }
}

#[test]
fn a_recipe_is_read_only_while_a_dish_of_it_is_to_be_made() {
    let problem = fs::read_to_string(root().join("problems/cookmas/level-3-rush.pddl")).unwrap();
    let (_, task) = played(&problem);
    let mut state = task.initial.clone();
    let mut open = Vec::new();
    for _ in 0..17 {
        let facts = task.observe(&state).facts;
        let titles = facts
            .iter()
            .filter_map(|fact| fact.split_once(": ")?.0.split_whitespace().next());
        let titles = titles.filter(|title| pages().contains_key(*title));
        open.push(titles.map(str::to_owned).collect::<Vec<_>>().join(" "));
        let waits: Vec<_> = (0..3)
            .map(|cook| {
                task.applicable(&state, cook)
                    .find(|&id| task.operator(id).text == "wait")
            })
            .collect::<Option<_>>()
            .unwrap();
        task.step(&mut state, &waits, &mut Record::default())
            .unwrap();
    }
    let orders = "grilled-salmon mushroom-risotto pizza";
    assert_eq!(open[0], "grilled-salmon tomato-pasta");
    assert_eq!(open[4], "grilled-salmon mushroom-risotto");
    assert_eq!(open[5], orders);
    assert_eq!(open[10], format!("onion-soup fish-and-chips {orders}"));
    assert_eq!(
        open[16],
        "grilled-salmon mushroom-risotto baked-potato pizza"
    );
}

/// The page shows how many dishes each has, and how long one cook takes.
#[test]
fn one_cook_can_serve_every_bundled_problem_long_before_its_end() {
    let page = fs::read_to_string(root().join("docs/reference/systems/cookmas.md")).unwrap();
    for path in files(&root().join("problems/cookmas")) {
        let problem = fs::read_to_string(&path).unwrap();
        let (model, task) = played(&problem);
        let ticks =
            serve(&model, &task).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(
            3 * ticks <= 2 * model.horizon.unwrap(),
            "{}: {ticks}",
            path.display()
        );
        let mut totals = task.totals.iter();
        let unserved = totals.find(|total| total.name == "unserved").unwrap();
        let dishes = problem.matches("(= (of dish").count();
        assert_eq!(unserved.initial, dishes as i64, "{}", path.display());
        let mut rows = page
            .lines()
            .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
        let name = format!("`{}`", stem(&path));
        let row = rows.find(|row| row.len() > 5 && row[1] == name);
        let row = row.unwrap_or_else(|| panic!("{name} is not on the page"));
        assert_eq!(
            (row[2], row[4]),
            (&*dishes.to_string(), &*ticks.to_string()),
            "{name}"
        );
    }
}

#[test]
fn every_evening_that_is_drawn_can_be_served() {
    let book = book();
    for (level, dishes) in [(1, 1..=1), (2, 2..=4), (3, 3..=8)] {
        let mut drawn = BTreeSet::new();
        for seed in 0..20 {
            let problem = draw(&book, level, seed, 300);
            let (model, task) = played(&problem);
            let ticks = serve(&model, &task).unwrap_or_else(|error| panic!("{error}\n{problem}"));
            assert!(ticks < 150, "level {level}, seed {seed}: {ticks}");
            assert!(
                dishes.contains(&problem.matches("(= (of dish").count()),
                "{problem}"
            );
            let changes = model.timed.iter().filter(|it| it.tick > 0).count();
            assert_eq!(changes > 0, level == 3, "{problem}");
            assert_eq!(
                problem.matches("(cancelled ").count(),
                usize::from(level == 3)
            );
            drawn.insert(problem);
        }
        assert!(drawn.len() > 15, "level {level}");
    }
}
