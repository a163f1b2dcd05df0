//! Random domains with all that the language has, and domains of twins: what the search answers is
//! what exhaustion finds, whatever guides it and whether or not orbits are used.
//!
//! `LANGUAGE_SEED` and `LANGUAGE_COUNT` choose other seeds, and more of them.

use std::collections::{BTreeMap, BTreeSet};

use brigade::search::dag::PlanDag;
use brigade::search::{
    DeepeningChoice, Distances, HeuristicChoice, LowerBounds, Method, Objective, Outcome,
    PruningChoice, SearchOptions, SearchResult, Start, SymmetryChoice, Unlimited, solve,
};
use brigade::task::cond::Cond;
use brigade::task::effect::Record;
use brigade::task::facts::changes;
use brigade::task::layout::VariableKind;
use brigade::task::step::Status;
use brigade::task::{Metric, OperatorId, OperatorKind, PackedTask, Phase, StateBuf, TurnMode};

use crate::oracle::brute_force::{Graph, graph_within, keys};
use crate::oracle::compile::{compile, compile_all};
use crate::oracle::lower_bounds::assert_bounds;
use crate::oracle::optimal_plans::assert_exhausted;
use crate::oracle::random_domains::{self, Random};
use crate::oracle::shuffle::shuffled;
use crate::oracle::twins;

/// Tasks with more states, or more joint actions in them, are left out.
const MOST_STATES: usize = 1200;
const MOST_STEPS: usize = 150_000;
/// Costs-to-go of all states are compared where there are no more than this.
const MOST_STARTS: usize = 150;

const OBJECTIVES: [Objective; 4] = [
    Objective::Declared,
    Objective::Makespan,
    Objective::Labels,
    Objective::Cost,
];
const HEURISTICS: [HeuristicChoice; 6] = [
    HeuristicChoice::Blind,
    HeuristicChoice::Abstractions,
    HeuristicChoice::DecisionDiagrams,
    HeuristicChoice::LandmarkCut,
    HeuristicChoice::Potentials,
    HeuristicChoice::Auto,
];
const SYMMETRIES: [SymmetryChoice; 3] = [
    SymmetryChoice::Never,
    SymmetryChoice::Auto,
    SymmetryChoice::Always,
];

/// The number of tasks that had each feature.
#[derive(Default)]
struct Tally(BTreeMap<String, u64>);

impl Tally {
    fn note(&mut self, what: &str, has_it: bool) {
        *self.0.entry(what.to_owned()).or_default() += u64::from(has_it);
    }

    fn of(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or(0)
    }

    fn note_task(&mut self, task: &PackedTask, graph: &Graph) {
        let integers = task.variables.iter();
        let integers = integers.filter(|it| matches!(it.kind, VariableKind::Integer { .. }));
        let effects = task.tick.iter().filter_map(|phase| match phase {
            Phase::Timers => None,
            Phase::Effect { name, .. } => Some(name),
        });
        let ticks = graph.optimum().is_some() && !graph.is_final[0];
        self.note("compared", true);
        self.note("solvable, not by doing nothing", ticks);
        self.note("unsolvable", graph.optimum().is_none());
        self.note("several optimal plans", graph.count() > 1);
        self.note("several agents", task.agents.len() > 1);
        self.note("simultaneous", task.turns == TurnMode::Simultaneous);
        self.note("alternate", task.turns == TurnMode::Alternate);
        self.note("delayed effects", !task.timers.is_empty());
        self.note("derived predicates", !task.axioms.layers.is_empty());
        self.note("integers", integers.count() > 0);
        self.note("effects of the tick", effects.count() > 0);
        self.note(
            "options or durative actions",
            (task.operators.iter()).any(|it| it.kind == OperatorKind::Continue),
        );
        self.note("labels", !task.labels.is_empty());
        self.note("minimised cost", task.metric == Metric::Cost);
        self.note("maximised cost", task.metric == Metric::NegatedCost);
        self.note("horizon", task.horizon.is_some());
        self.note("no goal", task.goal.is_none());
        self.note("ends", !matches!(task.end, Cond::False));
        self.note("losing states", !matches!(task.fail, Cond::False));
        let most = if graph.states.len() > 100 {
            "over 100 states"
        } else {
            "up to 100 states"
        };
        self.note(most, true);
    }
}

