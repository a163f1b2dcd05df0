//! Reference trajectories of hand-made and random DAGs against enumeration of all plans.

use std::collections::BTreeSet;

use brigade::rats::alphabet::Symbol;
use brigade::rats::limits::{LimitReached, Limits};
use brigade::rats::tes::{Beta, Tes};
use brigade::rats::{References, Tuple};
use brigade::search::dag::{Edge, Node, NodeId, PlanDag};
use brigade::task::{LabelId, LogEntry, OperatorId};
use num_bigint::BigUint;

/// Labels by agent.
type Words = Vec<Vec<String>>;

/// A small generator of pseudo-random numbers (Numerical Recipes' 64-bit LCG).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound as u64) as usize
    }
}

/// Collects edges, then lays them out as a [`PlanDag`] promises.
#[derive(Default)]
struct DagBuilder {
    nodes: Vec<Node>,
    edges: Vec<(usize, usize, Vec<(u16, u32)>)>,
}

impl DagBuilder {
    fn node(&mut self, tick: u32, agent: u16) -> usize {
        self.nodes.push(Node {
            tick,
            agent,
            is_final: false,
        });
        self.nodes.len() - 1
    }

    fn edge(&mut self, source: usize, target: usize, log: &[(u16, u32)]) {
        self.edges.push((source, target, log.to_vec()));
    }

    fn build(mut self) -> PlanDag {
        self.edges.sort_by_key(|edge| edge.0);
        let mut dag = PlanDag::default();
        for (index, node) in self.nodes.iter().enumerate() {
            dag.first_edge.push(dag.edges.len() as u32);
            let leaving: Vec<_> = self.edges.iter().filter(|edge| edge.0 == index).collect();
            for (operator, (_, target, log)) in leaving.iter().enumerate() {
                let log = log.iter().map(|&(agent, label)| LogEntry {
                    agent,
                    label: LabelId(label),
                });
                dag.edges.push(Edge {
                    source: NodeId(index as u32),
                    target: NodeId(*target as u32),
                    agent: node.agent,
                    operator: OperatorId(operator as u32),
                    log: log.collect(),
                });
            }
            dag.nodes.push(Node {
                is_final: leaving.is_empty(),
                ..*node
            });
        }
        dag.first_edge.push(dag.edges.len() as u32);
        dag
    }
}

/// A DAG of `ticks` steps of each agent in turn; some edges are silent, some record several
/// labels, also of another agent. Every node is on a path from the root to an end.
fn random_dag(random: &mut Random, agents: u16, ticks: u32, labels: u32) -> PlanDag {
    let mut builder = DagBuilder::default();
    let mut layer = vec![builder.node(0, 0)];
    for half_step in 1..=ticks * u32::from(agents) {
        let tick = half_step / u32::from(agents);
        let agent = (half_step % u32::from(agents)) as u16;
        let width = 1 + random.below(3);
        let next: Vec<usize> = (0..width).map(|_| builder.node(tick, agent)).collect();
        let mut targets = BTreeSet::new();
        let mut sources = layer.clone();
        while sources.len() < next.len().max(layer.len()) + random.below(3) {
            sources.push(layer[random.below(layer.len())]);
        }
        for (index, source) in sources.into_iter().enumerate() {
            let target = if index < width {
                next[index]
            } else {
                next[random.below(width)]
            };
            targets.insert(target);
            let log: Vec<(u16, u32)> = (0..[0, 0, 1, 1, 2][random.below(5)])
                .map(|_| {
                    let agent = random.below(usize::from(agents)) as u16;
                    (agent, random.below(labels as usize) as u32)
                })
                .collect();
            builder.edge(source, target, &log);
        }
        assert_eq!(targets.len(), next.len());
        layer = next;
    }
    builder.build()
}

fn names(agents: u16) -> Vec<String> {
    (0..agents).map(|agent| format!("agent{agent}")).collect()
}

