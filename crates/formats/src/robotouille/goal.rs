//! The goal: a conjunction over objects that ids stand for, as a condition of the language.
//!
//! An id that is not a number names the entity that has it. A number is a variable, over the objects
//! whose names contain the argument that it goes with; different ones of one argument are different
//! objects. The published engine writes all choices out as a disjunction. Here each variable is bound
//! by an `exists`, as far inside as it can be, which is the same and does not grow with the product
//! of all choices.
//!
//! Under `upstream` a number stands for one object wherever it is used: with two different arguments
//! it means an object of the first. Under `clean` it is a variable for each. A kind of which there is
//! no object yet is met under `upstream` by those that are created first, under `clean` by any.

use std::collections::{BTreeMap, BTreeSet};

use super::quantify::{Binder, Meaning, Resolved, Variable};
use super::schema::{EnvironmentFile, GoalLiteral};
use super::symbols::Symbols;
use super::world::{Object, World};
use crate::fields::Reporter;
use crate::nodes::{all, any, name};
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::Formula;

/// The most variables of a goal: each is bound within others.
pub(super) const MAX_VARIABLES: usize = 40;

/// The most conjuncts of a goal.
const MAX_LITERALS: usize = 1000;

/// Which of the two semantics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Clean,
    Upstream,
}

struct Builder<'a, 'f, 'r> {
    file: &'f EnvironmentFile,
    /// The parts of the goal whose predicates, numbers of arguments and ids are right.
    sound: Vec<&'f GoalLiteral>,
    symbols: &'a Symbols<'f>,
    world: &'a World,
    reporter: &'a mut Reporter<'r>,
    /// The reasons why the goal is unreachable: the place, the words, and the semantics.
    obstacles: Vec<(Span, String, Reading)>,
    by_id: BTreeMap<&'a str, usize>,
}

/// The goal of an environment. What cannot be met is warned of, if `is_complete` says that all that
/// there is and can be is known. `None` if some part of the goal is wrong: the others are looked at
/// all the same.
pub(super) fn goal<'f>(
    file: &'f EnvironmentFile,
    symbols: &Symbols<'f>,
    world: &World,
    is_complete: bool,
    reporter: &mut Reporter<'_>,
) -> Option<Formula> {
    let mut by_id = BTreeMap::new();
    for (index, object) in world.objects.iter().enumerate() {
        if let Some(id) = &object.id {
            by_id.entry(id.as_str()).or_insert(index);
        }
    }
    let mut builder = Builder {
        file,
        sound: Vec::new(),
        symbols,
        world,
        reporter,
        obstacles: Vec::new(),
        by_id,
    };
    for literal in &file.goal {
        if builder.check(literal) {
            builder.sound.push(literal);
        }
    }
    if !builder.check_size() {
        return None;
    }
    let [clean, upstream] =
        [Reading::Clean, Reading::Upstream].map(|reading| builder.read(reading));
    let shares_ids = builder.warn_of_shared_ids();
    let is_sound = file.has_whole_goal && builder.sound.len() == file.goal.len();
    if !is_sound && (shares_ids || !file.has_whole_goal) {
        // Which name of two an id is of may depend on a part that is wrong; under `clean` it is of both.
        (builder.obstacles).retain(|(_, _, reading)| *reading == Reading::Clean);
    }
    if is_complete {
        builder.warn_of_obstacles();
    }
    if !is_sound {
        return None;
    }
    let span = file.goal_span;
    if clean == upstream {
        return Some(clean);
    }
    let is_upstream = || Formula::Semantics(name("upstream", span), span);
    let not_upstream = Formula::Not(Box::new(is_upstream()), span);
    Some(any(
        vec![
            all(vec![not_upstream, clean], span),
            all(vec![is_upstream(), upstream], span),
        ],
        span,
    ))
}

/// Returns true if an id is a variable.
fn is_variable(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit())
}

/// The literals with each argument and its id.
fn arguments<'f>(
    goal: &[&'f GoalLiteral],
) -> impl Iterator<Item = (&'f GoalLiteral, usize, &'f str, &'f str)> {
    goal.iter().flat_map(|&literal| {
        let pairs = literal.args.iter().zip(&literal.ids).enumerate();
        pairs.map(move |(at, (arg, id))| (literal, at, arg.text.as_str(), id.text.as_str()))
    })
}

