//! Random ASTs of every construct. They are well formed, but make no sense.

use brigade::diagnostics::span::Span;
use brigade::syntax::ast::{
    Action, ActionKind, Application, ArgTerm, Arithmetic, AssignOp, Cell, Comparison, CountTerm,
    DelayGuard, Derived, Domain, Drawing, Drawn, Effect, Event, FluentDecl, FluentText, Formula,
    InitItem, LabelClause, LayoutItem, LiveEffects, LiveEffectsKept, Metric, MustAct, Name, Nature,
    Observers, Problem, Template, TemplatePart, Term, Time, TimePoint, TurnMode, Turns, TypeExpr,
    Typed, WaitLimit,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

const NOWHERE: Span = Span::new(0, 0);

/// Every requirement that enables a construct.
const REQUIREMENTS: [&str; 11] = [
    "multi-agent",
    "delayed-effects",
    "sequential-effects",
    "events",
    "options",
    "bounded-numbers",
    "aggregates",
    "horizon",
    "text",
    "partial-observability",
    "nature",
];

fn name() -> impl Strategy<Value = Name> {
    let words = vec![
        "a", "hob-1", "Cook", "tomato_2", "at", "x.y", "b*", "9lives", "#1", "start", "f-0-",
    ];
    select(words).prop_map(|text| Name {
        text: text.into(),
        span: NOWHERE,
    })
}

fn type_expr() -> impl Strategy<Value = TypeExpr> {
    prop_oneof![
        4 => name().prop_map(TypeExpr::Named),
        1 => vec(name(), 1..3).prop_map(|names| TypeExpr::Either(names, NOWHERE)),
        1 => (-50_i64..50, 0_i64..50).prop_map(|(lo, more)| TypeExpr::Int {
            lo,
            hi: lo + more,
            span: NOWHERE
        }),
        1 => Just(TypeExpr::Number(NOWHERE)),
    ]
}

/// Entries without a type can only stand at the end.
fn typed_list(most: usize) -> impl Strategy<Value = Vec<Typed>> {
    let typed = vec((name(), type_expr().prop_map(Some)), 0..=most);
    let untyped = vec((name(), Just(None)), 0..=most / 2);
    (typed, untyped).prop_map(|(typed, untyped)| {
        let all = typed.into_iter().chain(untyped);
        all.map(|(name, ty)| Typed { name, ty }).collect()
    })
}

fn one_typed() -> impl Strategy<Value = Typed> {
    (name(), option::of(type_expr())).prop_map(|(name, ty)| Typed { name, ty })
}

fn leaf_term() -> impl Strategy<Value = Term> {
    prop_oneof![
        name().prop_map(Term::Name),
        name().prop_map(Term::Variable),
        (-5_000_000_i64..5_000_000).prop_map(|n| Term::Number(n, NOWHERE)),
    ]
}

fn application(name: Name, args: Vec<Term>) -> Term {
    Term::Apply(Box::new(Application {
        name,
        args,
        span: NOWHERE,
    }))
}

fn plain_term() -> impl Strategy<Value = Term> {
    leaf_term().prop_recursive(2, 6, 2, |inner| {
        (name(), vec(inner, 0..3)).prop_map(|(name, terms)| application(name, terms))
    })
}

fn arithmetic(inner: impl Strategy<Value = Term> + Clone) -> impl Strategy<Value = Term> {
    let any = select(vec![Arithmetic::Add, Arithmetic::Multiply]);
    let two = select(vec![Arithmetic::Subtract, Arithmetic::Divide]);
    let some = select(vec![Arithmetic::Min, Arithmetic::Max]);
    let one = select(vec![Arithmetic::Abs, Arithmetic::Subtract]);
    let make =
        |(operator, terms): (_, Vec<Term>)| Term::Arithmetic(operator, terms.into(), NOWHERE);
    prop_oneof![
        (any, vec(inner.clone(), 2..4)).prop_map(make),
        (two, vec(inner.clone(), 2)).prop_map(make),
        (some, vec(inner.clone(), 1..4)).prop_map(make),
        (one, vec(inner, 1)).prop_map(make),
    ]
}

fn term() -> impl Strategy<Value = Term> {
    let flat = || vec(plain_term(), 0..3);
    let atom = || (name(), flat()).prop_map(|(name, terms)| Formula::Atom(name, terms, NOWHERE));
    let count = (typed_list(2), atom()).prop_map(|(variables, among)| {
        Term::Count(Box::new(CountTerm {
            variables,
            among,
            span: NOWHERE,
        }))
    });
    let arg = (
        any::<bool>(),
        one_typed(),
        atom(),
        plain_term(),
        option::of(plain_term()),
    )
        .prop_map(|(maximize, variable, among, value, ties)| {
            Term::Arg(Box::new(ArgTerm {
                maximize,
                variable,
                among,
                value,
                ties,
                span: NOWHERE,
            }))
        });
    prop_oneof![4 => plain_term(), 1 => count, 1 => arg].prop_recursive(2, 8, 3, arithmetic)
}

fn template() -> impl Strategy<Value = Template> {
    let literal = "[a-z{}\"\\\\\n\t;()é?:]{1,6}".prop_map(TemplatePart::Text);
    let slot = plain_term().prop_map(TemplatePart::Slot);
    vec((slot, option::of(literal)), 0..3).prop_map(|parts| Template {
        parts: parts
            .into_iter()
            .flat_map(|(slot, literal)| std::iter::once(slot).chain(literal))
            .collect(),
        span: NOWHERE,
    })
}

fn formula() -> impl Strategy<Value = Formula> {
    let comparison = select(vec![
        Comparison::Equal,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ]);
    let leaf = prop_oneof![
        (name(), vec(term(), 0..3)).prop_map(|(name, terms)| Formula::Atom(name, terms, NOWHERE)),
        (comparison, term(), term()).prop_map(|(op, a, b)| Formula::Compare(
            op,
            Box::new([a, b]),
            NOWHERE
        )),
        name().prop_map(|name| Formula::Semantics(name, NOWHERE)),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        let one = || inner.clone().prop_map(Box::new);
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|parts| Formula::And(parts, NOWHERE)),
            vec(inner.clone(), 0..4).prop_map(|parts| Formula::Or(parts, NOWHERE)),
            one().prop_map(|body| Formula::Not(body, NOWHERE)),
            (one(), one()).prop_map(|(a, b)| Formula::Imply(a, b, NOWHERE)),
            (typed_list(3), one()).prop_map(|(list, body)| Formula::Forall(list, body, NOWHERE)),
            (typed_list(3), one()).prop_map(|(list, body)| Formula::Exists(list, body, NOWHERE)),
            (template(), one()).prop_map(|(text, body)| Formula::Else(text, body, NOWHERE)),
        ]
    })
}