/// A text of everything with an episode of another length, or of any where that is possible.
fn texts(seed: u64) -> (String, String) {
    let (domain, problem) = random_domains::texts(seed);
    let mut random = Random::new(seed ^ 0x5EED);
    let is_closed = problem.contains("(:goal") || problem.contains("(:end");
    let may_be_endless = is_closed && !problem.contains("maximize");
    let horizon = match random.below(7) {
        0 | 1 if may_be_endless => String::new(),
        0..=2 => "(:horizon 12)".to_owned(),
        number => format!("(:horizon {number})"),
    };
    (domain, problem.replace("(:horizon 12)", &horizon))
}

/// A text with a goal that is reached by some random steps, where they change something.
pub(crate) fn walked_texts(seed: u64) -> (String, String) {
    let (domain, problem) = texts(seed);
    let mut random = Random::new(seed ^ 0x0DD5);
    let Some(start) = problem.find("(:goal") else {
        return (domain, problem);
    };
    let task = compile_all(&domain, &problem);
    let mut state = task.initial.clone();
    if task.agents.iter().any(|agent| agent.operators.is_empty()) {
        return (domain, problem);
    }
    let (mut steps, mut tries) = (1 + random.below(5), 100);
    while steps > 0 && tries > 0 {
        tries -= 1;
        let acting = task.acting(&state);
        let joint = acting.map(|agent| {
            let operators = &task.agents[agent].operators;
            operators[random.below(operators.len())]
        });
        let joint: Vec<OperatorId> = joint.collect();
        let mut after = state.clone();
        let status = task.step(&mut after, &joint, &mut Record::default());
        if matches!(status, Ok(Status::Running | Status::Goal)) {
            state = after;
            steps -= 1;
        }
    }
    let (mut added, _) = changes(&task, &task.initial, &state);
    let is_internal = |fact: &String| {
        [
            "(= (timer ",
            "(= (counter ",
            "(= (live ",
            "(= (activity ",
            "(broken",
        ]
        .iter()
        .any(|words| fact.starts_with(words))
    };
    added.retain(|fact| !is_internal(fact));
    if added.is_empty() || random.chance(20) {
        return (domain, problem);
    }
    let mut goal = String::new();
    for _ in 0..=random.below(3) {
        goal.push_str(&format!(" {}", added[random.below(added.len())]));
    }
    let end = start + crate::oracle::shuffle::length(&problem[start + 1..]) + 2;
    let problem = format!(
        "{}(:goal (and{goal})){}",
        &problem[..start],
        &problem[end..]
    );
    (domain, problem)
}

/// The parts of one task that are compared.
struct Case<'a> {
    about: &'a str,
    seed: u64,
    task: &'a PackedTask,
    objective: Objective,
    graph: &'a Graph,
}

