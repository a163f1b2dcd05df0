//! Goals beside the disjunctions that the published engine would write out, in random states.

use std::collections::BTreeSet;

use ecow::EcoString;

use super::{File, Options, import};
use brigade_diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade_syntax::ast::{Comparison, Formula, Problem, Term, TypeExpr};

const DOMAIN: &str = include_str!("../../../../tests/data/import/tea-domain.json");

/// Names in goals: whole ones, parts of several, one that can be created, one that is not there.
const NAMES: [(&str, &str); 9] = [
    ("shelf", "station"),
    ("tap", "station"),
    ("leaf", "item"),
    ("ginger", "item"),
    ("g", "item"),
    ("e", "item"),
    ("kettle", "container"),
    ("tea", "meal"),
    ("lemon", "item"),
];

/// The predicates of goals, with the types of their arguments.
const PREDICATES: [(&str, &[&str]); 5] = [
    ("item_at", &["item", "station"]),
    ("atop", &["item", "item"]),
    ("isground", &["item"]),
    ("in", &["meal", "container"]),
    ("steeped", &["meal", "item"]),
];

/// A sequence of numbers that look random (Marsaglia's xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// A part of a goal: its predicate, the names and the ids of its arguments.
type Part = (&'static str, Vec<(&'static str, String)>);

fn random_goal(numbers: &mut Numbers) -> Vec<Part> {
    let parts = 1 + numbers.below(4);
    (0..parts)
        .map(|_| {
            let (predicate, types) = PREDICATES[numbers.below(PREDICATES.len())];
            let args = types.iter().map(|of| {
                let fitting: Vec<&str> = NAMES
                    .iter()
                    .filter(|(_, other)| other == of)
                    .map(|(name, _)| *name)
                    .collect();
                let name = fitting[numbers.below(fitting.len())];
                let id = if *of == "station" && numbers.below(6) == 0 {
                    "near".to_owned()
                } else {
                    (1 + numbers.below(5)).to_string()
                };
                (name, id)
            });
            (predicate, args.collect())
        })
        .collect()
}

fn environment(goal: &[Part]) -> String {
    let parts: Vec<String> = goal
        .iter()
        .map(|(predicate, args)| {
            let names: Vec<String> = args.iter().map(|(name, _)| format!("{name:?}")).collect();
            let ids: Vec<String> = args.iter().map(|(_, id)| format!("{id:?}")).collect();
            format!(
                "{{\"predicate\": {predicate:?}, \"args\": [{}], \"ids\": [{}]}}",
                names.join(", "),
                ids.join(", ")
            )
        })
        .collect();
    format!(
        r#"{{
          "stations": [
            {{"name": "tap", "x": 3, "y": 1}}, {{"name": "shelf", "x": 2, "y": 1, "id": "near"}},
            {{"name": "shelf", "x": 0, "y": 1}}, {{"name": "shelf", "x": 1, "y": 1}}
          ],
          "items": [
            {{"name": "leaf", "x": 0, "y": 1}}, {{"name": "leaf", "x": 1, "y": 1}},
            {{"name": "ginger", "x": 2, "y": 1}}
          ],
          "players": [{{"name": "guest", "x": 0, "y": 0, "direction": [0, 1]}}],
          "containers": [{{"name": "kettle", "x": 3, "y": 1}}],
          "goal": [{}]
        }}"#,
        parts.join(", ")
    )
}

/// The objects that exist, with their types; the tea is created.
const OBJECTS: [(&str, &str); 9] = [
    ("shelf1", "station"),
    ("shelf2", "station"),
    ("shelf3", "station"),
    ("tap1", "station"),
    ("leaf1", "item"),
    ("leaf2", "item"),
    ("ginger1", "item"),
    ("guest1", "player"),
    ("kettle1", "container"),
];

/// The shelf with the id.
const NEAR: &str = "shelf3";

/// All ways to choose `count` different ones in order.
fn permutations(of: &[String], count: usize) -> Vec<Vec<String>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut result = Vec::new();
    for (at, first) in of.iter().enumerate() {
        let mut rest = of.to_vec();
        rest.remove(at);
        for mut chosen in permutations(&rest, count - 1) {
            chosen.insert(0, first.clone());
            result.push(chosen);
        }
    }
    result
}

/// The disjuncts of a goal. Under `upstream` an id is looked up in one list of all names' ids, and a
/// name of which there is nothing stands for the first that will be; else each name has ids of its
/// own, and `teas` are all that can be created.
fn disjuncts(goal: &[Part], upstream: bool, teas: usize) -> Vec<BTreeSet<String>> {
    let mut names: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, id) in goal.iter().flat_map(|(_, args)| args) {
        if id == "near" {
            continue;
        }
        match names.iter_mut().find(|(known, _)| known == name) {
            Some((_, ids)) if ids.contains(&id.as_str()) => {}
            Some((_, ids)) => ids.push(id),
            None => names.push((name, vec![id])),
        }
    }
    let mut choices: Vec<Vec<((&str, &str), String)>> = vec![Vec::new()];
    for (name, ids) in &names {
        let of = NAMES
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, of)| of);
        let objects = OBJECTS.iter();
        let mut entities: Vec<String> = objects
            .filter(|(object, of_object)| Some(of_object) == of && object.contains(name))
            .map(|(object, _)| (*object).to_owned())
            .collect();
        if upstream && entities.is_empty() {
            entities = (1..=ids.len()).map(|n| format!("{name}{n}")).collect();
        } else if *name == "tea" {
            entities = (1..=teas).map(|n| format!("tea{n}")).collect();
        }
        let chosen = permutations(&entities, ids.len());
        choices = choices
            .iter()
            .flat_map(|before| {
                chosen.iter().map(|chosen| {
                    let pairs = ids
                        .iter()
                        .map(|id| (*name, *id))
                        .zip(chosen.iter().cloned());
                    before.iter().cloned().chain(pairs).collect()
                })
            })
            .collect();
    }
    choices
        .iter()
        .map(|choice| {
            let denoted = |name: &str, id: &str| {
                if id == "near" {
                    return NEAR.to_owned();
                }
                let is_meant = |((known, other), _): &&((&str, &str), String)| {
                    *other == id && (upstream || *known == name)
                };
                choice.iter().find(is_meant).expect("a choice").1.clone()
            };
            goal.iter()
                .map(|(predicate, args)| {
                    let args: Vec<String> =
                        args.iter().map(|(name, id)| denoted(name, id)).collect();
                    format!("{predicate}({})", args.join(","))
                })
                .collect()
        })
        .collect()
}

