//! JSON → schema: the files of Robotouille with everything that is malformed reported.

use std::collections::{BTreeMap, BTreeSet};

use super::effects::{DELAY, REPETITIONS};
use super::schema::{
    ActionDef, Count, DomainFile, Entity, EnvironmentFile, FIELDS, GoalLiteral, Kind, Literal,
    PredicateDef, Special,
};
use super::symbols::params;
use crate::fields::{Fields, Reporter};
use crate::json::{Json, Text};
use brigade_diagnostics::{Code, suggest};

/// The kinds of special effects by their names.
const KINDS: [&str; 6] = [
    "conditional",
    "delayed",
    "repetitive",
    "creation",
    "deletion",
    "parametrized_deletion",
];

/// Reads a domain. What is malformed is reported and left out.
pub(super) fn domain(json: &Json, reporter: &mut Reporter<'_>) -> Option<DomainFile> {
    let fields = reporter.fields(json, "a domain")?;
    let mut domain = DomainFile {
        span: json.span,
        ..DomainFile::default()
    };
    if let Some(name) = fields.required(reporter, "name") {
        domain.name = reporter.name(name, "the name of a domain");
    }
    if let Some(types) = fields.required(reporter, "object_types") {
        domain.types = reporter.names(types, "a list of types");
    }
    for def in items(&fields, reporter, "predicate_defs") {
        domain.predicates.extend(predicate(def, reporter));
    }
    for def in actions(&fields, reporter) {
        domain.actions.extend(action(def, reporter));
    }
    fields.finish(reporter, &["version", "input_json"]);
    Some(domain)
}

/// The actions. A later branch parts those of players from those of characters that act by themselves.
fn actions<'j>(fields: &Fields<'j>, reporter: &mut Reporter<'_>) -> &'j [Json] {
    if let Some(json) = fields.optional("npc_action_defs") {
        let acts = reporter.list(json, "`npc_action_defs`").first();
        if let Some(first) = acts {
            let message = "what characters do by themselves has no exact form in the language";
            let diagnostic = reporter.at(Code::NoExactForm, first.span, message, "not supported");
            reporter.push(diagnostic.help("leave these out: only players act"));
        }
    }
    match fields.optional("player_action_defs") {
        Some(json) => reporter.list(json, "`player_action_defs`"),
        None => items(fields, reporter, "action_defs"),
    }
}

/// The items of a list that must be there.
fn items<'j>(fields: &Fields<'j>, reporter: &mut Reporter<'_>, key: &'static str) -> &'j [Json] {
    match fields.required(reporter, key) {
        Some(json) => reporter.list(json, &format!("`{key}`")),
        None => &[],
    }
}

fn predicate(json: &Json, reporter: &mut Reporter<'_>) -> Option<PredicateDef> {
    let fields = reporter.fields(json, "a predicate")?;
    let name = fields.name(reporter, "name", "the name of a predicate");
    let params = fields.names(reporter, "param_types", "a list of types");
    let texts = match fields.required(reporter, "language_descriptors") {
        Some(json) => descriptors(json, params.as_deref(), reporter),
        None => BTreeMap::new(),
    };
    fields.finish(reporter, &[]);
    Some(PredicateDef {
        name: name?,
        params: params?,
        texts,
        span: json.span,
    })
}

/// The texts of a predicate about each of its arguments, by their numbers. Of two texts for one argument the last
/// counts, as for Python's reader.
fn descriptors(
    json: &Json,
    params: Option<&[Text]>,
    reporter: &mut Reporter<'_>,
) -> BTreeMap<usize, Text> {
    let mut texts = BTreeMap::new();
    for (key, json) in reporter.entries(json, "`language_descriptors`") {
        let number: Option<usize> = key.text.parse().ok();
        let is_known = number.is_some_and(|at| params.is_none_or(|params| at < params.len()));
        let text = reporter.text(json, "a descriptor");
        match (number.filter(|_| is_known), text) {
            (Some(number), Some(text)) => {
                let count = params.map_or(usize::MAX, <[Text]>::len);
                let is_argument = |slot: &str| slot.parse().is_ok_and(|at: usize| at < count);
                unknown_slots(
                    &text,
                    is_argument,
                    "its arguments are `{0}`, `{1}`, …",
                    reporter,
                );
                texts.insert(number, text);
            }
            (None, _) => {
                let message = format!("there is no argument `{}`", key.text.escape_debug());
                let diagnostic = reporter.at(Code::UnknownKey, key.span, message, "never told");
                let help = "the arguments of a predicate are counted from 0";
                reporter.push(diagnostic.help(help));
            }
            (Some(_), None) => {}
        }
    }
    texts
}

