//! The sections of domains and problems.

use super::super::ast::{
    Action, ActionKind, Derived, Domain, Effect, Event, FluentDecl, Formula, InitItem, LabelClause,
    LiveEffects, LiveEffectsKept, MustAct, Name, Nature, Observers, Private, Problem, Stream,
    TimePoint, TurnMode, Turns, Typed, WaitLimit,
};
use super::super::layout::{Doc, Layout};
use super::expressions::{
    aligned, application, bindings_doc, effect_doc, field, formula_doc, headed, keyword,
    print_type, template_doc, term_doc, typed_groups, variables,
};
use super::layout::layout_docs;

/// The section that says how things are drawn.
pub(super) const LAYOUT: &str = "layout";

/// A section, and whether a blank line stands before it.
pub(super) struct Section {
    /// Its keyword, and the name of what it defines alone.
    pub(super) name: String,
    pub(super) doc: Doc,
    pub(super) apart: bool,
}

/// A section that follows the one before without a blank line.
fn close(name: impl Into<String>, doc: Doc) -> Section {
    Section {
        name: name.into(),
        doc,
        apart: false,
    }
}

fn apart(name: impl Into<String>, doc: Doc) -> Section {
    Section {
        apart: true,
        ..close(name, doc)
    }
}

/// `(:key item …)` on one line if it fits.
fn section(key: &str, items: impl IntoIterator<Item = Doc>, layout: Layout) -> Section {
    let items = std::iter::once(keyword(key)).chain(items);
    close(key, Doc::list(items.collect(), layout))
}

/// `(:key item …)`, each of several items on a line of its own; nothing if there is none.
fn lines(key: &str, items: Vec<Doc>) -> Option<Section> {
    let layout = Layout::section(items.len());
    (!items.is_empty()).then(|| section(key, items, layout))
}

fn words<'a>(names: impl IntoIterator<Item = &'a Name>) -> Vec<Doc> {
    let names = names.into_iter();
    names.map(|name| Doc::word(&*name.text)).collect()
}

fn requirements(names: &[Name]) -> Option<Section> {
    let names: Vec<Doc> = names.iter().map(|name| keyword(&name.text)).collect();
    (!names.is_empty()).then(|| section("requirements", names, Layout::Fill))
}

pub(super) fn domain_sections(domain: &Domain) -> Vec<Section> {
    let mut sections = Vec::new();
    sections.extend(requirements(&domain.requirements));
    if !domain.semantics.is_empty() {
        sections.push(section("semantics", words(&domain.semantics), Layout::Fill));
    }
    sections.extend(domain.turns.as_ref().map(turns));
    sections.extend(domain.waits.iter().map(wait_limit));
    sections.extend(domain.must_act.iter().map(must_act));
    sections.extend(domain.nature.iter().map(nature));
    sections.extend(domain.live_effects.iter().map(live_effects));
    if let Some((phases, _)) = &domain.tick {
        sections.push(section("tick", words(phases), Layout::Fill));
    }
    sections.extend(lines("types", typed_groups(&domain.types, "")));
    let constants = objects(&domain.constants, &domain.private_constants);
    sections.extend(lines("constants", constants));
    sections.extend(fluents(&domain.fluents, &domain.private_fluents));
    let facts = domain.facts.iter().map(init_doc);
    sections.extend(lines("facts", facts.collect()));
    sections.extend(domain.derived.iter().map(derived));
    sections.extend(domain.actions.iter().map(action));
    sections.extend(domain.events.iter().map(event));
    let fail = domain.fail.iter();
    sections.extend(fail.map(|fail| apart("fail", closing("fail", fail))));
    let end = domain.end.iter();
    sections.extend(end.map(|end| apart("end", closing("end", end))));
    let layout = lines(LAYOUT, layout_docs(&domain.layout));
    sections.extend(layout.map(|layout| Section {
        apart: true,
        ..layout
    }));
    sections
}

