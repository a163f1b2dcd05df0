//! The models that texts resolve to.

use brigade::diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade::sema::model::{
    self, Action, Choice, Cond, Effect, Expr, FluentId, Label, Metric, Model, ObjectId, Phase,
    TemplatePart, Term, TurnMode, Value,
};
use brigade::sema::{Files, Options, resolve};
use brigade::syntax::{parse_domain, parse_problem};

/// A kitchen with one of everything that is lowered in a way worth a test.
const KITCHEN: &str = r#"
(define (domain kitchen)
  (:requirements :adl :multi-agent :options :events :text :object-fluents :bounded-numbers
                 :aggregates :delayed-effects :sequential-effects :action-costs
                 :durative-actions :derived-predicates :timed-initial-literals :horizon)
  (:types cook item place - object  egg - item)
  (:constants salt - item)
  (:predicates (on ?i - item ?p - place) (hot ?p - place) (open) (ready) (Dirty ?p - place))
  (:functions (held ?c - cook) - item (place-of ?c - cook) - place (heat ?p - place) - (int 0 9)
              (time ?i - item) - number (total-cost) - number (waste) - number (unused) - number)
  (:semantics clean upstream)
  (:facts (= (time salt) 2))
  (:derived (ready) (exists (?p - place) (hot ?p)))
  (:event cool :parameters (?p - place) :precondition (hot ?p) :effect (not (hot ?p)))
  (:event close :effect (when (semantics upstream) (not (open))))
  (:tick close timers cool timed-literals)
  (:action put :primitive
    :agent ?c - cook
    :parameters (?p - place)
    :precondition (not (= (held ?c) undefined))
    :effect (and (on (held ?c) ?p) (assign (held ?c) undefined)))
  (:action light
    :agent ?c - cook
    :parameters (?p - place)
    :precondition (and (and (else "{?p} is hot" (not (hot ?p))) (semantics clean)) (open))
    :effect (and (hot ?p) (increase (heat ?p) 1)
                 (increase (total-cost) 1.5) (increase (waste) (time salt)) (increase (unused) 1)
                 (after (time salt) :while (open) (not (hot ?p))))
    :label "light({?p})")
  (:action rest :agent ?c - cook :effect (assign (place-of ?c) undefined))
  (:option serve
    :agent ?c - cook
    :parameters (?i - item)
    :precondition (= (held ?c) ?i)
    :let ((?here (place-of ?c))
          (?best (argmin (?p - place) (hot ?p) (abs (- (heat ?p) (heat ?here))) :ties (heat ?p))))
    :policy (do (put ?c ?best))
    :until (= (held ?c) undefined)
    :else (log "no place")
    :label none)
  (:durative-action boil
    :agent ?c - cook
    :parameters (?p - place)
    :duration (= ?duration (+ (time salt) 1))
    :condition (and (at start (hot ?p)) (over all (open)))
    :effect (and (at start (hot ?p)) (at end (increase (heat ?p) ?duration)))
    :label "boil"))
"#;

const LUNCH: &str = r"
(define (problem lunch)
  (:domain Kitchen)
  (:objects stove table - place ada - COOK e1 - egg bob - cook)
  (:init (hot stove) (hot STOVE) (not (hot table)) (= (held ada) e1) (= (held bob) undefined)
         (= (heat stove) 3) (= (total-cost) 0) (at 7 (open)) (at 9 (not (open))))
  (:goal (and (ready) (= 2 (count (?p - place) (hot ?p)))))
  (:metric minimize (+ (total-cost) (* 0.25 (waste))))
  (:horizon 40))
";

fn try_resolve(domain: &str, problem: &str, semantics: &str) -> (Option<Model>, String) {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let files = Files {
        domain: sources.add("domain.pddl", domain),
        problem: sources.add("problem.pddl", problem),
    };
    let domain = parse_domain(files.domain, domain, &mut diagnostics);
    let problem = parse_problem(files.problem, problem, &mut diagnostics);
    let options = Options::default().with_semantics(semantics);
    let model = resolve(&domain, &problem, &options, files, &mut diagnostics);
    (model, render_all(&diagnostics, &sources, Colour::Plain))
}

fn kitchen() -> Model {
    let (model, report) = try_resolve(KITCHEN, LUNCH, "clean");
    assert_eq!(report, "", "neither errors nor warnings");
    model.unwrap()
}