fn bindings() -> impl Strategy<Value = Vec<(Name, Term)>> {
    vec((name(), term()), 1..3)
}

fn leaf_effect() -> impl Strategy<Value = Effect> {
    let op = select(vec![
        AssignOp::Assign,
        AssignOp::Increase,
        AssignOp::Decrease,
        AssignOp::ScaleUp,
        AssignOp::ScaleDown,
    ]);
    let atom = || (name(), vec(term(), 0..3));
    prop_oneof![
        atom().prop_map(|(name, terms)| Effect::Add(name, terms, NOWHERE)),
        atom().prop_map(|(name, terms)| Effect::Delete(name, terms, NOWHERE)),
        atom().prop_map(|(name, terms)| Effect::Do(name, terms, NOWHERE)),
        template().prop_map(|text| Effect::Log(text, NOWHERE)),
        (op, atom(), term()).prop_map(|(op, (name, terms), value)| {
            Effect::Assign(op, application(name, terms), value, NOWHERE)
        }),
    ]
}

/// An effect as it stands behind a number. Where the number begins with the name of a predicate and the
/// effect with that of a function, the two are reported as exchanged.
fn behind(number: &Term, effect: Effect) -> Effect {
    match (number, &effect) {
        (Term::Apply(_), Effect::Add(..)) => Effect::And(vec![effect], NOWHERE),
        _ => effect,
    }
}