/// Texts in an order other than that of their ids, two of them equal but for spaces.
fn label_texts() -> Vec<String> {
    ["put(c, d)", "cut()", "put(c,d)", "pick(a)"]
        .map(String::from)
        .to_vec()
}

/// Every plan's records: step by step, each with agent and label.
fn all_records(dag: &PlanDag) -> Vec<Vec<(u32, LogEntry)>> {
    let mut records = Vec::new();
    let mut open = vec![(NodeId(0), Vec::new())];
    while let Some((node, recorded)) = open.pop() {
        if dag.nodes[node.index()].is_final {
            records.push(recorded);
            continue;
        }
        for edge in dag.edges_from(node) {
            let mut recorded = recorded.clone();
            let tick = dag.nodes[node.index()].tick;
            recorded.extend(edge.log.iter().map(|entry| (tick, *entry)));
            open.push((edge.target, recorded));
        }
    }
    records
}

fn key(label: &str) -> String {
    label.replace(' ', "")
}

/// The distinct tuples of words, and the distinct joint words, by enumeration.
fn enumerate(
    dag: &PlanDag,
    agents: u16,
    labels: &[String],
) -> (BTreeSet<Words>, BTreeSet<Vec<(u16, String)>>) {
    let mut tuples = BTreeSet::new();
    let mut joint = BTreeSet::new();
    for mut record in all_records(dag) {
        let mut words = vec![Vec::new(); usize::from(agents)];
        for (_, entry) in &record {
            words[usize::from(entry.agent)].push(key(&labels[entry.label.index()]));
        }
        tuples.insert(words);
        record.sort_by_key(|(tick, entry)| (*tick, entry.agent));
        let joint_word = record.iter();
        joint.insert(
            joint_word
                .map(|(_, entry)| (entry.agent, key(&labels[entry.label.index()])))
                .collect(),
        );
    }
    (tuples, joint)
}

fn keys(references: &References, tuple: &Tuple) -> Words {
    let mut words = references.texts(tuple);
    for label in words.iter_mut().flatten() {
        *label = key(label);
    }
    words
}

fn random_cases() -> impl Iterator<Item = (u64, u16, PlanDag)> {
    (0..300).map(|seed| {
        let mut random = Random(seed * 977 + 5);
        let agents = 1 + (seed % 3) as u16;
        let ticks = 2 + random.below([6, 3, 2][usize::from(agents) - 1]) as u32;
        (seed, agents, random_dag(&mut random, agents, ticks, 4))
    })
}

fn tight() -> Limits<'static> {
    Limits {
        states: 3,
        ..Limits::default()
    }
}

#[test]
fn references_are_the_distinct_projections_of_all_plans_in_order() {
    let labels = label_texts();
    for (seed, agents, dag) in random_cases() {
        let references = References::derive(&dag, &names(agents), &labels, &Limits::default());
        let (tuples, joint) = enumerate(&dag, agents, &labels);
        assert_eq!(references.plans, BigUint::from(all_records(&dag).len()));
        assert_eq!(references.total.exact(), Some(&BigUint::from(tuples.len())));
        let listed: Vec<Words> = references.iter().map(|t| keys(&references, &t)).collect();
        let expected: Vec<Words> = tuples.iter().cloned().collect();
        assert_eq!(listed, expected, "seed {seed}");

        for (agent, words) in references.agents.iter().enumerate() {
            let expected: BTreeSet<_> = tuples.iter().map(|tuple| &tuple[agent]).collect();
            let automaton = words.automaton.as_ref().unwrap();
            let listed: Vec<_> = automaton.iter().collect();
            assert!(listed.is_sorted());
            let listed: BTreeSet<_> = listed
                .iter()
                .map(|t| keys(&references, t).remove(0))
                .collect();
            assert_eq!(listed.iter().collect::<BTreeSet<_>>(), expected);
            assert_eq!(words.count.exact(), Some(&BigUint::from(expected.len())));
            let lengths = || expected.iter().map(|word| word.len() as u32);
            assert_eq!(Some(words.shortest), lengths().min());
            assert_eq!(Some(words.longest), lengths().max());
            assert_eq!(automaton.lengths(), Some((words.shortest, words.longest)));
        }

        let derived = references.joint.as_ref().unwrap();
        let listed: Vec<Vec<(u16, String)>> = derived
            .iter()
            .map(|word| {
                let text = |(agent, symbol)| (agent, key(references.alphabet.text(symbol)));
                word.into_iter().map(text).collect()
            })
            .collect();
        assert_eq!(listed, joint.into_iter().collect::<Vec<_>>(), "seed {seed}");
    }
}