/// Reports what stands in braces in a text and is no slot.
fn unknown_slots(
    text: &Text,
    is_known: impl Fn(&str) -> bool,
    help: &str,
    reporter: &mut Reporter<'_>,
) {
    let braces = text.text.split('{').skip(1);
    let slots = braces.filter_map(|rest| Some(rest.split_once('}')?.0));
    for slot in slots.filter(|slot| !is_known(slot)) {
        let message = format!("`{{{}}}` is no parameter", slot.escape_debug());
        let diagnostic = reporter.at(Code::UnknownSlot, text.span, message, "told as it stands");
        reporter.push(diagnostic.help(help));
    }
}

fn action(json: &Json, reporter: &mut Reporter<'_>) -> Option<ActionDef> {
    let errors = reporter.error_count();
    let fields = reporter.fields(json, "an action")?;
    let name = fields.name(reporter, "name", "the name of an action");
    let preconditions = literals(&fields, reporter, "precons");
    let effects = literals(&fields, reporter, "immediate_fx");
    let special = specials(&fields, reporter);
    let description = fields
        .required(reporter, "language_description")
        .and_then(|text| reporter.text(text, "a description"));
    fields.finish(reporter, &[]);
    let is_whole = reporter.error_count() == errors;
    let def = ActionDef {
        name: name?,
        preconditions,
        effects,
        special,
        description: description?,
        span: json.span,
    };
    if is_whole {
        let is_known = |slot: &str| params(&def).any(|param| param == slot);
        let help = "a slot is the name of a parameter in braces";
        unknown_slots(&def.description, is_known, help, reporter);
    }
    Some(def)
}

/// The literals of a list. Of those that are equal but for their truth the last counts, in the place
/// of the first, as in the dictionary that the published loader makes of them.
fn literals(fields: &Fields<'_>, reporter: &mut Reporter<'_>, key: &'static str) -> Vec<Literal> {
    let mut result: Vec<Literal> = Vec::new();
    let mut places: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for item in items(fields, reporter, key) {
        let Some(read) = literal(item, reporter) else {
            continue;
        };
        let names = std::iter::once(&read.predicate).chain(&read.params);
        let atom: Vec<String> = names.map(|name| name.text.clone()).collect();
        let index = *places.entry(atom).or_insert(result.len());
        let Some(first) = result.get_mut(index) else {
            result.push(read);
            continue;
        };
        let message = format!(
            "`{}` of the same parameters stands twice",
            read.predicate.text
        );
        let label = "only its truth counts, in the place of the first";
        let diagnostic = reporter.at(Code::RepeatedLiteral, read.span, message, label);
        let diagnostic = reporter.also(diagnostic, first.span, "the first");
        reporter.push(diagnostic);
        first.is_true = read.is_true;
    }
    result
}

fn literal(json: &Json, reporter: &mut Reporter<'_>) -> Option<Literal> {
    let fields = reporter.fields(json, "a literal")?;
    let predicate = fields.name(reporter, "predicate", "a predicate");
    let params = fields.names(reporter, "params", "a list of parameters");
    let is_true = fields
        .required(reporter, "is_true")
        .and_then(|truth| reporter.boolean(truth, "`is_true`"));
    fields.finish(reporter, &[]);
    Some(Literal {
        predicate: predicate?,
        params: params?,
        is_true: is_true?,
        span: json.span,
    })
}

/// The special effects of a list. Their depth is bounded by that of the JSON.
fn specials(fields: &Fields<'_>, reporter: &mut Reporter<'_>) -> Vec<Special> {
    let items = items(fields, reporter, "sfx").iter().enumerate();
    items
        .filter_map(|(at, item)| special(item, at == 0, reporter))
        .collect()
}