fn action<'m>(model: &'m Model, name: &str) -> &'m Action {
    model.actions.iter().find(|a| a.name == name).unwrap()
}

fn object(model: &Model, name: &str) -> ObjectId {
    let at = model.objects.iter().position(|o| o.name == name);
    ObjectId(at.unwrap() as u32)
}

/// Returns the effects that happen at once, one by one.
fn flat(effect: &Effect) -> Vec<&Effect> {
    match effect {
        Effect::And(effects) => effects.iter().flat_map(flat).collect(),
        other => vec![other],
    }
}

fn fluent(model: &Model, name: &str) -> FluentId {
    let at = model.fluents.iter().position(|f| f.name == name);
    FluentId(at.unwrap() as u32)
}

#[test]
fn agents_are_the_objects_that_can_act_in_declared_order() {
    let model = kitchen();
    assert_eq!(model.agents, [object(&model, "ada"), object(&model, "bob")]);
    assert_eq!(model.turns, TurnMode::Sequential);
    let light = action(&model, "light");
    assert!(light.has_agent);
    assert_eq!(light.parameters, 2);
    assert_eq!(light.variables[0].name, "c");
}

#[test]
fn constants_stand_before_objects() {
    let model = kitchen();
    let names: Vec<&str> = model.objects.iter().map(|o| o.name.as_str()).collect();
    assert_eq!(names, ["salt", "stove", "table", "ada", "e1", "bob"]);
}

#[test]
fn the_tick_has_the_order_that_the_domain_names() {
    let tick = kitchen().tick;
    let order = [
        Phase::Event(1),
        Phase::EarlyLiterals,
        Phase::Timers,
        Phase::Event(0),
        Phase::TimedLiterals,
    ];
    assert_eq!(tick, order);
}

#[test]
fn early_literals_stand_where_the_domain_names_them_else_before_the_timers() {
    let tick = |section: &str| {
        let domain = format!(
            "(define (domain d) (:requirements :events :timed-initial-literals)
               (:predicates (p)) (:event e :effect (p)) {section})"
        );
        let problem = "(define (problem q) (:domain d) (:init (at 2 :early (p))) (:goal (p)))";
        let (model, report) = try_resolve(&domain, problem, "clean");
        let model = model.unwrap_or_else(|| panic!("{report}"));
        assert!(model.timed[0].early);
        model.tick
    };
    let (early, timed, timers) = (Phase::EarlyLiterals, Phase::TimedLiterals, Phase::Timers);
    let event = Phase::Event(0);
    assert_eq!(tick(""), [early, timers, timed, event]);
    let without = "(:tick timed-literals e timers)";
    assert_eq!(tick(without), [timed, event, early, timers]);
    let with = "(:tick timers e early-literals timed-literals)";
    assert_eq!(tick(with), [timers, event, early, timed]);
}

#[test]
fn a_precondition_is_flattened_and_keeps_its_reasons() {
    let model = kitchen();
    let [hot, open] = action(&model, "light").precondition.as_slice() else {
        panic!("two requirements; what `semantics` makes true is gone");
    };
    assert!(matches!(hot.cond, Cond::Not(_)));
    let reason = &hot.reason.as_ref().unwrap().0;
    assert!(matches!(reason[0], TemplatePart::Object(Term::Variable(_))));
    assert_eq!(open.reason, None);
}

#[test]
fn named_semantics_are_evaluated_away() {
    let model = kitchen();
    assert_eq!(model.events[1].effect, Effect::NOTHING);
    let (upstream, _) = try_resolve(KITCHEN, LUNCH, "Upstream");
    let upstream = upstream.unwrap();
    assert!(matches!(
        upstream.events[1].effect,
        Effect::Set(_, _, false)
    ));
    let light = action(&upstream, "light");
    assert!(light.precondition.iter().any(|r| r.cond == Cond::False));
    let (other, report) = try_resolve(KITCHEN, LUNCH, "fast");
    assert!(other.is_none());
    assert!(
        report.contains("choose one of `clean`, `upstream`"),
        "{report}"
    );
}