impl Builder<'_, '_, '_> {
    /// Returns true if the predicate of a literal, its number of arguments and the ids of entities are right, and
    /// reports it if not.
    fn check(&mut self, literal: &GoalLiteral) -> bool {
        let found = self
            .symbols
            .predicate(&literal.predicate, "", self.reporter);
        let mut is_sound = found.is_some();
        let given = literal.args.len();
        if let Some(predicate) = found
            && predicate.params.len() != given
        {
            let message = format!(
                "`{}` has {} arguments, and is given {given}",
                predicate.name.text,
                predicate.params.len()
            );
            let diagnostic = self
                .reporter
                .at(Code::ArgumentCount, literal.span, message, "");
            let help = "compare with its `param_types` in the domain";
            self.reporter.push(diagnostic.help(help));
            is_sound = false;
        }
        for id in &literal.ids {
            if !is_variable(&id.text) && !self.by_id.contains_key(id.text.as_str()) {
                let message = format!("no entity has the id `{}`", id.text.escape_debug());
                let diagnostic = self.reporter.at(Code::UnknownId, id.span, message, "");
                self.reporter.push(diagnostic);
                is_sound = false;
            }
        }
        is_sound
    }

    /// Returns true if the goal is small enough to be written out, and reports it if not.
    fn check_size(&mut self) -> bool {
        let mut is_sound = true;
        let ids: BTreeSet<(&str, &str)> = arguments(&self.sound)
            .filter(|(_, _, _, id)| is_variable(id))
            .map(|(_, _, arg, id)| (arg, id))
            .collect();
        if self.file.goal.len() > MAX_LITERALS {
            let message = format!("the goal has {} parts", self.file.goal.len());
            let label = format!("at most {MAX_LITERALS} are read");
            let span = self.file.goal_span;
            let diagnostic = self.reporter.at(Code::SourceTooLarge, span, message, label);
            self.reporter.push(diagnostic);
            is_sound = false;
        }
        if ids.len() > MAX_VARIABLES {
            let message = format!("the goal has {} variables", ids.len());
            let label = format!("at most {MAX_VARIABLES} can be bound");
            let span = self.file.goal_span;
            let diagnostic = self
                .reporter
                .at(Code::NestedTooDeeply, span, message, label);
            self.reporter
                .push(diagnostic.help("name entities by ids that are not numbers"));
            is_sound = false;
        }
        is_sound
    }

    /// Warns of numbers that go with two arguments. Whether there are any.
    fn warn_of_shared_ids(&mut self) -> bool {
        let goal: Vec<&GoalLiteral> = self.file.goal.iter().collect();
        let mut first: BTreeMap<&str, (&str, Span)> = BTreeMap::new();
        let mut reported = BTreeSet::new();
        for (literal, at, arg, id) in arguments(&goal) {
            if !is_variable(id) {
                continue;
            }
            let span = literal.args[at].span;
            let &mut (known, place) = first.entry(id).or_insert((arg, span));
            if known == arg || !reported.insert((arg, id)) {
                continue;
            }
            let message = format!("the id `{id}` goes with `{known}` and with `{arg}`");
            let label = format!("under `upstream` this is the `{known}`");
            let diagnostic = self.reporter.at(Code::SharedGoalId, span, message, label);
            let diagnostic = self.reporter.also(diagnostic, place, "its first use");
            let help = format!(
                "give this `{arg}` an id of its own, or `{known}` as its name; \
                 under `clean` they are two objects"
            );
            self.reporter.push(diagnostic.help(help));
        }
        !reported.is_empty()
    }

    /// The objects that a variable may stand for: those of the type whose names contain the argument.
    fn candidates(&self, arg: &str, of: &str, count: usize, reading: Reading) -> Vec<usize> {
        let is_meant = |object: &Object| object.of == of && object.name.contains(arg);
        let objects = self.world.objects.iter().enumerate();
        let mut result: Vec<usize> = objects
            .filter(|(_, object)| is_meant(object))
            .map(|(index, _)| index)
            .collect();
        if reading == Reading::Upstream {
            let exists = |&index: &usize| !self.world.objects[index].is_free;
            if result.iter().any(exists) {
                result.retain(exists);
            } else {
                let named = |index: &usize| {
                    let name = &self.world.objects[*index].name;
                    (1..=count).any(|number| *name == format!("{arg}{number}"))
                };
                result.retain(named);
            }
        }
        result
    }

    /// The goal under one semantics.
    fn read(&mut self, reading: Reading) -> Formula {
        let span = self.file.goal_span;
        // The arguments in order of their first use, each with its numbers.
        let mut numbers: Vec<(&str, &str, Span, Vec<&str>)> = Vec::new();
        for (literal, at, arg, id) in arguments(&self.sound) {
            if !is_variable(id) {
                continue;
            }
            let predicate = self.symbols.predicates.get(literal.predicate.text.as_str());
            let Some(of) = predicate.and_then(|predicate| predicate.params.get(at)) else {
                continue;
            };
            match numbers.iter_mut().find(|entry| entry.0 == arg) {
                Some((_, _, _, ids)) if ids.contains(&id) => {}
                Some((_, _, _, ids)) => ids.push(id),
                None => numbers.push((arg, &of.text, literal.args[at].span, vec![id])),
            }
        }
        let mut variables: Vec<Variable> = Vec::new();
        let mut too_few: BTreeSet<&str> = BTreeSet::new();
        for (arg, of, span, ids) in &numbers {
            let candidates = self.candidates(arg, of, ids.len(), reading);
            let shadowed = |id: &&&str| {
                reading == Reading::Upstream && variables.iter().any(|known| known.id == **id)
            };
            let is_shadowed = ids.iter().all(|id| shadowed(&id));
            let none_yet = candidates.is_empty() && reading == Reading::Upstream;
            if candidates.len() < ids.len() && !(none_yet && is_shadowed) {
                let (asked, are) = (ids.len(), candidates.len());
                let mut objects = self.world.objects.iter();
                let kind = if objects.any(|object| object.of != *of && object.name.contains(arg)) {
                    format!(" of type `{of}`")
                } else {
                    String::new()
                };
                let message =
                    format!("the goal asks for {asked} `{arg}`{kind}, and there can be {are}");
                self.obstacles.push((*span, message, reading));
                too_few.insert(arg);
            }
            variables.extend(ids.iter().map(|id| Variable {
                arg: (*arg).to_owned(),
                id: (*id).to_owned(),
                candidates: candidates.clone(),
                span: *span,
            }));
        }
        let mut resolved = Vec::new();
        let mut is_reachable = too_few.is_empty();
        for &literal in &self.sound {
            let mut pairs = literal.args.iter().zip(&literal.ids);
            if pairs.any(|(arg, id)| is_variable(&id.text) && too_few.contains(&*arg.text)) {
                continue;
            }
            let pairs = literal.args.iter().zip(&literal.ids);
            let meanings: Vec<Meaning> = pairs
                .map(|(arg, id)| self.meaning(&arg.text, &id.text, &variables, reading))
                .collect();
            if !self.can_hold(literal, &meanings, &variables) {
                let message = format!("this `{}` never holds", literal.predicate.text);
                self.obstacles.push((literal.span, message, reading));
                is_reachable = false;
                continue;
            }
            resolved.push(Resolved { literal, meanings });
        }
        if !is_reachable {
            return Formula::Or(Vec::new(), span);
        }
        let binder = Binder::new(self.symbols, self.world, &variables);
        all(binder.bound(&resolved), span)
    }

    /// Warns of what makes the goal unreachable, once where it does so under both semantics.
    fn warn_of_obstacles(&mut self) {
        let obstacles = std::mem::take(&mut self.obstacles);
        for (index, (span, message, reading)) in obstacles.iter().enumerate() {
            let same =
                |(other, said, _): &&(Span, String, Reading)| other == span && said == message;
            if obstacles[..index].iter().any(|other| same(&other)) {
                continue;
            }
            let label = match (obstacles.iter().filter(same).count(), reading) {
                (1, Reading::Clean) => "never reached under `clean`",
                (1, Reading::Upstream) => "never reached under `upstream`",
                _ => "never reached",
            };
            let message = message.clone();
            let diagnostic = self
                .reporter
                .at(Code::UnreachableGoal, *span, message, label);
            self.reporter.push(diagnostic);
        }
    }

    fn meaning(&self, arg: &str, id: &str, variables: &[Variable], reading: Reading) -> Meaning {
        if !is_variable(id) {
            return match self.by_id.get(id) {
                Some(&object) => Meaning::Object(object),
                None => Meaning::Nothing,
            };
        }
        let is_meant = |variable: &Variable| {
            variable.id == id && (reading == Reading::Upstream || variable.arg == arg)
        };
        match variables.iter().position(is_meant) {
            Some(at) => match variables[at].candidates[..] {
                [only] => Meaning::Object(only),
                [] => Meaning::Nothing,
                _ => Meaning::Variable(at),
            },
            None => Meaning::Nothing,
        }
    }

    /// Returns true if the arguments are of the types of the predicate, and different.
    fn can_hold(
        &self,
        literal: &GoalLiteral,
        meanings: &[Meaning],
        variables: &[Variable],
    ) -> bool {
        let Some(predicate) = self.symbols.predicates.get(literal.predicate.text.as_str()) else {
            return false;
        };
        let type_of = |meaning: &Meaning| match meaning {
            Meaning::Object(object) => Some(&self.world.objects[*object].of),
            Meaning::Variable(variable) => {
                let first = variables[*variable].candidates.first()?;
                Some(&self.world.objects[*first].of)
            }
            Meaning::Nothing => None,
        };
        let mut typed = meanings.iter().zip(&predicate.params);
        typed.all(|(meaning, of)| type_of(meaning) == Some(&of.text))
            && !meanings
                .iter()
                .enumerate()
                .any(|(at, meaning)| meanings[..at].contains(meaning))
    }
}