impl Case<'_> {
    fn search(&self, task: &PackedTask, options: &SearchOptions) -> SearchResult {
        let options = options.clone().with_objective(self.objective);
        solve(task, &options, &Unlimited)
    }

    /// Every heuristic, each with another choice of symmetry from seed to seed.
    fn searches_agree(&self, tally: &mut Tally) {
        for (index, heuristic) in HEURISTICS.into_iter().enumerate() {
            let symmetry = SYMMETRIES[(self.seed as usize + index) % SYMMETRIES.len()];
            let options = SearchOptions::default()
                .with_all_plans(true)
                .with_heuristic(heuristic)
                .with_symmetry(symmetry);
            let about = format!("{}, {heuristic:?}, {symmetry:?}", self.about);
            let result = self.search(self.task, &options);
            assert_exhausted(&about, self.task, self.objective, self.graph, &result);
            let informed = result.statistics.evaluated > 1;
            tally.note(&format!("guided by {heuristic:?}"), informed);
            let orbits = result.attempts.last();
            if symmetry == SymmetryChoice::Always {
                let alike = orbits.is_some_and(|attempt| attempt.interchangeable > 0);
                tally.note("searches with interchangeable objects", alike);
                let up_to_symmetry = true;
                let counted = self.search(
                    self.task,
                    &options.clone().with_plans_up_to_symmetry(up_to_symmetry),
                );
                let count = |result: &SearchResult| result.dag.as_ref().map(PlanDag::count);
                assert_eq!(count(&counted), count(&result), "{about}");
            }
            let one = options
                .clone()
                .with_all_plans(false)
                .with_pruning(PruningChoice::Always);
            // Of plans that are equally good, what is no part of the objective may differ.
            let value = |result: &SearchResult| {
                let value = result.outcome.plan()?.value;
                let (makespan, labels) = (value.makespan.into(), value.labels.into());
                Some(keys(
                    self.task,
                    self.objective,
                    value.cost,
                    makespan,
                    labels,
                ))
            };
            let found = self.search(self.task, &one);
            assert_eq!(value(&found), value(&result), "{about}, one plan");
            let pruned = found
                .attempts
                .iter()
                .any(|attempt| attempt.pruned > Some(0));
            tally.note("searches that left operators out", pruned);
            if index == self.seed as usize % HEURISTICS.len() {
                let deepening = one
                    .clone()
                    .with_deepening(DeepeningChoice::Always)
                    .with_deepening_limit(50_000);
                let found = self.search(self.task, &deepening);
                if !matches!(found.outcome, Outcome::Bounded { .. }) {
                    assert_eq!(value(&found), value(&result), "{about}, deepening");
                    let last = found.attempts.last();
                    let deepened = last.is_some_and(|attempt| attempt.method == Method::Deepening);
                    tally.note("answers of iterative deepening", deepened);
                }
            }
        }
    }

    fn bounds_hold(&self, tally: &mut Tally) {
        for choice in [
            HeuristicChoice::Abstractions,
            HeuristicChoice::LandmarkCut,
            HeuristicChoice::Potentials,
        ] {
            let (task, objective) = (self.task, self.objective);
            let bounds = LowerBounds::new(task, &task.initial, objective, choice, &Unlimited);
            let Some(mut bounds) = bounds else {
                continue;
            };
            let about = format!("{}, {choice:?}", self.about);
            let (informed, _) =
                assert_bounds(&about, task, objective, self.graph, choice, &mut bounds);
            *tally
                .0
                .entry(format!("states told by {choice:?}"))
                .or_default() += u64::from(informed);
        }
    }

    /// The costs-to-go of all states, where they are few.
    fn distances_agree(&self) {
        let (task, objective) = (self.task, self.objective);
        if self.graph.states.len() > MOST_STARTS {
            return;
        }
        let options = SearchOptions::default().with_objective(objective);
        let mut distances = Distances::new(task, options);
        for (state, to_go) in self.graph.states.iter().zip(&self.graph.to_go) {
            let start = Start { state, agent: 0 };
            let found = distances.cost_to_go(start, &Unlimited).unwrap();
            let found = found.map(|value| {
                let (ticks, labels) = (value.makespan.into(), value.labels.into());
                keys(task, objective, value.cost, ticks, labels)
            });
            assert_eq!(found, *to_go, "{}, cost to go", self.about);
        }
    }

    /// Another task has the same optimum and the same number of plans.
    fn is_the_same_as(&self, other: &PackedTask, what: &str) {
        let options = SearchOptions::default().with_all_plans(true);
        let result = self.search(other, &options);
        let found = result.outcome.plan().map(|plan| {
            let (ticks, labels) = (plan.value.makespan.into(), plan.value.labels.into());
            keys(other, self.objective, plan.value.cost, ticks, labels)
        });
        assert_eq!(found, self.graph.optimum(), "{}, {what}", self.about);
        if let Some(dag) = result.dag {
            let count = self.graph.count().to_string();
            assert_eq!(dag.count().to_string(), count, "{}, {what}", self.about);
        }
    }
}

/// Without a goal the search stores what can be reached: all states, and those in the middle of a step. Returns true if
/// that was compared.
fn all_is_reached(about: &str, task: &PackedTask) -> bool {
    let task = task.changed(|task| task.goal = Some(Cond::False));
    if task.turns == TurnMode::Simultaneous && task.agents.len() > 1
        || task.status(&task.initial) != Status::Running
    {
        return false;
    }
    let Some(graph) = graph_within(&task, Objective::Makespan, MOST_STATES, MOST_STEPS) else {
        return false;
    };
    let states = graph.states.iter().cloned();
    let mut reached: BTreeSet<StateBuf> = states
        .filter(|state| task.status(state) == Status::Running)
        .collect();
    let mut nodes = reached.len();
    for agent in 0..task.choices_per_step() - 1 {
        let mut next = BTreeSet::new();
        for state in &reached {
            for operator in task.applicable(state, agent) {
                let mut after = state.clone();
                task.act(&mut after, operator, &mut Record::default());
                next.insert(after);
            }
        }
        nodes += next.len();
        reached = next;
    }
    let options = SearchOptions::default()
        .with_objective(Objective::Makespan)
        .with_heuristic(HeuristicChoice::Blind)
        .with_symmetry(SymmetryChoice::Never);
    let result = solve(&task, &options, &Unlimited);
    assert_eq!(
        result.outcome,
        Outcome::Unsolvable,
        "{about}, without a goal"
    );
    assert_eq!(
        result.statistics.states, nodes as u64,
        "{about}, without a goal"
    );
    true
}