#[test]
fn costs_are_weighted_scaled_and_taken_out_of_the_state() {
    let model = kitchen();
    assert_eq!(model.metric, Metric::Cost { maximize: false });
    assert_eq!(model.cost_scale, 4);
    let effects = flat(&action(&model, "light").effect);
    let costs: Vec<&Expr> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Cost(expr) => Some(expr),
            _ => None,
        })
        .collect();
    let time = Expr::Fluent(
        fluent(&model, "time"),
        vec![Term::Object(object(&model, "salt"))],
    );
    assert_eq!(costs, [&Expr::Constant(6), &time]);
    let totals: Vec<(FluentId, &Expr)> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Total(fluent, _, expr) => Some((*fluent, expr)),
            _ => None,
        })
        .collect();
    let [cost, waste, unused] = ["total-cost", "waste", "unused"].map(|name| fluent(&model, name));
    let amounts = [
        (cost, &Expr::Constant(3)),
        (waste, &time),
        (unused, &Expr::Constant(1)),
    ];
    assert_eq!(totals, amounts);
    let scales: Vec<_> = model
        .totals
        .iter()
        .map(|it| (it.fluent, it.scale))
        .collect();
    assert_eq!(scales, [(cost, 2), (waste, 1), (unused, 1)]);
    let gone = ["total-cost", "waste", "unused"].map(|name| fluent(&model, name));
    assert!(model.init.iter().all(|fact| !gone.contains(&fact.fluent)));
}

#[test]
fn a_cost_begins_with_one_value_and_gets_none_while_time_passes() {
    let domain = "(define (domain d) (:requirements :action-costs :timed-initial-literals)
        (:predicates (done)) (:functions (total-cost) (waste))
        (:action a :parameters () :effect (and (done) (increase (total-cost) 2)
         (increase (waste) 1))))";
    let problem = |init: &str| {
        let text = format!(
            "(define (problem p) (:domain d) (:init {init}) (:goal (done))
             (:metric minimize (- (total-cost) 0.25)))"
        );
        try_resolve(domain, &text, "clean")
    };
    let (model, _) = problem("(at 4 (= (waste) 3))");
    assert_eq!(model.map(|model| model.initial_cost), Some(-1));
    let (model, report) = problem("(= (total-cost) 3) (= (total-cost) 3)");
    let model = model.unwrap_or_else(|| panic!("{report}"));
    assert_eq!((model.cost_scale, model.initial_cost), (4, 11));
    for (init, code) in [
        (
            "(= (total-cost) 3) (= (total-cost) 4)",
            "says two different things",
        ),
        (
            "(at 4 (= (total-cost) 3))",
            "is not set to a value while time passes",
        ),
    ] {
        let (model, report) = problem(init);
        assert!(model.is_none());
        assert!(report.contains(code), "{report}");
    }
}

#[test]
fn static_functions_with_fractions_are_scaled_too() {
    let domain = "(define (domain d) (:requirements :action-costs) (:predicates (done))
        (:functions (total-cost) (price)) (:action a :parameters () :precondition (> (price) 2)
        :effect (and (done) (increase (total-cost) (* 0.5 (price))))))";
    let problem = "(define (problem p) (:domain d) (:init (= (price) 2.5)) (:goal (done))
        (:metric minimize (total-cost)))";
    let (model, report) = try_resolve(domain, problem, "clean");
    let model = model.unwrap_or_else(|| panic!("{report}"));
    let price = Expr::Fluent(fluent(&model, "price"), Vec::new());
    assert_eq!(model.init[0].value, Value::Number(5));
    assert_eq!(model.cost_scale, 4);
    let effects = flat(&model.actions[0].effect);
    assert_eq!(effects[1], &Effect::Cost(price.clone()));
    let total = fluent(&model, "total-cost");
    assert_eq!(effects[2], &Effect::Total(total, Vec::new(), price.clone()));
    assert_eq!((model.totals[0].fluent, model.totals[0].scale), (total, 4));
    let Cond::Compare(_, left, right) = &model.actions[0].precondition[0].cond else {
        panic!("a comparison");
    };
    assert_eq!((left, right), (&price, &Expr::Constant(4)));
}

#[test]
fn without_a_metric_costs_are_dropped() {
    let problem = LUNCH.replace("(:metric minimize (+ (total-cost) (* 0.25 (waste))))", "");
    let (model, report) = try_resolve(KITCHEN, &problem, "clean");
    let model = model.unwrap_or_else(|| panic!("{report}"));
    assert_eq!(model.metric, Metric::Default);
    let effects = flat(&action(&model, "light").effect);
    let is_cost = |effect: &&Effect| matches!(effect, Effect::Cost(_));
    assert!(!effects.iter().any(is_cost));
}