#[test]
fn automata_have_one_state_per_distinct_set_of_continuations() {
    let labels = label_texts();
    for (_, agents, dag) in random_cases() {
        let references = References::derive(&dag, &names(agents), &labels, &Limits::default());
        for words in &references.agents {
            let automaton = words.automaton.as_ref().unwrap();
            let members: Vec<Vec<Symbol>> = automaton.iter().map(|mut t| t.remove(0)).collect();
            let mut prefixes: BTreeSet<&[Symbol]> = BTreeSet::new();
            for member in &members {
                prefixes.extend((0..=member.len()).map(|end| &member[..end]));
            }
            let residuals: BTreeSet<Vec<&[Symbol]>> = prefixes
                .iter()
                .map(|prefix| {
                    members
                        .iter()
                        .filter_map(|m| m.strip_prefix(*prefix))
                        .collect()
                })
                .collect();
            assert_eq!(automaton.states(), residuals.len());
        }
    }
}

#[test]
fn past_the_limit_listing_and_membership_stay_exact_and_the_count_is_an_interval() {
    let labels = label_texts();
    let mut intervals = 0;
    for (seed, agents, dag) in random_cases() {
        let full = References::derive(&dag, &names(agents), &labels, &Limits::default());
        let bounded = References::derive(&dag, &names(agents), &labels, &tight());
        let all: Vec<Tuple> = full.iter().collect();
        assert_eq!(bounded.iter().collect::<Vec<_>>(), all, "seed {seed}");
        let number = BigUint::from(all.len());
        assert!(bounded.total.lower <= number && number <= bounded.total.upper);
        if bounded.tuples.is_err() {
            assert_eq!(bounded.tuples, Err(LimitReached::States));
            intervals += usize::from(bounded.total.exact().is_none());
        }
        for (a, b) in full.agents.iter().zip(&bounded.agents) {
            assert_eq!((a.shortest, a.longest), (b.shortest, b.longest));
            assert!(b.count.lower <= a.count.lower && a.count.upper <= b.count.upper);
        }
        // Members, and tuples that mix the words of two references.
        for (first, second) in all.iter().zip(all.iter().rev()).take(20) {
            let mut mixed = first.clone();
            mixed[0].clone_from(&second[0]);
            for tuple in [first, &mixed] {
                let expected = all.contains(tuple);
                assert_eq!(full.contains(tuple), expected);
                assert_eq!(bounded.contains(tuple), expected);
            }
            let mut cut = first[0].clone();
            cut.pop();
            let expected = all.iter().any(|tuple| tuple[0] == cut);
            assert_eq!(full.contains_word(0, &cut), expected);
            assert_eq!(bounded.contains_word(0, &cut), expected);
        }
    }
    assert!(intervals > 100, "{intervals}");
}

#[test]
fn an_interrupted_derivation_says_so() {
    let (_, agents, dag) = random_cases().last().unwrap();
    let limits = Limits {
        interrupted: &|| true,
        ..Limits::default()
    };
    let references = References::derive(&dag, &names(agents), &label_texts(), &limits);
    assert_eq!(references.tuples, Err(LimitReached::Interrupted));
}

