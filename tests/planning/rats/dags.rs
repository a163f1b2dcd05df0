//! DAGs of plans made by hand and at random, and what enumeration of all plans says of them.

use std::collections::{BTreeMap, BTreeSet};

use brigade::rats::alphabet::Symbol;
use brigade::rats::limits::Limits;
use brigade::rats::tes::Beta;
use brigade::rats::{References, Tuple};
use brigade::search::dag::{Edge, Node, NodeId, PlanDag};
use brigade::task::{LabelId, LogEntry, OperatorId};

/// The log of an edge: agent and label.
pub(crate) type Log = Vec<(u16, u32)>;

/// Labels by agent.
pub(crate) type Words = Vec<Vec<String>>;

/// A small generator of pseudo-random numbers (Numerical Recipes' 64-bit LCG).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound as u64) as usize
    }
}

/// Collects edges, then lays them out as a [`PlanDag`] promises.
#[derive(Default)]
pub(crate) struct DagBuilder {
    nodes: Vec<Node>,
    edges: Vec<(usize, usize, Log)>,
}

impl DagBuilder {
    pub(crate) fn node(&mut self, tick: u32, agent: u16) -> usize {
        self.nodes.push(Node {
            tick,
            agent,
            is_final: false,
        });
        self.nodes.len() - 1
    }

    pub(crate) fn edge(&mut self, source: usize, target: usize, log: &[(u16, u32)]) {
        self.edges.push((source, target, log.to_vec()));
    }