fn effect() -> impl Strategy<Value = Effect> {
    leaf_effect().prop_recursive(3, 16, 3, |inner| {
        let one = || inner.clone().prop_map(Box::new);
        let guard = prop_oneof![
            formula().prop_map(DelayGuard::While),
            formula().prop_map(DelayGuard::Until),
        ];
        let branches = || vec((formula(), inner.clone()), 0..3);
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(|parts| Effect::And(parts, NOWHERE)),
            vec(inner.clone(), 0..3).prop_map(|parts| Effect::Seq(parts, NOWHERE)),
            (typed_list(3), one()).prop_map(|(list, body)| Effect::Forall(list, body, NOWHERE)),
            (typed_list(3), option::of(term()), one())
                .prop_map(|(list, key, body)| Effect::ForEach(list, key, body, NOWHERE)),
            (formula(), one()).prop_map(|(test, body)| Effect::When(test, body, NOWHERE)),
            (branches(), one()).prop_map(|(list, last)| Effect::Case(list, Some(last), NOWHERE)),
            ((formula(), inner.clone()), branches()).prop_map(|(first, mut list)| {
                list.push(first);
                Effect::Case(list, None, NOWHERE)
            }),
            (bindings(), one(), option::of(one()))
                .prop_map(|(list, body, last)| Effect::Let(list, body, last, NOWHERE)),
            (term(), option::of(guard), one()).prop_map(|(delay, guard, body)| {
                let body = Box::new(behind(&delay, *body));
                Effect::After(delay, guard, body, NOWHERE)
            }),
            (term(), one()).prop_map(|(number, body)| {
                let body = Box::new(behind(&number, *body));
                Effect::OnNth(number, body, NOWHERE)
            }),
            (formula(), one(), vec(inner.clone(), 0..3))
                .prop_map(|(test, effect, body)| { Effect::Maintain(test, effect, body, NOWHERE) }),
        ]
    })
}

fn label() -> impl Strategy<Value = LabelClause> {
    prop_oneof![
        Just(LabelClause::None(NOWHERE)),
        template().prop_map(LabelClause::Text)
    ]
}

fn action() -> impl Strategy<Value = Action> {
    let kind = select(vec![
        ActionKind::Instant,
        ActionKind::Primitive,
        ActionKind::Durative,
        ActionKind::Option,
    ]);
    let time = select(vec![
        TimePoint::AtStart,
        TimePoint::OverAll,
        TimePoint::AtEnd,
    ]);
    let end = select(vec![TimePoint::AtStart, TimePoint::AtEnd]);
    let head = (name(), kind, option::of(one_typed()), typed_list(3));
    let plain = (
        option::of(formula()),
        effect(),
        label(),
        option::of(template()),
        option::of(term()),
    );
    let durative = (
        vec((time, formula()), 0..3),
        vec((end, effect()), 0..3),
        term(),
    );
    let macros = (bindings(), formula(), option::of(effect()));
    (head, plain, durative, macros).prop_map(|(head, plain, durative, macros)| {
        let (name, kind, agent, parameters) = head;
        let (precondition, effect, label, text, weight) = plain;
        let mut action = Action {
            agent,
            parameters,
            weight,
            label: Some(label),
            text,
            ..Action::new(name, kind, NOWHERE)
        };
        if kind == ActionKind::Durative {
            action.conditions = durative.0;
            action.effects = durative.1;
            action.duration = Some(durative.2);
        } else {
            action.precondition = precondition;
            action.effect = Some(effect);
        }
        if kind == ActionKind::Option {
            action.lets = macros.0;
            action.until = Some(macros.1);
            action.otherwise = macros.2;
        }
        action
    })
}

fn event() -> impl Strategy<Value = Event> {
    (name(), typed_list(3), option::of(formula()), effect()).prop_map(
        |(name, parameters, precondition, effect)| Event {
            name,
            parameters,
            precondition,
            effect: Some(effect),
            span: NOWHERE,
        },
    )
}

