//! Goals: the condition that the front end makes, beside the disjunction that the engine writes out.

use std::collections::BTreeSet;

use brigade::syntax::ast::{Comparison, Formula, Problem, Term};
use serde_json::Value;

use super::kitchen::Kitchen;

/// Variables and the objects that they are bound to.
type Bindings = Vec<(String, String)>;

/// Returns true if a condition holds under `upstream` in a state that is a set of atoms.
fn holds(
    formula: &Formula,
    problem: &Problem,
    state: &BTreeSet<String>,
    bound: &mut Bindings,
) -> bool {
    let denoted = |term: &Term, bound: &Bindings| match term {
        Term::Name(name) => name.text.to_string(),
        Term::Variable(name) => {
            let mut bound = bound.iter().rev();
            let found = bound.find(|(variable, _)| *variable == name.text);
            found.unwrap().1.clone()
        }
        other => panic!("{other:?}"),
    };
    match formula {
        Formula::And(all, _) => all.iter().all(|one| holds(one, problem, state, bound)),
        Formula::Or(all, _) => all.iter().any(|one| holds(one, problem, state, bound)),
        Formula::Not(one, _) => !holds(one, problem, state, bound),
        Formula::Semantics(name, _) => name.text == "upstream",
        Formula::Atom(name, args, _) => {
            let args: Vec<String> = args.iter().map(|arg| denoted(arg, bound)).collect();
            state.contains(&format!("{}({})", name.text, args.join(",")))
        }
        Formula::Compare(Comparison::Equal, sides, _) => {
            denoted(&sides[0], bound) == denoted(&sides[1], bound)
        }
        Formula::Exists(variables, body, _) => {
            let [variable] = &variables[..] else {
                panic!("one variable at a time");
            };
            problem.objects.iter().any(|object| {
                if object.ty.as_ref().map(type_name) != variable.ty.as_ref().map(type_name) {
                    return false;
                }
                bound.push((variable.name.text.to_string(), object.name.text.to_string()));
                let found = holds(body, problem, state, bound);
                bound.pop();
                found
            })
        }
        other => panic!("{other:?}"),
    }
}

fn type_name(of: &brigade::syntax::ast::TypeExpr) -> String {
    match of {
        brigade::syntax::ast::TypeExpr::Named(name) => name.text.to_string(),
        other => panic!("{other:?}"),
    }
}

/// Compares a goal with the published disjunction: in the states in which one disjunct holds and
/// nothing else, in those that lack one atom of it, and in those that mix two disjuncts.
pub(crate) fn check(kitchen: &Kitchen, disjuncts: &Value) {
    let disjuncts: Vec<BTreeSet<String>> = disjuncts
        .as_array()
        .unwrap()
        .iter()
        .map(|atoms| {
            let atoms = atoms.as_array().unwrap().iter();
            atoms
                .map(|atom| atom.as_str().unwrap().to_owned())
                .collect()
        })
        .collect();
    let goal = kitchen.problem.goal.as_ref().unwrap();
    let sorts = kitchen.initial_facts().into_iter();
    let sorts: BTreeSet<String> = sorts.filter(|fact| fact.starts_with("is")).collect();
    let same = |state: BTreeSet<String>| {
        let state: BTreeSet<String> = state.union(&sorts).cloned().collect();
        let expected = disjuncts.iter().any(|disjunct| disjunct.is_subset(&state));
        let found = holds(goal, &kitchen.problem, &state, &mut Vec::new());
        assert_eq!(found, expected, "{state:?}");
    };
    for (index, disjunct) in disjuncts.iter().enumerate() {
        same(disjunct.clone());
        for atom in disjunct {
            let mut less = disjunct.clone();
            less.remove(atom);
            same(less);
        }
        let other = &disjuncts[(index * 7 + 1) % disjuncts.len()];
        let mixed = disjunct.union(other).enumerate();
        same(
            mixed
                .filter(|(at, _)| at % 3 != index % 3)
                .map(|(_, atom)| atom.clone())
                .collect(),
        );
    }
}