fn special(json: &Json, is_first: bool, reporter: &mut Reporter<'_>) -> Option<Special> {
    let fields = reporter.fields(json, "a special effect")?;
    let sort = fields
        .required(reporter, "type")
        .and_then(|sort| reporter.text(sort, "the type of a special effect"));
    let param = fields.name(reporter, "param", "a parameter");
    let effects = literals(&fields, reporter, "fx");
    let nested = specials(&fields, reporter);
    let kind = sort.and_then(|sort| kind(&sort, is_first, &fields, reporter));
    if !matches!(kind, None | Some(Kind::Unknown)) {
        fields.finish(reporter, &[]);
    }
    Some(Special {
        kind: kind?,
        param: param?,
        effects,
        nested,
        span: json.span,
    })
}

fn kind(
    sort: &Text,
    is_first: bool,
    fields: &Fields<'_>,
    reporter: &mut Reporter<'_>,
) -> Option<Kind> {
    match sort.text.as_str() {
        "conditional" => Some(Kind::Conditional(literals(fields, reporter, "conditions"))),
        "delayed" => count(sort, fields, reporter, "goal_time", DELAY).map(Kind::Delayed),
        "repetitive" => {
            count(sort, fields, reporter, "goal_repetitions", REPETITIONS).map(Kind::Repetitive)
        }
        "deletion" => Some(Kind::Deletion),
        "parametrized_deletion" => {
            fields.optional("predicate");
            Some(Kind::Deletion)
        }
        "creation" => {
            let created = fields.required(reporter, "created_obj")?;
            let created = reporter.fields(created, "`created_obj`")?;
            let mut part = |key: &'static str, what: &str| {
                let json = created.required(reporter, key)?;
                reporter.name(json, what)
            };
            let name = part("name", "the name of what is created");
            let of = part("type", "the type of what is created");
            let param = part("param", "a parameter");
            created.finish(reporter, &[]);
            Some(Kind::Creation {
                name: name?,
                of: of?,
                param: param?,
            })
        }
        _ => unknown_kind(sort, is_first, reporter),
    }
}

/// Reports a kind that there is not. The published loader fails on the first effect of a list, and in
/// place of any other takes the one before once more.
fn unknown_kind(sort: &Text, is_first: bool, reporter: &mut Reporter<'_>) -> Option<Kind> {
    let (code, label, kind) = if is_first {
        let label = "the published loader fails here";
        (Code::UnknownSpecialEffect, label, None)
    } else {
        let label = "the published loader takes the effect before this one once more";
        (Code::RepeatedSpecialEffect, label, Some(Kind::Unknown))
    };
    let message = format!(
        "there is no kind of special effect `{}`",
        sort.text.escape_debug()
    );
    let mut diagnostic = reporter.at(code, sort.span, message, label);
    if let Some(near) = suggest(&sort.text, KINDS) {
        diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
    }
    reporter.push(diagnostic);
    kind
}

/// The time or count of a special effect: that of a key, or else the published one.
fn count(
    sort: &Text,
    fields: &Fields<'_>,
    reporter: &mut Reporter<'_>,
    key: &'static str,
    published: i64,
) -> Option<Count> {
    let Some(json) = fields.optional(key) else {
        return Some(Count {
            number: published,
            span: sort.span,
        });
    };
    let number = reporter.integer(json, &format!("`{key}`"))?;
    if number < 1 {
        let message = format!("`{key}` must be at least 1");
        let diagnostic = reporter.at(Code::WrongJsonValue, json.span, message, "too small");
        reporter.push(diagnostic);
        return None;
    }
    Some(Count {
        number,
        span: json.span,
    })
}