fn derived() -> impl Strategy<Value = Derived> {
    (name(), typed_list(3), formula()).prop_map(|(name, params, body)| Derived {
        name,
        params,
        body,
        span: NOWHERE,
    })
}

/// The parts of a declaration: name and parameters, type, what it says.
type Declared = ((Name, Vec<Typed>), Option<TypeExpr>, FluentClauses);

/// Texts, and the agents that receive them.
type FluentClauses = (Vec<FluentText>, Option<Observers>);

/// Fluents of one section after the other, as a file has them.
fn fluents() -> impl Strategy<Value = Vec<FluentDecl>> {
    let head = || (name(), typed_list(3));
    let fluent_text =
        || (option::of(name()), template()).prop_map(|(of, text)| FluentText { of, text });
    let make = |transient| {
        move |((name, params), range, (texts, observers)): Declared| FluentDecl {
            name,
            params,
            range,
            transient,
            texts,
            observers,
            span: NOWHERE,
        }
    };
    let viewer = (name(), option::of(type_expr())).prop_map(|(name, ty)| Typed { name, ty });
    let observers = (viewer, formula()).prop_map(|(viewer, condition)| Observers {
        viewer,
        condition,
        span: NOWHERE,
    });
    let observers = option::of(observers).boxed();
    let texts = || (vec(fluent_text(), 0..3), observers.clone());
    let predicates = vec((head(), Just(None), texts()).prop_map(make(false)), 0..3);
    let functions = (head(), type_expr().prop_map(Some), texts()).prop_map(make(false));
    let functions = vec(functions, 0..3);
    let transient = (head(), option::of(type_expr()), texts()).prop_map(make(true));
    let transient = vec(transient, 0..3);
    (any::<bool>(), predicates, functions, transient).prop_map(|(swap, first, second, third)| {
        let sections = if swap {
            [third, second, first]
        } else {
            [first, second, third]
        };
        sections.concat()
    })
}

/// The words that a fact may not begin with are none of [`name`].
fn init_item() -> impl Strategy<Value = InitItem> {
    let atom = || (name(), vec(plain_term(), 0..2));
    let fact = || {
        prop_oneof![
            atom().prop_map(|(name, terms)| InitItem::Atom(name, terms, NOWHERE)),
            atom().prop_map(|(name, terms)| InitItem::NotAtom(name, terms, NOWHERE)),
            (plain_term(), term()).prop_map(|(left, right)| InitItem::Value(left, right, NOWHERE)),
        ]
    };
    let marks = (0_i64..100, any::<bool>(), any::<bool>());
    let timed = (marks, fact()).prop_map(|((tick, early, unannounced), item)| {
        let time = Time {
            tick,
            early,
            unannounced,
        };
        InitItem::Timed(time, Box::new(item), NOWHERE)
    });
    prop_oneof![3 => fact(), 1 => timed]
}

fn layout() -> impl Strategy<Value = Vec<LayoutItem>> {
    let text = || {
        "[a-zX#.| {}\"\\\\]{1,6}".prop_map(|text| Template {
            parts: vec![TemplatePart::Text(text)],
            span: NOWHERE,
        })
    };
    let rows = vec(text(), 0..3).prop_map(|rows| LayoutItem::Rows(rows, NOWHERE));
    let cell = (name(), 0_i64..300, 0_i64..3, option::of(text()));
    let cell = cell.prop_map(|(place, column, row, text)| {
        LayoutItem::Cell(Cell {
            place,
            column,
            row,
            text,
            span: NOWHERE,
        })
    });
    let thing = prop_oneof![
        plain_term().prop_map(Drawn::Object),
        template().prop_map(Drawn::Text),
    ];
    let at = (plain_term(), option::of(plain_term()));
    let drawing = (typed_list(3), thing, at, option::of(formula()));
    let drawing = (any::<bool>(), drawing).prop_map(|(faces, (variables, thing, at, fact))| {
        let drawing = Drawing {
            variables,
            thing,
            at: at.0,
            column: at.1.filter(|_| !faces),
            fact,
            span: NOWHERE,
        };
        if faces {
            LayoutItem::Face(drawing)
        } else {
            LayoutItem::Draw(drawing)
        }
    });
    vec(prop_oneof![1 => rows, 3 => cell, 2 => drawing], 0..5)
}