#[test]
fn total_time_is_the_makespan() {
    let problem = LUNCH.replace("(+ (total-cost) (* 0.25 (waste)))", "(total-time)");
    let (model, report) = try_resolve(KITCHEN, &problem, "clean");
    assert_eq!(
        model.map(|model| model.metric),
        Some(Metric::Makespan),
        "{report}"
    );
}

#[test]
fn the_lets_of_an_option_wrap_its_policy() {
    let model = kitchen();
    let serve = action(&model, "serve");
    let Effect::Let(here, Choice::Term(place), inner, otherwise) = &serve.effect else {
        panic!("the first `let` is outermost");
    };
    let cook = Term::Variable(model::Binding(0));
    assert_eq!(*place, Term::Fluent(fluent(&model, "place-of"), vec![cook]));
    assert!(matches!(**otherwise, Effect::Log(_)));
    let Effect::Let(best, Choice::Arg { among, ties, .. }, policy, _) = &**inner else {
        panic!("then the second");
    };
    assert!(here < best);
    let candidate = vec![Term::Variable(*best)];
    assert_eq!(*among, Cond::Atom(fluent(&model, "hot"), candidate));
    assert!(ties.is_some());
    let Effect::Do(put, args) = &**policy else {
        panic!("then the policy");
    };
    assert_eq!(model.actions[put.index()].name, "put");
    assert_eq!(args[1], Term::Variable(*best));
    assert_eq!(serve.label, Label::None);
    assert!(matches!(serve.until, Cond::Same(_, Term::Undefined)));
}

#[test]
fn in_a_domain_with_labels_an_action_without_one_is_silent() {
    let model = kitchen();
    assert_eq!(action(&model, "rest").label, Label::None);
    assert!(matches!(action(&model, "light").label, Label::Text(_)));
    let domain = "(define (domain d) (:predicates (p)) (:action a :parameters () :effect (p)))";
    let problem = "(define (problem q) (:domain d) (:init) (:goal (p)))";
    let (model, _) = try_resolve(domain, problem, "clean");
    let model = model.unwrap();
    assert_eq!(model.actions[0].label, Label::GroundName);
    assert!(model.agents.is_empty());
}

#[test]
fn a_duration_is_known_in_the_effects() {
    let model = kitchen();
    let boil = action(&model, "boil");
    let duration = boil.duration.clone().unwrap();
    let Effect::Update(_, _, _, amount) = &boil.end_effect else {
        panic!("an update");
    };
    assert_eq!(*amount, duration);
    assert_eq!(boil.precondition.len(), 1);
    assert_eq!(boil.conditions.len(), 1);
}

#[test]
fn the_initial_state_has_facts_of_both_files_once() {
    let model = kitchen();
    let said: Vec<(&str, Value)> = model
        .init
        .iter()
        .map(|fact| (model.fluents[fact.fluent.index()].name.as_str(), fact.value))
        .collect();
    let e1 = object(&model, "e1");
    let expected = [
        ("time", Value::Number(2)),
        ("hot", Value::Boolean(true)),
        ("held", Value::Object(e1)),
        ("heat", Value::Number(3)),
    ];
    assert_eq!(said, expected);
    let timed: Vec<(u32, Value)> = (model.timed.iter())
        .map(|literal| (literal.tick, literal.fact.value))
        .collect();
    assert_eq!(
        timed,
        [(7, Value::Boolean(true)), (9, Value::Boolean(false))]
    );
    assert_eq!(model.horizon, Some(40));
}

#[test]
fn variables_of_a_supertype_are_accepted() {
    let domain = "(define (domain d) (:requirements :typing) (:types egg - item item)
        (:predicates (fried ?e - egg)) (:action a :parameters (?i - item) :effect (fried ?i)))";
    let problem = "(define (problem q) (:domain d) (:objects e - egg) (:init) (:goal (fried e)))";
    let (model, report) = try_resolve(domain, problem, "clean");
    assert!(model.is_some(), "{report}");
    assert_eq!(report, "");
}

#[test]
fn an_either_object_is_of_all_its_types() {
    let domain = "(define (domain d) (:requirements :typing) (:types pan lid)
        (:predicates (hot ?p - pan)) (:action a :parameters (?l - lid) :effect (hot ?l)))";
    let problem = |ty: &str| {
        format!("(define (problem q) (:domain d) (:objects o - {ty}) (:init) (:goal (hot o)))")
    };
    let (model, report) = try_resolve(domain, &problem("(either pan lid)"), "clean");
    assert!(model.is_some(), "{report}");
    let (model, _) = try_resolve(domain, &problem("pan"), "clean");
    assert!(model.is_none(), "nothing is both a lid and a pan");
}

