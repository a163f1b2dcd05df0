//! Goals that the relaxation does not reach, with the chain that breaks.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

use super::advice::provide;
use super::asts::Asts;
use super::chain::{End, Link, chain, failing};
use super::numbers::Numbers;
use super::repair::{Repair, Repairs};
use super::solver::{Missing, Solver};
use super::writers::{Need, Owner, nothing};
use crate::places;
use brigade_compile::sema::model::{Cond, FluentId, Model, Value};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};

/// The most parts of a goal that are examined.
const LOOKED_AT: usize = 20;

/// The most causes that are reported.
const MOST_REPORTED: usize = 3;

/// The most facts that are named in one sentence.
const NAMED: usize = 3;

/// The reason why parts of the goal never hold.
struct Cause<'m> {
    /// The parts, and where each of them stands.
    parts: Vec<(String, Span)>,
    /// The chain of the first.
    links: Vec<Link<'m>>,
    end: End,
    /// The facts at which the chains end.
    lasts: Vec<String>,
    /// Facts with which the first part could hold, the likeliest first.
    repairs: Vec<Repair>,
}

impl<'m> Cause<'m> {
    fn last(&self) -> Option<&Link<'m>> {
        self.links.last()
    }

    /// Returns the fluents whose facts are reported as missing.
    fn lacking(&self) -> impl Iterator<Item = FluentId> {
        let numbers = match &self.end {
            End::Numbers(numbers) => numbers.not_given.as_ref().map(|(fluent, _)| *fluent),
            _ => None,
        };
        let needs = self
            .links
            .iter()
            .filter_map(|link| Some(link.need.as_ref()?.fluent));
        needs
            .chain(numbers)
            .chain(self.repairs.iter().map(Repair::fluent))
    }

    /// Returns the fact that is reported as missing: that at the end of the chain, or the likeliest with which the goal
    /// could be reached.
    fn repair(&self) -> Option<&Repair> {
        if self.is_beside_the_point() {
            return self.repairs.first();
        }
        let last = match &self.end {
            End::Numbers(numbers) => numbers.not_given.as_ref().map(|(fluent, _)| *fluent),
            _ => self
                .last()
                .and_then(|last| Some(last.need.as_ref()?.fluent)),
        };
        let mut repairs = self.repairs.iter();
        let same = repairs.clone().find(|repair| Some(repair.fluent()) == last);
        same.or_else(|| repairs.next())
    }

    /// Returns true if the fact that its chain lacks is probably not the one that the goal lacks: other facts would do
    /// and not that one, or likelier ones.
    fn is_beside_the_point(&self) -> bool {
        let need = self.last().and_then(|last| last.need.as_ref());
        let likeliest = self.repairs.first();
        matches!(self.end, End::Nothing)
            && need.is_some_and(|need| likeliest.is_some_and(|it| it.fluent() != need.fluent))
    }

    /// Returns true if both lack the same fact, whatever their chains say.
    fn lacks_as(&self, other: &Self) -> bool {
        let both = [self, other];
        let fact = |cause: &Self| cause.repairs.first().map(|repair| repair.text.clone());
        both.iter().all(|cause| cause.is_beside_the_point()) && fact(self) == fact(other)
    }

    /// Returns true if another chain breaks for the same reason: at the same fact, or in the same way at a fact that
    /// differs in its objects.
    fn is_of(&self, links: &[Link<'m>], end: &End) -> bool {
        let (Some(last), Some(other)) = (self.last(), links.last()) else {
            return false;
        };
        let is_same_way = || {
            let owners = |links: &[Link<'m>]| links.iter().map(|link| link.by).collect::<Vec<_>>();
            owners(&self.links) == owners(links)
        };
        match (&last.need, &other.need) {
            (Some(last), Some(other)) => {
                let is_same_end = std::mem::discriminant(&self.end) == std::mem::discriminant(end);
                is_same_end && (last == other || (last.is_like(other) && is_same_way()))
            }
            _ => last.text == other.text,
        }
    }
}

/// The causes reported for the goal, which need no second report.
#[derive(Default)]
pub(super) struct Reported {
    /// The facts that the chains need.
    pub(super) needs: BTreeSet<Need>,
    /// All conditions of the chains.
    conds: HashSet<*const Cond>,
    /// The schemas that the facts reported as missing would enable.
    enabled: BTreeSet<Owner>,
    /// The fluents whose facts were reported as missing.
    pub(super) fluents: BTreeSet<FluentId>,
}

impl Reported {
    /// Returns true if actions would be possible with the facts that were reported as missing.
    pub(super) fn explains_actions(&self) -> bool {
        !self.enabled.is_empty()
    }

    /// Returns true if a chain says what something lacks: the same fact, or this very condition; or if the fact that
    /// the goal lacks would enable it.
    pub(super) fn is_of(&self, owner: Owner, missing: &Missing<'_>, need: Option<&Need>) -> bool {
        let is_reported = |cond: &Cond| self.conds.contains(&std::ptr::from_ref(cond));
        self.enabled.contains(&owner)
            || need.is_some_and(|need| self.needs.contains(need))
            || matches!(missing, Missing::Never(cond) | Missing::NotTogether(cond) if is_reported(cond))
    }
}

/// Says what the chains need.
pub(super) fn check(
    solver: &mut Solver<'_, '_>,
    asts: &Asts<'_>,
    diagnostics: &mut Diagnostics,
) -> Reported {
    let model = solver.model;
    let mut reported = Reported::default();
    let (Some(goal), Some(formula)) = (&model.goal, &asts.problem.goal) else {
        return reported;
    };
    let mut at = vec![None; goal.variables.len()];
    let mut parts = Vec::new();
    failing(
        solver,
        &goal.cond,
        &goal.variables,
        &mut at,
        &mut parts,
        LOOKED_AT,
    );
    let mut causes: Vec<Cause<'_>> = Vec::new();
    let operators = solver.relaxed.operators().len();
    let is_given = |fluent| solver.is_given(fluent);
    let mut repairs = Repairs::new(model, asts.problem, operators, is_given);
    for (cond, at) in parts {
        let (links, end) = chain(solver, cond, &goal.variables, &at);
        let (Some(first), Some(last)) = (links.first(), links.last()) else {
            continue;
        };
        reported
            .needs
            .extend(links.iter().filter_map(|link| link.need.clone()));
        reported
            .conds
            .extend(links.iter().map(|link| std::ptr::from_ref(link.cond)));
        let place =
            places::within(formula, cond, model, &goal.variables).unwrap_or_else(|| formula.span());
        let (part, last) = ((first.text.clone(), place), last.text.clone());
        if let Some(known) = causes.iter_mut().find(|cause| cause.is_of(&links, &end)) {
            known.parts.push(part);
            if !known.lasts.contains(&last) {
                known.lasts.push(last);
            }
            continue;
        }
        let cause = Cause {
            parts: vec![part],
            links,
            end,
            lasts: vec![last],
            repairs: repairs.of(cond, &at),
        };
        // Two parts that one fact would help have one cause.
        let mut others = causes.iter_mut();
        match others.find(|other| other.lacks_as(&cause)) {
            Some(other) => other.parts.extend(cause.parts),
            None => causes.push(cause),
        }
    }
    let is_reported = diagnostics.iter().any(|it| it.code == Code::NoAgents);
    // Where nobody can act, it is no news that nothing is reached.
    for cause in causes
        .iter()
        .take(if is_reported { 0 } else { MOST_REPORTED })
    {
        reported.fluents.extend(cause.lacking());
        if let Some(repair) = cause.repair() {
            reported.enabled.extend(repairs.enabled_with(repair));
        }
        let diagnostic = report(solver, asts, cause, diagnostics);
        diagnostics.push(diagnostic);
    }
    reported
}

fn report(
    solver: &Solver<'_, '_>,
    asts: &Asts<'_>,
    cause: &Cause<'_>,
    diagnostics: &mut Diagnostics,
) -> Diagnostic {
    let model = solver.model;
    let texts: Vec<&str> = cause.parts.iter().map(|(text, _)| &**text).collect();
    let never = if texts.len() == 1 {
        "never holds"
    } else {
        "never hold"
    };
    let message = format!(
        "the goal can never be reached: {} {never}",
        listed(&texts, "and")
    );
    let mut diagnostic = Diagnostic::new(Code::GoalOutOfReach, message);
    if asts.problem.init.is_empty() {
        let help = "the problem gives no facts: `(:init …)` lists those that hold at first";
        diagnostic = diagnostic.help(help);
    }
    let first = cause.links.first();
    let numbers = first.and_then(|link| link.numbers.as_ref());
    let mut shown = BTreeSet::new();
    for (_, place) in &cause.parts {
        if shown.insert(*place) {
            let label = absorbed(asts.files.problem, *place, diagnostics);
            let label = label.unwrap_or_else(|| match shown.len() {
                1 => because(never.to_owned(), numbers),
                _ => String::new(),
            });
            diagnostic = diagnostic.primary(asts.files.problem, *place, label);
        }
    }
    if cause.is_beside_the_point() {
        return diagnostic.help(with_facts(model, &cause.repairs));
    }
    let mut story = Vec::new();
    let mut before = format!("`{}`", texts[0]);
    for link in &cause.links[1..] {
        let Some((owner, name)) = link.by else {
            // A part of what was named before.
            before = format!("`{}`", link.text);
            continue;
        };
        let place = asts.place_of(owner, link.cond, model, link.variables);
        absorbed(asts.files.domain, place, diagnostics);
        let who = match owner {
            Owner::Action(_) => format!("`{name}`"),
            Owner::Event(_) => format!("the event `{name}`"),
            Owner::Axiom(_) => "its rule".to_owned(),
        };
        let label = format!("{who} needs `{}`, which never holds", link.text);
        let label = because(label, link.numbers.as_ref());
        diagnostic = diagnostic.secondary(asts.files.domain, place, label);
        story.push(format!("{before} takes {who}, which needs `{}`", link.text));
        "that".clone_into(&mut before);
    }
    let Some((last, need)) = cause
        .last()
        .and_then(|last| Some((last, last.need.as_ref()?)))
    else {
        let help = match &cause.end {
            End::Numbers(numbers) if numbers.not_given.is_some() => numbers.help(),
            _ if !cause.repairs.is_empty() => with_facts(model, &cause.repairs),
            _ => "change the goal, or give the objects and facts that it counts on".to_owned(),
        };
        return with_story(diagnostic, &story).help(help);
    };
    let lasts: Vec<&str> = cause.lasts.iter().map(|text| &**text).collect();
    let (ending, help) = match &cause.end {
        End::Nothing => {
            let nothing = nothing(model, need);
            let declared = asts.declared(model, need.fluent);
            let declared = declared.map(|span| (asts.files.domain, span));
            diagnostic = also(
                diagnostic,
                declared,
                format!("{}: {nothing}", listed(&lasts, "and")),
            );
            let ending = if before == "that" {
                nothing.replace(" it ", " that ")
            } else {
                format!("{before}: {nothing}")
            };
            let mut texts = listed(&lasts, "and");
            let mut repairs = cause.repairs.iter();
            let example = repairs.find(|repair| repair.fluent() == need.fluent);
            let is_one_of_several =
                |it: &&Repair| !texts.contains('?') && (!it.is_only || cause.repairs.len() > 1);
            if example.as_ref().is_some_and(is_one_of_several) {
                return with_story(diagnostic, &story).help(with_facts(model, &cause.repairs));
            }
            if let Some(example) = example.filter(|_| texts.contains('?')) {
                let _ = write!(texts, ", such as {},", example.examples());
            }
            (ending, provide(solver, need, &texts))
        }
        End::Circle(name, again) => {
            let again = &cause.links[*again..];
            (
                format!(
                    "{before} takes `{name}`, which needs `{}` again",
                    again[0].text
                ),
                break_circle(model, cause, again, &last.text, name),
            )
        }
        End::Writer(name, Some(text)) => (
            format!("{before} takes `{name}`, which is never possible here"),
            format!(
                "look at the conditions of `{name}`: `{text}` never holds for what those before it \
                 allow"
            ),
        ),
        End::Writer(name, None) => (
            format!("{before} takes `{name}`, which is never possible here"),
            without_object(model, name)
                .unwrap_or_else(|| format!("look at the conditions of `{name}`")),
        ),
        End::Numbers(_) | End::Other => {
            let help = "change the goal, or give the objects and facts that it counts on";
            (String::new(), help.to_owned())
        }
    };
    if !cause.repairs.is_empty() && !matches!(cause.end, End::Nothing) {
        return with_story(diagnostic, &story).help(with_facts(model, &cause.repairs));
    }
    let is_reported = cause.links.len() > 1 || !matches!(cause.end, End::Nothing);
    if is_reported && !ending.is_empty() {
        story.push(ending);
    }
    with_story(diagnostic, &story).help(help)
}

/// That there is no object for a parameter of an action.
fn without_object(model: &Model, action: &str) -> Option<String> {
    let action = model.actions.iter().find(|it| it.name == action)?;
    let mut parameters = action.variables[..action.parameters].iter();
    let empty = parameters.find(|it| model.objects_of(&it.types).is_empty())?;
    let types = empty.types.iter();
    let types: Vec<&str> = types.map(|ty| &*model.types[ty.index()].name).collect();
    Some(format!(
        "give an object of type {}: there is none for `?{}` of `{}`",
        listed(&types, "or"),
        empty.name,
        action.name
    ))
}

/// That the goal could be reached with other facts.
fn with_facts(model: &Model, repairs: &[Repair]) -> String {
    let said = repairs.iter().take(NAMED).map(|repair| {
        let name = &model.fluents[repair.fluent().index()].name;
        if repair.is_only {
            format!("`{}`", repair.text)
        } else {
            format!("another fact of `{name}`, such as {}", repair.examples())
        }
    });
    let said: Vec<String> = said.collect();
    match &said[..] {
        [one] => format!("it could be reached with {one}, in `:init` or `:facts`"),
        all => format!(
            "it could be reached with one of these, in `:init` or `:facts`: {}",
            all.join("; ")
        ),
    }
}

fn because(text: String, why: Option<&Numbers>) -> String {
    match why {
        Some(why) => format!("{text}: {}", why.said),
        None => text,
    }
}

fn with_story(diagnostic: Diagnostic, story: &[String]) -> Diagnostic {
    if story.is_empty() {
        return diagnostic;
    }
    diagnostic.help(story.join("; "))
}

/// Returns advice for breaking a circle of facts that need each other: by one of them at the start, but for what the
/// goal asks for. Likeliest are those of which the problem gives others.
fn break_circle(
    model: &Model,
    cause: &Cause<'_>,
    circle: &[Link<'_>],
    last: &str,
    writer: &str,
) -> String {
    let is_asked = |link: &Link<'_>| cause.parts.iter().any(|(part, _)| *part == link.text);
    let facts = || {
        let facts = circle.iter().filter(|link| !is_asked(link));
        facts.filter_map(|link| Some((link, link.need.as_ref()?)))
    };
    let is_given = |need: &Need| {
        let mut init = model.init.iter();
        init.any(|fact| fact.fluent == need.fluent && fact.value != Value::Boolean(false))
    };
    let mut likely: Vec<&str> = facts()
        .filter(|(_, need)| is_given(need))
        .map(|(link, _)| &*link.text)
        .collect();
    if likely.is_empty() {
        likely = facts().map(|(link, _)| &*link.text).collect();
    }
    if likely.is_empty() {
        return format!("make `{last}` so in another way than by `{writer}`");
    }
    format!(
        "give {} in `:init`, or add another way to make {} so",
        listed(&likely, "or"),
        if likely.len() == 1 {
            "it"
        } else {
            "one of them"
        }
    )
}

/// `a`, `b` and 2 more.
fn listed(texts: &[&str], word: &str) -> String {
    let named: Vec<String> = texts
        .iter()
        .take(NAMED)
        .map(|text| format!("`{text}`"))
        .collect();
    match (texts.len(), &named[..]) {
        (count, _) if count > NAMED => {
            format!("{} {word} {} more", named.join(", "), count - NAMED)
        }
        (_, [first @ .., last]) if !first.is_empty() => {
            format!("{} {word} {last}", first.join(", "))
        }
        _ => named.concat(),
    }
}

/// Takes out the report that ranges decide the comparison at a place, and says what that said.
fn absorbed(source: SourceId, place: Span, diagnostics: &mut Diagnostics) -> Option<String> {
    let mut text = None;
    diagnostics.retain(|diagnostic| {
        let is_this = diagnostic.code == Code::ComparisonDecided
            && diagnostic
                .place()
                .is_some_and(|label| label.source == source && label.span == place);
        if is_this {
            text = diagnostic.place().map(|label| label.text.clone());
        }
        !is_this
    });
    text
}

/// Adds a place, unless it has nothing to show.
fn also(diagnostic: Diagnostic, place: Option<(SourceId, Span)>, text: String) -> Diagnostic {
    match place {
        Some((source, span)) => diagnostic.secondary(source, span, text),
        None => diagnostic,
    }
}