/// Compares everything of one pair of texts.
fn compare(about: &str, seed: u64, (domain, problem): (&str, &str), tally: &mut Tally) {
    let objective = OBJECTIVES[(seed / 3 % 4) as usize];
    let about = format!("{about} {seed}, {objective:?}");
    tally.note("texts", true);
    let task = compile(domain, problem);
    let reached = all_is_reached(&about, &task);
    tally.note("reachable states counted", reached);
    let Some(graph) = graph_within(&task, objective, MOST_STATES, MOST_STEPS) else {
        return;
    };
    tally.note_task(&task, &graph);
    let case = Case {
        about: &about,
        seed,
        task: &task,
        objective,
        graph: &graph,
    };
    case.searches_agree(tally);
    case.bounds_hold(tally);
    case.distances_agree();
    let mut random = Random::new(seed);
    let shuffled = shuffled(problem, "(:init", &mut random);
    case.is_the_same_as(&compile(domain, &shuffled), "shuffled initial values");
    if task.agents.len() == 1 && task.agents[0].name.is_empty() {
        let all = compile_all(domain, problem);
        tally.note(
            "irrelevant operators",
            all.operators.len() > task.operators.len(),
        );
        case.is_the_same_as(&all, "with what is irrelevant");
    }
}

/// Compares many, and names all seeds that fail and the shortest of their texts.
#[expect(
    clippy::print_stderr,
    reason = "the number of tasks means something together with what they had"
)]
fn compare_all(
    about: &str,
    texts: impl Fn(u64) -> (String, String) + std::panic::RefUnwindSafe,
    default: u64,
) -> Tally {
    let read = |name: &str, default: u64| {
        let text = std::env::var(name).ok();
        text.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let first = read("LANGUAGE_SEED", 0);
    let count = read("LANGUAGE_COUNT", default);
    let mut tally = Tally::default();
    let mut failed = Vec::new();
    for seed in first..first + count {
        let (domain, problem) = texts(seed);
        let compared = std::panic::catch_unwind(|| {
            let mut own = Tally::default();
            compare(about, seed, (&domain, &problem), &mut own);
            own
        });
        match compared {
            Ok(own) => {
                for (what, number) in own.0 {
                    *tally.0.entry(what).or_default() += number;
                }
            }
            Err(_) => failed.push((domain.len(), seed)),
        }
    }
    if let Some(&(_, seed)) = failed.iter().min() {
        let (domain, problem) = texts(seed);
        let seeds: Vec<u64> = failed.iter().map(|&(_, seed)| seed).collect();
        panic!("{about}: seeds {seeds:?}; the smallest is {seed}\n{domain}{problem}");
    }
    eprintln!("{about} from {first}: {:#?}", tally.0);
    tally
}

#[test]
fn texts_that_once_showed_a_defect_are_answered_as_by_exhaustion() {
    // Abstractions took live effects to advance in any order, where a list gives one.
    let seed = 50022;
    let (domain, problem) = walked_texts(seed);
    let mut tally = Tally::default();
    compare("random domain", seed, (&domain, &problem), &mut tally);
    assert_eq!(tally.of("compared"), 1);
}

#[test]
fn tasks_of_all_that_the_language_has_are_answered_as_by_exhaustion() {
    let tally = compare_all("random domain", walked_texts, 80);
    let compared = tally.of("compared");
    assert!(compared * 3 > tally.of("texts"), "{compared} were compared");
    if compared < 60 {
        return;
    }
    for what in [
        "solvable, not by doing nothing",
        "unsolvable",
        "several agents",
        "delayed effects",
        "derived predicates",
        "integers",
        "options or durative actions",
        "minimised cost",
        "maximised cost",
        "no goal",
        "ends",
    ] {
        let number = tally.of(what);
        assert!(number * 50 > compared, "{what}: {number} of {compared}");
    }
}

#[test]
fn tasks_of_twins_are_answered_as_by_exhaustion() {
    let tally = compare_all("twins", twins::texts, 30);
    let (compared, alike) = (
        tally.of("compared"),
        tally.of("searches with interchangeable objects"),
    );
    assert!(
        alike * 5 > compared,
        "{alike} searches for {compared} tasks"
    );
}