fn turns() -> impl Strategy<Value = Turns> {
    let mode = select(vec![
        TurnMode::Sequential,
        TurnMode::Simultaneous,
        TurnMode::Alternate,
    ]);
    (mode, any::<bool>()).prop_map(|(mode, any_order)| Turns {
        mode,
        any_order,
        span: NOWHERE,
    })
}

pub(crate) fn domain() -> impl Strategy<Value = Domain> {
    let live = select(vec![
        LiveEffects::Set,
        LiveEffects::List,
        LiveEffects::ListSkipping,
    ]);
    let requirements = REQUIREMENTS.map(|text| Name {
        text: text.into(),
        span: NOWHERE,
    });
    let lists = (
        typed_list(6),
        typed_list(20),
        fluents(),
        vec(init_item(), 0..4),
    );
    let rules = (
        vec(derived(), 0..2),
        vec(action(), 0..4),
        vec(event(), 0..2),
    );
    let wait = (1_i64..50, option::of(name())).prop_map(|(most, semantics)| WaitLimit {
        most,
        semantics,
        span: NOWHERE,
    });
    let must_act = name().prop_map(|ty| MustAct { ty, span: NOWHERE });
    let nature = name().prop_map(|ty| Nature { ty, span: NOWHERE });
    let agents = (vec(must_act, 0..2), vec(nature, 0..2));
    let live = (live, option::of(name())).prop_map(|(kind, semantics)| LiveEffectsKept {
        kind,
        semantics,
        span: NOWHERE,
    });
    let clauses = (
        option::of(vec(name(), 0..3)),
        (option::of(turns()), vec(wait, 0..2), agents),
        vec(name(), 0..3),
        vec(live, 0..2),
        (option::of(formula()), option::of(formula()), layout()),
    );
    (name(), lists, rules, clauses).prop_map(move |(name, lists, rules, clauses)| Domain {
        private_constants: Vec::new(),
        private_fluents: Vec::new(),
        name: Some(name),
        requirements: requirements.to_vec(),
        types: lists.0,
        constants: lists.1,
        fluents: lists.2,
        facts: lists.3,
        derived: rules.0,
        actions: rules.1,
        events: rules.2,
        tick: clauses.0.map(|phases| (phases, NOWHERE)),
        turns: clauses.1.0,
        waits: clauses.1.1,
        must_act: clauses.1.2.0,
        nature: clauses.1.2.1,
        semantics: clauses.2,
        live_effects: clauses.3,
        fail: clauses.4.0,
        end: clauses.4.1,
        layout: clauses.4.2,
        span: NOWHERE,
    })
}

pub(crate) fn problem() -> impl Strategy<Value = Problem> {
    let metric = (any::<bool>(), term()).prop_map(|(maximize, value)| Metric {
        maximize,
        value,
        span: NOWHERE,
    });
    let names = (name(), name(), vec(name(), 0..3));
    let lists = (typed_list(20), vec(init_item(), 0..8));
    let clauses = (
        option::of(formula()),
        option::of(metric),
        option::of(0_i64..1000),
        (option::of(formula()), option::of(formula()), layout()),
        option::of(template()),
    );
    (names, lists, clauses).prop_map(|(names, lists, clauses)| Problem {
        private_objects: Vec::new(),
        name: Some(names.0),
        own_name: None,
        domain: Some(names.1),
        requirements: names.2,
        objects: lists.0,
        init: lists.1,
        goal_text: clauses.4.filter(|_| clauses.0.is_some()),
        goal: clauses.0,
        metric: clauses.1,
        horizon: clauses.2.map(|ticks| (ticks, NOWHERE)),
        fail: clauses.3.0,
        end: clauses.3.1,
        layout: clauses.3.2,
        span: NOWHERE,
    })
}