#[test]
fn tes_is_the_best_over_all_references_with_and_without_automata() {
    let labels = label_texts();
    for (seed, agents, dag) in random_cases() {
        let mut random = Random(seed);
        let references = References::derive(&dag, &names(agents), &labels, &tight());
        let all: Vec<Tuple> = references.iter().collect();
        for beta in [
            Beta::default(),
            Beta {
                squared_numerator: 4,
                squared_denominator: 1,
            },
        ] {
            let mut histories: Vec<Vec<Symbol>> = Vec::new();
            for agent in 0..usize::from(agents) {
                let mut history = all[random.below(all.len())][agent].clone();
                for _ in 0..random.below(4) {
                    let place = random.below(history.len() + 1);
                    match random.below(3) {
                        0 => history.insert(place, 1 + random.below(3) as Symbol),
                        1 => history.insert(place, Symbol::MAX),
                        _ => history.truncate(place),
                    }
                }
                let expected = all
                    .iter()
                    .map(|tuple| brute_tes(&history, &tuple[agent], beta));
                let found = references.tes(agent, &history, beta).unwrap();
                let expected = expected.fold(0.0, f64::max);
                assert!(
                    (found.value() - expected).abs() < 1e-12,
                    "seed {seed}: {history:?}"
                );
                histories.push(history);
            }
            let joint = references.joint_tes(&histories, beta, usize::MAX).unwrap();
            let mean = |tuple: &Tuple| {
                let pairs = histories.iter().zip(tuple);
                pairs.map(|(h, g)| brute_tes(h, g, beta)).sum::<f64>() / f64::from(agents)
            };
            let expected = all.iter().map(mean).fold(0.0, f64::max);
            assert!(joint.exact);
            assert!((joint.mean() - expected).abs() < 1e-12, "seed {seed}");
        }
    }
}

/// TES by its definition: the longest prefix that is a subsequence.
fn brute_tes(history: &[Symbol], reference: &[Symbol], beta: Beta) -> f64 {
    if history.is_empty() && reference.is_empty() {
        return 1.0;
    }
    let is_subsequence = |prefix: &[Symbol]| {
        let mut rest = history.iter();
        prefix.iter().all(|label| rest.any(|other| other == label))
    };
    let matched = (0..=reference.len())
        .rev()
        .find(|&end| is_subsequence(&reference[..end]))
        .unwrap();
    let squared = f64::from(beta.squared_numerator) / f64::from(beta.squared_denominator);
    let length = reference.len() as f64 + squared * history.len() as f64;
    (1.0 + squared) * matched as f64 / length
}

#[test]
fn a_history_equal_to_a_reference_scores_one_and_empty_ones_score_by_convention() {
    let mut builder = DagBuilder::default();
    let (root, end) = (builder.node(0, 0), builder.node(1, 0));
    builder.edge(root, end, &[]);
    builder.edge(root, end, &[(0, 1), (0, 3)]);
    let dag = builder.build();
    let references = References::derive(&dag, &names(2), &label_texts(), &Limits::default());
    let score = |agent, history: &[&str]| {
        let history = references.encode(history);
        references
            .tes(agent, &history, Beta::default())
            .unwrap()
            .value()
    };
    assert!((score(0, &["cut( )", "pick(a)"]) - 1.0).abs() < 1e-15);
    assert!((score(0, &[]) - 1.0).abs() < 1e-15);
    assert!((score(1, &[]) - 1.0).abs() < 1e-15);
    assert!(score(1, &["cut()"]).abs() < 1e-15);
    assert!((score(0, &["cut()"]) - 0.655_469_422_911_284).abs() < 1e-12);
    assert!(references.tes(2, &[], Beta::default()).is_none());
}

#[test]
fn scores_are_compared_as_exact_fractions() {
    let beta = Beta {
        squared_numerator: u32::MAX,
        squared_denominator: u32::MAX - 1,
    };
    let less = Tes::new(u32::MAX - 2, u32::MAX - 1, u32::MAX, beta);
    let more = Tes::new(u32::MAX - 1, u32::MAX - 1, u32::MAX, beta);
    assert!(less < more);
    assert_eq!(less, less);
}