#[test]
fn actions_types_and_predicates_may_share_a_name() {
    let domain = "(define (domain d) (:requirements :typing) (:types move)
        (:constants move - move)
        (:predicates (move ?m - move)) (:action move :parameters (?move - move)
        :effect (and (move ?move) (move move))))";
    let problem = "(define (problem q) (:domain d) (:init) (:goal (move MOVE)))";
    let (model, report) = try_resolve(domain, problem, "clean");
    assert!(model.is_some(), "{report}");
    assert_eq!(report, "");
}

#[test]
fn the_longest_wait_is_that_of_the_semantics_chosen() {
    let domain = |waits: &str| {
        format!(
            "(define (domain d) (:requirements :multi-agent) (:semantics clean upstream lax) {waits})"
        )
    };
    let problem = "(define (problem q) (:domain d) (:goal (and)))";
    let longest = |waits: &str, semantics: &str| {
        let (model, report) = try_resolve(&domain(waits), problem, semantics);
        model.unwrap_or_else(|| panic!("{report}")).longest_wait
    };
    assert_eq!(longest("", "clean"), None);
    let both = "(:wait :most 5 :semantics upstream) (:wait :most 20)";
    assert_eq!(longest(both, "clean"), Some(20));
    assert_eq!(longest(both, "upstream"), Some(5));
    let one = "(:wait :most 5 :semantics Upstream)";
    assert_eq!(longest(one, "upstream"), Some(5));
    assert_eq!(longest(one, "lax"), None);
}

#[test]
fn those_must_act_who_are_of_a_type_that_the_domain_names() {
    let domain = |waits: &str| {
        format!(
            "(define (domain d) (:requirements :typing :multi-agent)
               (:types cook waiter - person chef - cook) {waits} (:predicates (done))
               (:action work :agent ?p - person :effect (done)))"
        )
    };
    let problem = "(define (problem q) (:domain d)
        (:objects cleo - chef bob - waiter ann - cook) (:goal (done)))";
    let must = |waits: &str| {
        let (model, report) = try_resolve(&domain(waits), problem, "clean");
        let model = model.unwrap_or_else(|| panic!("{report}"));
        let agents = model.agents.iter().enumerate();
        let must = agents.filter(|(index, _)| !model.may_wait(*index));
        let names = must.map(|(_, agent)| model.objects[agent.index()].name.to_string());
        names.collect::<Vec<_>>()
    };
    assert!(must("(:wait :most 5)").is_empty());
    assert_eq!(must("(:wait none - chef)"), ["cleo"]);
    assert_eq!(must("(:wait none - cook) (:wait :most 5)"), ["cleo", "ann"]);
    let both = "(:wait none - chef) (:wait none - waiter)";
    assert_eq!(must(both), ["cleo", "bob"]);
    assert_eq!(must("(:wait none - object)"), ["cleo", "bob", "ann"]);
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    let nest = |open: &str, inner: &str| format!("{}{inner}{}", open.repeat(240), ")".repeat(240));
    let cases = [
        (nest("(not ", "(p o)"), "(p o)".to_owned()),
        ("(p o)".to_owned(), nest("(when (p o) ", "(p o)")),
        (format!("(= 1 {})", nest("(+ 1 ", "1")), "(p o)".to_owned()),
        (format!("(p {})", nest("(f ", "o")), "(p o)".to_owned()),
    ];
    for (condition, effect) in cases {
        let domain = format!(
            "(define (domain d) (:requirements :adl :fluents) (:constants o) (:predicates (p ?x))
            (:functions (f ?x) - object)
            (:action a :parameters () :precondition {condition} :effect {effect}))"
        );
        let problem = "(define (problem q) (:domain d) (:init) (:goal (p o)))";
        let (model, report) = try_resolve(&domain, problem, "clean");
        assert!(model.is_none());
        assert!(report.contains("E0007"), "{report}");
        assert_eq!(report.matches("error[").count(), 1, "{report}");
    }
}