    pub(crate) fn build(mut self) -> PlanDag {
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
pub(crate) fn random_dag(random: &mut Random, agents: u16, ticks: u32, labels: u32) -> PlanDag {
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

pub(crate) fn names(agents: u16) -> Vec<String> {
    (0..agents).map(|agent| format!("agent{agent}")).collect()
}

/// Texts in an order other than that of their ids, two of them equal but for spaces.
pub(crate) fn label_texts() -> Vec<String> {
    ["put(c, d)", "cut()", "put(c,d)", "pick(a)"]
        .map(String::from)
        .to_vec()
}

/// Every plan's records: step by step, each with agent and label.
pub(crate) fn all_records(dag: &PlanDag) -> Vec<Vec<(u32, LogEntry)>> {
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

pub(crate) fn key(label: &str) -> String {
    label.replace(' ', "")
}

/// The distinct tuples of words, and the distinct joint words, by enumeration.
pub(crate) fn enumerate(
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

pub(crate) fn keys(references: &References, tuple: &Tuple) -> Words {
    let mut words = references.texts(tuple);
    for label in words.iter_mut().flatten() {
        *label = key(label);
    }
    words
}

pub(crate) fn random_cases() -> impl Iterator<Item = (u64, u16, PlanDag)> {
    (0..300).map(|seed| {
        let mut random = Random(seed * 977 + 5);
        let agents = 1 + (seed % 3) as u16;
        let ticks = 2 + random.below([6, 3, 2][usize::from(agents) - 1]) as u32;
        (seed, agents, random_dag(&mut random, agents, ticks, 4))
    })
}

pub(crate) fn tight() -> Limits<'static> {
    Limits {
        states: 3,
        ..Limits::default()
    }
}

/// TES by its definition: the longest prefix that is a subsequence.
pub(crate) fn brute_tes(history: &[Symbol], reference: &[Symbol], beta: Beta) -> f64 {
    if history.is_empty() && reference.is_empty() {
        return 1.0;
    }
    let is_subsequence = |prefix: &[Symbol]| {
        let mut rest = history.iter();
        prefix.iter().all(|label| rest.any(|other| other == label))
    };
    let prefixes = (0..=reference.len()).take_while(|&end| is_subsequence(&reference[..end]));
    let matched = prefixes.last().unwrap_or(0);
    let squared = f64::from(beta.squared_numerator) / f64::from(beta.squared_denominator);
    let length = reference.len() as f64 + squared * history.len() as f64;
    (1.0 + squared) * matched as f64 / length
}

/// Chef and assistant: the assistant fetches the egg or the dish first; waiting is silent.
pub(crate) fn kitchen() -> (PlanDag, Vec<String>, Vec<String>) {
    let labels = [
        "pickup(egg, dispenser)",
        "place()",
        "pickup(dish, dispenser)",
        "pickup(egg, counter)",
        "cook(\"pot\")",
        "deliver()",
    ];
    let mut builder = DagBuilder::default();
    let half_steps: Vec<usize> = (0..8)
        .map(|half| builder.node(half / 2, (half % 2) as u16))
        .collect();
    let late = builder.node(1, 0);
    let later = builder.node(1, 1);
    let at = |half: usize| half_steps[half];
    builder.edge(at(0), at(1), &[]);
    builder.edge(at(1), at(2), &[(1, 0)]);
    builder.edge(at(1), late, &[(1, 2)]);
    builder.edge(at(2), at(3), &[]);
    builder.edge(at(3), at(4), &[(1, 1)]);
    builder.edge(late, later, &[]);
    builder.edge(later, at(4), &[(1, 0), (1, 1)]);
    builder.edge(at(4), at(5), &[(0, 3)]);
    builder.edge(at(5), at(6), &[]);
    builder.edge(at(6), at(7), &[(0, 4)]);
    let end = builder.node(4, 0);
    builder.edge(at(7), end, &[(0, 5), (1, 2)]);
    builder.edge(at(7), end, &[(0, 5)]);
    let names = ["chef", "assistant"].map(String::from).to_vec();
    (
        builder.build_sorted(),
        names,
        labels.map(String::from).to_vec(),
    )
}

impl DagBuilder {
    /// Renumbers the nodes in order of tick and agent first.
    pub(crate) fn build_sorted(mut self) -> PlanDag {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&node| (self.nodes[node].tick, self.nodes[node].agent));
        let mut number = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            number[old] = new;
        }
        self.nodes = order.iter().map(|&old| self.nodes[old]).collect();
        for edge in &mut self.edges {
            (edge.0, edge.1) = (number[edge.0], number[edge.1]);
        }
        self.build()
    }
}

pub(crate) fn snapshots() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/rats"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

/// The folder of recorded upstream data, where there is one.
#[expect(clippy::print_stderr, reason = "a skipped test says so aloud")]
pub(crate) fn upstream() -> Option<std::path::PathBuf> {
    let folder = std::env::var_os("BRIGADE_UPSTREAM");
    if folder.is_none() {
        eprintln!("BRIGADE_UPSTREAM is not set: the upstream data are not tested");
    }
    Some(std::path::PathBuf::from(folder?).join("collab-overcooked"))
}

/// The second agent hands on `items` items in any order, at most two ahead of the first agent,
/// who takes them in the order in which they come.
pub(crate) fn hand_over(items: u32) -> PlanDag {
    let mut builder = DagBuilder::default();
    let mut layer = BTreeMap::from([((BTreeSet::new(), Vec::new()), builder.node(0, 0))]);
    for tick in 1..=2 * items {
        let mut next = BTreeMap::new();
        for ((handed, counter), node) in layer {
            let handing = (0..items).filter(|item| counter.len() < 2 && !handed.contains(item));
            let mut steps: Vec<_> = handing
                .map(|item| {
                    let (mut handed, mut counter) = (handed.clone(), counter.clone());
                    handed.insert(item);
                    counter.push(item);
                    ((handed, counter), (1, item))
                })
                .collect();
            if let Some((&taken, rest)) = counter.split_first() {
                steps.push(((handed.clone(), rest.to_vec()), (0, taken)));
            }
            for (state, entry) in steps {
                let target = *next.entry(state).or_insert_with(|| builder.node(tick, 0));
                builder.edge(node, target, &[entry]);
            }
        }
        layer = next;
    }
    builder.build()
}