pub(super) fn problem_sections(problem: &Problem) -> Vec<Section> {
    let mut sections = Vec::new();
    if let Some(name) = &problem.domain {
        sections.push(section("domain", [Doc::word(&*name.text)], Layout::Inline));
    }
    sections.extend(requirements(&problem.requirements));
    let objects = objects(&problem.objects, &problem.private_objects);
    sections.extend(lines("objects", objects));
    let init = problem.init.iter().map(init_doc);
    sections.extend(lines("init", init.collect()));
    if let Some(goal) = &problem.goal {
        let text = problem.goal_text.iter();
        let text = text.map(|text| field("text", template_doc(text)));
        let items = std::iter::once(formula_doc(goal)).chain(text);
        sections.push(section("goal", items, Layout::Body(1)));
    }
    if let Some(metric) = &problem.metric {
        let direction = if metric.maximize {
            "maximize"
        } else {
            "minimize"
        };
        let items = [Doc::word(direction), term_doc(&metric.value)];
        sections.push(section("metric", items, Layout::Body(2)));
    }
    let fail = problem.fail.iter();
    sections.extend(fail.map(|fail| close("fail", closing("fail", fail))));
    let end = problem.end.iter();
    sections.extend(end.map(|end| close("end", closing("end", end))));
    if let Some((ticks, _)) = problem.horizon {
        sections.push(section(
            "horizon",
            [Doc::word(ticks.to_string())],
            Layout::Inline,
        ));
    }
    sections.extend(lines(LAYOUT, layout_docs(&problem.layout)));
    sections
}

pub(super) fn stream_sections(stream: &Stream) -> Vec<Section> {
    let mut sections = Vec::new();
    for (key, name) in [("domain", &stream.domain), ("problem", &stream.problem)] {
        let name = name.iter().map(|name| Doc::word(&*name.text));
        sections.extend(name.map(|name| section(key, [name], Layout::Inline)));
    }
    sections.extend(requirements(&stream.requirements));
    let objects = objects(&stream.objects, &stream.private_objects);
    sections.extend(lines("objects", objects));
    sections.extend(lines("init", stream.init.iter().map(init_doc).collect()));
    sections
}

/// Objects, those that are private in blocks.
fn objects(all: &[Typed], private: &[Private]) -> Vec<Doc> {
    let mut docs = Vec::new();
    let mut at = 0;
    for block in private {
        let (Some(before), Some(within)) =
            (all.get(at..block.from), all.get(block.from..block.until))
        else {
            break;
        };
        docs.extend(typed_groups(before, ""));
        // An agent stands before the first of them, as if it were of that type.
        let agent = block.agent.iter().map(|agent| Typed {
            name: agent.name.clone(),
            ty: within.first().and_then(|typed| typed.ty.clone()),
        });
        let within: Vec<Typed> = agent.chain(within.iter().cloned()).collect();
        docs.push(private_block(typed_groups(&within, ""), 1));
        at = block.until;
    }
    docs.extend(typed_groups(&all[at..], ""));
    docs
}

/// `(:private …)`, so much of it on the first line.
fn private_block(items: Vec<Doc>, first: usize) -> Doc {
    let items = std::iter::once(keyword("private")).chain(items);
    Doc::list(items.collect(), Layout::Body(first))
}

/// A condition on which an episode ends.
fn closing(key: &str, formula: &Formula) -> Doc {
    Doc::list(vec![keyword(key), formula_doc(formula)], Layout::Body(1))
}

fn turns(turns: &Turns) -> Section {
    let mode = match turns.mode {
        TurnMode::Sequential => "sequential",
        TurnMode::Simultaneous => "simultaneous",
        TurnMode::Alternate => "alternate",
    };
    let mut items = vec![Doc::word(mode)];
    if turns.any_order {
        items.push(field("order", Doc::word("any")));
    }
    section("turns", items, Layout::Inline)
}

fn wait_limit(limit: &WaitLimit) -> Section {
    let mut items = vec![field("most", Doc::word(limit.most.to_string()))];
    let semantics = limit.semantics.iter();
    items.extend(semantics.map(|name| field("semantics", Doc::word(&*name.text))));
    section("wait", items, Layout::Inline)
}

fn must_act(agents: &MustAct) -> Section {
    let words = ["none", "-", &agents.ty.text];
    section("wait", words.map(Doc::word), Layout::Inline)
}

fn nature(agents: &Nature) -> Section {
    let words = [&agents.ty.text, "nature"];
    section("role", words.map(Doc::word), Layout::Inline)
}