#[test]
fn a_long_chain_of_types_is_no_trouble() {
    let types: Vec<String> = (1..3000).map(|i| format!("t{i} - t{}", i - 1)).collect();
    let types = format!("t0 - object {}", types.join(" "));
    let domain = format!(
        "(define (domain d) (:requirements :typing) (:types {types}) (:predicates (p ?x - t0))
        (:action a :parameters (?x - t2999) :effect (p ?x)))"
    );
    let problem = "(define (problem q) (:domain d) (:objects o - t2999) (:init) (:goal (p o)))";
    let (model, report) = try_resolve(&domain, problem, "clean");
    assert!(model.is_some(), "{report}");
}

/// A search among all of them for each one would take minutes.
#[test]
fn very_many_parameters_and_conjuncts_are_no_trouble() {
    const MANY: usize = 100_000;
    let list = |before: &str, after: &str| -> String {
        let each = (0..MANY).map(|index| format!("{before}?p{index}{after} "));
        each.collect()
    };
    let domain = format!(
        "(define (domain d) (:predicates (p ?x)) \
         (:action a :parameters ({}) :precondition (and {}) :effect (p ?p0)))",
        list("", ""),
        list("(p ", ")"),
    );
    let problem = "(define (problem q) (:domain d) (:objects o) (:init) (:goal (p o)))";
    let (model, report) = try_resolve(&domain, problem, "clean");
    assert_eq!(report, "");
    let model = model.unwrap();
    let action = action(&model, "a");
    assert_eq!(action.parameters, MANY);
    assert_eq!(action.precondition.len(), MANY);
}

#[test]
fn a_metric_counts_what_does_not_change_with_its_default_where_it_is_not_given() {
    let domain = "(define (domain d) (:requirements :action-costs :object-fluents :bounded-numbers)
        (:types t) (:predicates (done))
        (:functions (total-cost) - number (level) - (int 2 9) (deep) - (int -9 -2) (rate) - number
         (place) - t)
        (:action a :parameters () :effect (and (done) (increase (total-cost) 2))))";
    let initial = |term: &str| {
        let text = format!(
            "(define (problem p) (:domain d) (:goal (done))
             (:metric minimize (+ (total-cost) {term})))"
        );
        let (model, report) = try_resolve(domain, &text, "clean");
        model.map(|model| model.initial_cost).ok_or(report)
    };
    assert_eq!(initial("(* 10 (level)) (deep) (rate)"), Ok(18));
    let report = initial("(place)").expect_err("an object is no number");
    assert!(report.contains("its value is an object"), "{report}");
}

#[test]
fn a_name_may_end_in_a_dash_unless_a_declared_type_follows() {
    let domain = "(define (domain d) (:requirements :typing) (:types q)
        (:predicates (p ?x - q)) (:action a :parameters (?x - q) :effect (p ?x)))";
    let problem = |objects: &str, goal: &str| {
        format!("(define (problem x) (:domain d) (:objects {objects}) (:init) (:goal {goal}))")
    };
    for (objects, goal) in [
        ("f-0- g - q", "(p f-0-)"),
        ("g f-0- - q", "(and (p f-0-) (p g))"),
        // A type that has a dash behind it is a name there.
        ("f- q - q", "(and (p f-) (p q))"),
        ("h - q f- g", "(p h)"),
    ] {
        let (model, report) = try_resolve(domain, &problem(objects, goal), "clean");
        assert!(model.is_some(), "{report}");
        assert_eq!(report, "", "{objects}");
    }
    for objects in ["f- q", "g f- q h - q", "f- q h- q"] {
        let (model, report) = try_resolve(domain, &problem(objects, "(p f)"), "clean");
        assert!(model.is_none(), "{objects}");
        assert!(
            report.contains("put a space before the dash: `f -`"),
            "{report}"
        );
        assert!(!report.contains("E0104"), "{report}");
    }
}

#[test]
fn a_type_that_is_listed_twice_has_the_parents_of_both() {
    let domain = |types: &str| {
        format!(
            "(define (domain d) (:requirements :typing) (:types {types})
               (:predicates (of ?l - low) (a ?x - high) (b ?x - wide))
               (:action go :parameters (?x - low) :effect (and (of ?x) (a ?x) (b ?x))))"
        )
    };
    let problem = "(define (problem q) (:domain d) (:objects o - low) (:init) (:goal (b o)))";
    for types in [
        "high wide - object low - high low - wide",
        "high wide - object low - (either high wide) low - high",
        "low - object high wide - object low - high low - wide low",
    ] {
        let (model, report) = try_resolve(&domain(types), problem, "clean");
        assert!(model.is_some(), "{report}");
        assert!(report.contains("warning[W0104]"), "{report}");
    }
    let (model, report) = try_resolve(
        &domain("wide - object low - high low - wide high - low"),
        problem,
        "clean",
    );
    assert!(model.is_none() && report.contains("E0111"), "{report}");
}