#[test]
fn very_many_plans_may_have_few_references() {
    let small = Limits {
        states: 8,
        work: 1000,
        ..Limits::default()
    };
    // Sixty times two silent ways to go on; one of two labels at the end.
    let mut builder = DagBuilder::default();
    let mut at = builder.node(0, 0);
    for tick in 1..=60 {
        let next = builder.node(tick, 0);
        builder.edge(at, next, &[]);
        builder.edge(at, next, &[]);
        at = next;
    }
    let end = builder.node(61, 0);
    builder.edge(at, end, &[(0, 1)]);
    builder.edge(at, end, &[(0, 3)]);
    let references = References::derive(&builder.build(), &names(1), &label_texts(), &small);
    assert_eq!(references.plans, BigUint::from(1_u64 << 61));
    assert_eq!(references.total.exact(), Some(&BigUint::from(2_u32)));
    assert_eq!(references.iter().count(), 2);
}

#[test]
fn very_many_references_are_counted_without_listing_them() {
    // Two agents, one of two labels each at every one of 200 steps.
    let mut builder = DagBuilder::default();
    let mut at = builder.node(0, 0);
    for tick in 1..=200 {
        let half = builder.node(tick - 1, 1);
        let next = builder.node(tick, 0);
        builder.edge(at, half, &[(0, 1)]);
        builder.edge(at, half, &[(0, 3)]);
        builder.edge(half, next, &[(1, 1)]);
        builder.edge(half, next, &[(1, 3)]);
        at = next;
    }
    let references = References::derive(
        &builder.build(),
        &names(2),
        &label_texts(),
        &Limits::default(),
    );
    assert_eq!(
        references.total.exact(),
        Some(&BigUint::from(2_u32).pow(400))
    );
    assert_eq!(
        references.agents[0].automaton.as_ref().unwrap().states(),
        201
    );
    assert_eq!(references.iter().take(3).count(), 3);
}

#[test]
fn plans_of_a_hundred_thousand_ticks_are_no_problem() {
    let ticks = 100_000;
    // Laid out directly: one path, a label of each agent now and then.
    let mut dag = PlanDag::default();
    for tick in 0..=ticks {
        dag.first_edge.push(dag.edges.len() as u32);
        dag.nodes.push(Node {
            tick,
            agent: 0,
            is_final: tick == ticks,
        });
        if tick < ticks {
            let log: Box<[LogEntry]> = if tick % 2 == 0 {
                Box::new([LogEntry {
                    agent: (tick / 2 % 2) as u16,
                    label: LabelId(1),
                }])
            } else {
                Box::default()
            };
            dag.edges.push(Edge {
                source: NodeId(tick),
                target: NodeId(tick + 1),
                agent: 0,
                operator: OperatorId(0),
                log,
            });
        }
    }
    dag.first_edge.push(dag.edges.len() as u32);
    let limits = Limits {
        work: 2_000_000,
        ..Limits::default()
    };
    let references = References::derive(&dag, &names(2), &label_texts(), &limits);
    assert_eq!(references.total.exact(), Some(&BigUint::from(1_u32)));
    assert_eq!(references.agents[1].longest, 25_000);
    let reference = references.iter().next().unwrap();
    assert_eq!(reference[0].len(), 25_000);
    assert!(references.contains(&reference));
    let score = references.tes(0, &reference[0], Beta::default()).unwrap();
    assert!((score.value() - 1.0).abs() < 1e-15);
}

#[test]
fn a_dag_without_plans_has_no_references() {
    let references = References::derive(&PlanDag::default(), &names(2), &[], &Limits::default());
    assert_eq!(references.total.exact(), Some(&BigUint::ZERO));
    assert_eq!(references.iter().count(), 0);
    assert!(references.tes(0, &[], Beta::default()).is_none());
    assert!(!references.contains(&[vec![], vec![]]));
}