/// Reads an environment; `types` are those of its domain. What is malformed is reported and left out.
pub(super) fn environment(
    json: &Json,
    types: &[Text],
    reporter: &mut Reporter<'_>,
) -> Option<EnvironmentFile> {
    let errors = reporter.error_count();
    let fields = reporter.fields(json, "an environment")?;
    let mut environment = EnvironmentFile {
        span: json.span,
        ..EnvironmentFile::default()
    };
    for (index, (key, what)) in FIELDS.into_iter().enumerate() {
        let list = match key {
            "stations" | "players" => fields.required(reporter, key),
            _ => fields.optional(key),
        };
        let Some(list) = list else { continue };
        for item in reporter.list(list, &format!("`{key}`")) {
            let entity = entity(item, what, reporter);
            environment.entities[index].extend(entity);
        }
    }
    let others = types.iter().map(|of| format!("{}s", of.text));
    let others: BTreeSet<String> = others
        .filter(|key| FIELDS.iter().all(|(known, _)| known != key))
        .collect();
    for (key, list) in fields.among(&others) {
        let of = key.text.strip_suffix('s').unwrap_or(&key.text);
        let list = reporter.list(list, &format!("`{}`", key.text)).iter();
        let entities = list.filter_map(|item| entity(item, "an entity", reporter));
        let entities = entities.collect();
        environment.others.push((of.to_owned(), entities));
    }
    environment.has_all_entities = reporter.error_count() == errors;
    if let Some(goal) = fields.required(reporter, "goal") {
        environment.goal_span = goal.span;
        let errors = reporter.error_count();
        for item in reporter.list(goal, "`goal`") {
            environment.goal.extend(goal_literal(item, reporter));
        }
        environment.has_whole_goal = reporter.error_count() == errors;
    }
    if let Some(text) = fields.optional("goal_description") {
        environment.goal_text = reporter.text(text, "a description");
    }
    let ignored = ["version", "width", "height", "config", "ground", "flooring"];
    fields.finish(reporter, &ignored);
    Some(environment)
}

fn entity(json: &Json, what: &'static str, reporter: &mut Reporter<'_>) -> Option<Entity> {
    let fields = reporter.fields(json, what)?;
    let name = fields.name(reporter, "name", "the name of an entity");
    let mut coordinate = |key: &'static str| {
        let json = fields.required(reporter, key)?;
        reporter.integer(json, "a coordinate")
    };
    let (x, y) = (coordinate("x"), coordinate("y"));
    let id = fields.optional("id");
    let id = id.and_then(|id| reporter.id(id, "an id"));
    let predicates = fields
        .optional("predicates")
        .map(|names| reporter.names(names, "a list of predicates"));
    let stack_level = fields.optional("stack-level");
    let stack_level = stack_level.and_then(|level| reporter.integer(level, "a level"));
    let direction = if what == "player" {
        let direction = fields.required(reporter, "direction");
        direction.and_then(|direction| self::direction(direction, reporter))
    } else {
        Some((0, 0))
    };
    fields.finish(reporter, &["force_add", "meal_id"]);
    Some(Entity {
        name: name?,
        x: x?,
        y: y?,
        id,
        predicates: predicates.unwrap_or_default(),
        stack_level,
        direction: direction?,
        span: json.span,
    })
}

fn direction(json: &Json, reporter: &mut Reporter<'_>) -> Option<(i64, i64)> {
    let items = reporter.list(json, "a direction").iter();
    let parts: Option<Vec<i64>> = items
        .map(|item| reporter.integer(item, "a part of a direction"))
        .collect();
    if let [dx, dy] = parts?[..] {
        return Some((dx, dy));
    }
    let message = "a direction is a list of two numbers";
    let diagnostic = reporter.at(Code::WrongJsonValue, json.span, message, "not two");
    reporter.push(diagnostic);
    None
}

fn goal_literal(json: &Json, reporter: &mut Reporter<'_>) -> Option<GoalLiteral> {
    let errors = reporter.error_count();
    let fields = reporter.fields(json, "a part of the goal")?;
    let predicate = fields.name(reporter, "predicate", "a predicate");
    let args = fields.names(reporter, "args", "a list of names");
    let ids = fields.required(reporter, "ids").map(|ids| {
        let items = reporter.list(ids, "`ids`").iter();
        let ids = items.filter_map(|id| reporter.id(id, "an id"));
        ids.collect::<Vec<_>>()
    });
    fields.finish(reporter, &[]);
    let (predicate, args, ids) = (predicate?, args?, ids?);
    if reporter.error_count() > errors {
        return None;
    }
    if args.len() != ids.len() {
        let message = format!(
            "{} names and {} ids do not go together",
            args.len(),
            ids.len()
        );
        let diagnostic = reporter.at(Code::WrongJsonValue, json.span, message, "");
        reporter.push(diagnostic.help("give one id for each argument"));
        return None;
    }
    Some(GoalLiteral {
        predicate,
        args,
        ids,
        span: json.span,
    })
}