#[test]
fn numbers_may_have_a_sign_and_an_exponent() {
    let domain =
        "(define (domain d) (:requirements :numeric-fluents) (:predicates (g ?x)) (:functions (f))
        (:action a :parameters (?x) :precondition (>= (f) -1.5e3) :effect (g ?x)))";
    let problem = |value: &str| {
        format!(
            "(define (problem q) (:domain d) (:objects 3e8) (:init (= (f) {value})) (:goal (g 3e8)))"
        )
    };
    for value in ["+5", "2.5E+1", "-0.5e1", "1e3", "2E-1", ".5", "1.", "-.5e1"] {
        let (model, report) = try_resolve(domain, &problem(value), "clean");
        assert!(model.is_some(), "{report}");
        assert_eq!(report, "");
    }
    let (model, report) = try_resolve(domain, &problem("1.0e-9"), "clean");
    assert!(model.is_none() && report.contains("E0027"), "{report}");
}

#[test]
fn what_is_known_and_not_supported_is_refused_wherever_a_fact_may_stand() {
    let domain =
        "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x) :effect (p ?x)))";
    let problem = |init: &str, goal: &str| {
        format!("(define (problem q) (:domain d) (:objects o) (:init {init}) (:goal {goal}))")
    };
    for words in [
        "(oneof (p o) (not (p o)))",
        "(unknown (p o))",
        "(probabilistic 0.5 (p o))",
        "(always (p o))",
        "(sometime (p o))",
    ] {
        for (init, goal) in [(words, "(p o)"), ("", words)] {
            let (model, report) = try_resolve(domain, &problem(init, goal), "clean");
            assert!(model.is_none() && report.contains("E0032"), "{report}");
            assert!(
                !report.contains("E0102") && !report.contains("E0024"),
                "{report}"
            );
        }
    }
    let declared = domain.replacen("(p ?x))", "(p ?x) (unknown ?x))", 1);
    let (model, report) = try_resolve(&declared, &problem("(unknown o)", "(p o)"), "clean");
    assert!(model.is_some(), "{report}");
}

#[test]
fn a_word_of_digits_and_an_exponent_is_a_number_unless_an_object_is_meant() {
    let domain = "(define (domain d) (:requirements :adl :numeric-fluents :object-fluents :durative-actions :timed-initial-literals :multi-agent)
        (:types id worker) (:predicates (g ?x - id)) (:functions (f) - number (loc) - id)
        (:durative-action b :agent ?w - worker :parameters (?x - id) :duration (= ?duration 1e1)
            :condition (at start (> 1e3 2)) :effect (at end (g ?x))))";
    let problem = "(define (problem q) (:domain d) (:objects 3e8 - id w - worker)
        (:init (= (f) 1e2) (= (loc) 3e8) (at 1e1 (g 3e8))) (:goal (and (> 1e3 2) (g 3e8) (= (loc) 3e8))))";
    let (model, report) = try_resolve(domain, problem, "clean");
    assert!(model.is_some(), "{report}");
    assert_eq!(report, "");
}

#[test]
fn a_timed_literal_may_come_unannounced_and_early() {
    let domain =
        "(define (domain d) (:requirements :timed-initial-literals) (:predicates (p) (q)))";
    let marks = |marks: &str| {
        let problem = format!(
            "(define (problem q) (:domain d) (:init (at 2 {marks} (p)) (at 3 (q))) (:goal (p)))"
        );
        let (model, report) = try_resolve(domain, &problem, "clean");
        let model = model.unwrap_or_else(|| panic!("{report}"));
        let marked = |at: usize| (model.timed[at].early, model.timed[at].unannounced);
        assert_eq!(marked(1), (false, false));
        marked(0)
    };
    assert_eq!(marks(":unannounced"), (false, true));
    assert_eq!(marks(":early :unannounced"), (true, true));
    assert_eq!(marks(":unannounced :early"), (true, true));
}