fn live_effects(kept: &LiveEffectsKept) -> Section {
    let kind = match kept.kind {
        LiveEffects::Set => "set",
        LiveEffects::List => "list",
        LiveEffects::ListSkipping => "list-skipping",
    };
    let mut items = vec![Doc::word(kind)];
    let semantics = kept.semantics.iter();
    items.extend(semantics.map(|name| field("semantics", Doc::word(&*name.text))));
    section("live-effects", items, Layout::Inline)
}

/// Predicates, functions and transient fluents, in the order in which they first appear: each
/// kind is one section.
fn fluents(fluents: &[FluentDecl], private: &[Private]) -> Vec<Section> {
    let kind = |fluent: &FluentDecl| match (fluent.transient, &fluent.range) {
        (true, _) => "transient",
        (false, None) => "predicates",
        (false, Some(_)) => "functions",
    };
    let mut kinds: Vec<&str> = Vec::new();
    for fluent in fluents {
        if !kinds.contains(&kind(fluent)) {
            kinds.push(kind(fluent));
        }
    }
    let sections = kinds.into_iter().filter_map(|key| {
        let of_kind = |fluents: &[FluentDecl]| -> Vec<Doc> {
            let fluents = fluents.iter().filter(|fluent| kind(fluent) == key);
            fluents.map(fluent_doc).collect()
        };
        let mut docs = Vec::new();
        let mut at = 0;
        for block in private {
            let (Some(before), Some(within)) = (
                fluents.get(at..block.from),
                fluents.get(block.from..block.until),
            ) else {
                break;
            };
            docs.extend(of_kind(before));
            let within = of_kind(within);
            if !within.is_empty() {
                let agent = typed_groups(block.agent.as_slice(), "?");
                let first = 1 + agent.len();
                docs.push(private_block(
                    agent.into_iter().chain(within).collect(),
                    first,
                ));
            }
            at = block.until;
        }
        docs.extend(of_kind(&fluents[at..]));
        lines(key, docs)
    });
    sections.collect()
}

fn observers_doc(observers: &Observers) -> Doc {
    let viewer = typed_groups(std::slice::from_ref(&observers.viewer), "?");
    let viewer = Doc::list(viewer, Layout::Inline);
    let items = vec![viewer, formula_doc(&observers.condition)];
    field("observable-by", Doc::row(items, Layout::Inline))
}

fn fluent_doc(fluent: &FluentDecl) -> Doc {
    let signature = if fluent.texts.is_empty() && fluent.observers.is_none() {
        signature(&fluent.name, &fluent.params)
    } else {
        let mut items = typed_groups(&fluent.params, "?");
        let first = items.len() + 1;
        items.extend(fluent.texts.iter().map(|text| {
            let of = text.of.iter().map(|of| Doc::word(format!("?{}", of.text)));
            let items = of.chain([template_doc(&text.text)]);
            field("text", Doc::row(items.collect(), Layout::Inline))
        }));
        items.extend(fluent.observers.iter().map(observers_doc));
        headed(&fluent.name.text, items, Layout::Body(first))
    };
    match &fluent.range {
        Some(range) => {
            let ty = Doc::word(format!("- {}", print_type(range)));
            Doc::row(vec![signature, ty], Layout::Inline)
        }
        None => signature,
    }
}

fn signature(name: &Name, params: &[Typed]) -> Doc {
    headed(&name.text, typed_groups(params, "?"), Layout::Fill)
}

fn derived(derived: &Derived) -> Section {
    let items = vec![
        keyword("derived"),
        signature(&derived.name, &derived.params),
        formula_doc(&derived.body),
    ];
    let name = format!("derived {}", derived.name.text);
    apart(name, Doc::list(items, Layout::Body(2)))
}

/// `(:key name field …)`, each field on a line of its own.
fn fields(kind: &str, key: &str, name: &Name, fields: Vec<Doc>) -> Section {
    let head = [keyword(key), Doc::word(&*name.text)];
    let items = head.into_iter().chain(fields).collect();
    let name = format!("{kind} {}", name.text);
    apart(name, Doc::list(items, Layout::Lines(2)))
}