/// Evaluates a condition in a state that is a set of atoms.
fn holds(
    formula: &Formula,
    problem: &Problem,
    upstream: bool,
    state: &BTreeSet<String>,
    bound: &mut Vec<(EcoString, EcoString)>,
) -> bool {
    let denoted = |term: &Term, bound: &[(EcoString, EcoString)]| match term {
        Term::Name(name) => name.text.clone(),
        Term::Variable(name) => {
            let found = bound.iter().rev().find(|(known, _)| *known == name.text);
            found.expect("a bound variable").1.clone()
        }
        other => panic!("{other:?}"),
    };
    let inner = |one: &Formula, bound: &mut Vec<(EcoString, EcoString)>| {
        holds(one, problem, upstream, state, bound)
    };
    match formula {
        Formula::And(all, _) => all.iter().all(|one| inner(one, bound)),
        Formula::Or(all, _) => all.iter().any(|one| inner(one, bound)),
        Formula::Not(one, _) => !inner(one, bound),
        Formula::Semantics(..) => upstream,
        Formula::Atom(name, args, _) => {
            let args: Vec<EcoString> = args.iter().map(|arg| denoted(arg, bound)).collect();
            state.contains(&format!("{}({})", name.text, args.join(",")))
        }
        Formula::Compare(Comparison::Equal, sides, _) => {
            denoted(&sides[0], bound) == denoted(&sides[1], bound)
        }
        Formula::Exists(variables, body, _) => {
            let of = |ty: Option<&TypeExpr>| match ty {
                Some(TypeExpr::Named(name)) => name.text.clone(),
                other => panic!("{other:?}"),
            };
            let mut objects = problem.objects.iter();
            objects.any(|object| {
                of(object.ty.as_ref()) == of(variables[0].ty.as_ref()) && {
                    let pair = (variables[0].name.text.clone(), object.name.text.clone());
                    bound.push(pair);
                    let found = inner(body, bound);
                    bound.pop();
                    found
                }
            })
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_goal_holds_where_one_of_its_disjuncts_does() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut held, mut failed) = (0, 0);
    for _ in 0..1500 {
        let goal = random_goal(&mut numbers);
        let text = environment(&goal);
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        let file = |source, text| File { source, text };
        let domain = file(sources.add("domain", DOMAIN), DOMAIN);
        let environment = file(sources.add("environment", text.clone()), &text);
        let options = Options::default();
        let read = import(domain, environment, "test", &options, &mut diagnostics);
        let Some((_, problem)) = read else {
            panic!("{}", render_all(&diagnostics, &sources, Colour::Plain));
        };
        let is_tea = |name: &str| name.starts_with("tea");
        let names = problem
            .objects
            .iter()
            .map(|object| object.name.text.as_str());
        let teas: Vec<&str> = names.filter(|name| is_tea(name)).collect();
        let formula = problem.goal.as_ref().expect("a goal");
        // What each thing is holds from the start.
        let sorts = ["shelf", "tap", "leaf", "ginger", "guest", "kettle"];
        let is = |object: &str| {
            let sort = sorts.iter().find(|sort| object.starts_with(**sort));
            format!("is{}({object})", sort.expect("a sort"))
        };
        let always: BTreeSet<String> = OBJECTS.iter().map(|(object, _)| is(object)).collect();
        let atoms: Vec<String> = PREDICATES
            .iter()
            .flat_map(|(predicate, types)| {
                let objects = OBJECTS.iter().copied();
                let objects = objects.chain(teas.iter().map(|tea| (*tea, "meal")));
                let objects: Vec<(&str, &str)> = objects.collect();
                let mut tuples: Vec<Vec<&str>> = vec![Vec::new()];
                for of in *types {
                    tuples = tuples
                        .iter()
                        .flat_map(|tuple| {
                            let fitting = objects
                                .iter()
                                .filter(|(object, ty)| ty == of && !tuple.contains(object));
                            fitting.map(|(object, _)| {
                                let mut longer = tuple.clone();
                                longer.push(*object);
                                longer
                            })
                        })
                        .collect();
                }
                tuples
                    .into_iter()
                    .map(move |tuple| format!("{predicate}({})", tuple.join(",")))
            })
            .collect();
        for upstream in [false, true] {
            let disjuncts = disjuncts(&goal, upstream, teas.len());
            for density in [2, 3, 4, 8, 16] {
                let mut state = always.clone();
                for atom in &atoms {
                    if numbers.below(density) > 0 {
                        state.insert(atom.clone());
                    }
                }
                let expected = disjuncts.iter().any(|disjunct| disjunct.is_subset(&state));
                let found = holds(formula, &problem, upstream, &state, &mut Vec::new());
                assert_eq!(found, expected, "{goal:?}\n{upstream} {state:?}");
                held += usize::from(found);
                failed += usize::from(!found);
            }
        }
    }
    assert!(held > 1000 && failed > 1000, "{held} {failed}");
}