fn action(action: &Action) -> Section {
    let (key, effect_key) = match action.kind {
        ActionKind::Instant | ActionKind::Primitive => ("action", "effect"),
        ActionKind::Durative => ("durative-action", "effect"),
        ActionKind::Option => ("option", "policy"),
    };
    let mut items = Vec::new();
    if let Some(agent) = &action.agent {
        let agent = typed_groups(std::slice::from_ref(agent), "?");
        items.push(field("agent", Doc::row(agent, Layout::Inline)));
    }
    if !action.parameters.is_empty() {
        items.push(field("parameters", variables(&action.parameters)));
    }
    if let Some(duration) = &action.duration {
        let equal = aligned("=", [Doc::word("?duration"), term_doc(duration)]);
        items.push(field("duration", equal));
    }
    let precondition = action.precondition.iter();
    items.extend(precondition.map(|formula| field("precondition", formula_doc(formula))));
    let weight = action.weight.iter();
    items.extend(weight.map(|weight| field("weight", term_doc(weight))));
    if !action.conditions.is_empty() {
        let conditions = action.conditions.iter();
        let conditions = conditions.map(|(time, formula)| timed(*time, formula_doc(formula)));
        items.push(field("condition", joined(conditions.collect())));
    }
    if !action.lets.is_empty() {
        items.push(field("let", bindings_doc(&action.lets)));
    }
    let effect = action.effect.iter();
    items.extend(effect.map(|effect| field(effect_key, effect_doc(effect))));
    if !action.effects.is_empty() {
        let effects = action.effects.iter();
        let effects = effects.map(|(time, effect)| timed(*time, effect_doc(effect)));
        items.push(field("effect", joined(effects.collect())));
    }
    let until = action.until.iter();
    items.extend(until.map(|formula| field("until", formula_doc(formula))));
    let otherwise = action.otherwise.iter();
    items.extend(otherwise.map(|effect| field("else", effect_doc(effect))));
    items.extend(action.label.as_ref().map(|label| match label {
        LabelClause::None(_) => field("label", Doc::word("none")),
        LabelClause::Text(template) => field("label", template_doc(template)),
    }));
    let text = action.text.iter();
    items.extend(text.map(|template| field("text", template_doc(template))));
    items.extend(action.observers.iter().map(observers_doc));
    if action.kind == ActionKind::Primitive {
        items.push(keyword("primitive"));
    }
    fields("action", key, &action.name, items)
}

fn timed(time: TimePoint, doc: Doc) -> Doc {
    let (head, point) = match time {
        TimePoint::AtStart => ("at", "start"),
        TimePoint::OverAll => ("over", "all"),
        TimePoint::AtEnd => ("at", "end"),
    };
    headed(head, [Doc::word(point), doc], Layout::Inline)
}

/// One doc alone, several in an `and`.
fn joined(mut docs: Vec<Doc>) -> Doc {
    match docs.pop() {
        Some(doc) if docs.is_empty() => doc,
        last => aligned("and", docs.into_iter().chain(last)),
    }
}

fn event(event: &Event) -> Section {
    let mut items = Vec::new();
    if !event.parameters.is_empty() {
        items.push(field("parameters", variables(&event.parameters)));
    }
    let precondition: Option<&Formula> = event.precondition.as_ref();
    items.extend(precondition.map(|formula| field("precondition", formula_doc(formula))));
    let effect: Option<&Effect> = event.effect.as_ref();
    items.extend(effect.map(|effect| field("effect", effect_doc(effect))));
    fields("event", "event", &event.name, items)
}

fn init_doc(item: &InitItem) -> Doc {
    match item {
        InitItem::Atom(name, terms, _) => application(name, terms),
        InitItem::NotAtom(name, terms, _) => aligned("not", [application(name, terms)]),
        InitItem::Value(left, right, _) => aligned("=", [term_doc(left), term_doc(right)]),
        InitItem::Timed(time, item, _) => {
            let marks = [(time.early, "early"), (time.unannounced, "unannounced")];
            let marks = marks.into_iter().filter(|(is_set, _)| *is_set);
            let marks = marks.map(|(_, key)| keyword(key));
            let parts = std::iter::once(Doc::word(time.tick.to_string())).chain(marks);
            headed("at", parts.chain([init_doc(item)]), Layout::Inline)
        }
    }
}
