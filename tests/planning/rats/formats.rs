//! Summaries, reference files and drawings.

use brigade::rats::References;
use brigade::rats::collab::{self, Export};
use brigade::rats::dot;
use brigade::rats::limits::Limits;
use brigade::rats::summary::{ByAgent, DagSize, Header, Summary};
use brigade::search::dag::Edge;

use serde_json::json;

use crate::rats::dags::*;

#[test]
fn a_small_kitchen_is_summed_up_exported_and_drawn() {
    let (dag, names, labels) = kitchen();
    let references = References::derive(&dag, &names, &labels, &Limits::default());
    let texts: Vec<Words> = references
        .iter()
        .map(|tuple| references.texts(&tuple))
        .collect();
    let exported = format!("{:#}\n", json!(Export(|| texts.clone())));
    let reread = collab::parse(&exported).unwrap();
    assert_eq!(reread.into_values().collect::<Vec<_>>(), texts);

    let header = Header {
        problem: "kitchen".to_owned(),
        semantics: "clean".to_owned(),
        makespan: 4,
        actions: 6,
    };
    let first = ByAgent::new(&references, || [texts[0].clone()]);
    let summary = Summary::new(&references, header, first, Some(DagSize::from(&dag)));
    let edge_name = |edge: &Edge| {
        let entries = edge
            .log
            .iter()
            .map(|entry| labels[entry.label.index()].as_str());
        entries.collect::<Vec<_>>().join("; ")
    };
    snapshots().bind(|| {
        insta::assert_snapshot!("collab_export", exported);
        insta::assert_json_snapshot!("summary", summary);
        insta::assert_snapshot!(
            "agent_dot",
            references.agent_dot(1, None, 100).unwrap().unwrap()
        );
        insta::assert_snapshot!(
            "joint_dot",
            references.joint_dot(None, 100).unwrap().unwrap()
        );
        let drawn = dot::plan_dag(&dag, &names, edge_name, 100).unwrap();
        insta::assert_snapshot!("plan_dag_dot", drawn);
    });
}

#[test]
fn graphs_past_the_limit_are_refused_with_their_size() {
    let (dag, names, labels) = kitchen();
    let references = References::derive(&dag, &names, &labels, &Limits::default());
    let refused = dot::plan_dag(&dag, &names, |_| String::new(), 3).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the graph has 11 nodes, more than the limit of 3"
    );
    assert!(references.agent_dot(0, None, 2).unwrap().is_err());
    assert!(references.agent_dot(2, None, 100).is_none());
    let given_up = References::derive(
        &dag,
        &names,
        &labels,
        &Limits {
            states: 2,
            ..Limits::default()
        },
    );
    assert!(given_up.joint_dot(None, 100).is_none());
}

#[test]
fn a_summary_past_the_limit_has_bounds_instead_of_a_count() {
    let (dag, names, labels) = kitchen();
    let limits = Limits {
        states: 6,
        ..Limits::default()
    };
    let references = References::derive(&dag, &names, &labels, &limits);
    let header = Header {
        problem: "kitchen".to_owned(),
        semantics: "clean".to_owned(),
        makespan: 4,
        actions: 6,
    };
    let summary = Summary::new(&references, header, [(); 0], None);
    snapshots().bind(|| insta::assert_json_snapshot!("summary_with_bounds", summary));
}

#[test]
fn malformed_reference_files_are_explained() {
    let texts = [
        "[]",
        "{",
        "{}",
        r#"{"r": []}"#,
        r#"{"r": {}}"#,
        r#"{"r": {"agent_0": "cut()"}}"#,
        r#"{"r": {"agent_0": ["cut()", 7]}}"#,
        r#"{"r": {"agent_1": []}}"#,
        r#"{"r": {"agent_0": [], "agent_0": []}}"#,
        r#"{"r": {"agent_0": [], "agent_00": []}}"#,
        r#"{"r": {"agent_0": [], "agent_99999999999999999999": []}}"#,
        r#"{"r": {"agent_0": [], "bob": []}}"#,
        r#"{"r": {"agent_": []}}"#,
        r#"{"r": {"agent_0": []}, "r": {"agent_0": []}}"#,
        r#"{"r": {"agent_0": []}, "s": {"agent_0": [], "agent_1": []}}"#,
        r#"{"r": {"agent_0": []}} extra"#,
    ];
    let answers = texts.map(|text| format!("{text}\n  {}\n", collab::parse(text).unwrap_err()));
    snapshots().bind(|| insta::assert_snapshot!("malformed_reference_files", answers.concat()));
}

#[test]
fn all_published_references_are_read_and_survive_a_round_trip() {
    let Some(folder) = upstream() else { return };
    let mut number = 0;
    for entry in std::fs::read_dir(folder.join("rats")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let annotated = collab::parse(&text).unwrap();
        number += annotated.len();
        let names: Vec<String> = (1..=annotated.len())
            .map(|k| format!("reference_{k}"))
            .collect();
        assert_eq!(annotated.keys().cloned().collect::<Vec<_>>(), names);
        let written = json!(Export(|| annotated.values().cloned())).to_string();
        assert_eq!(collab::parse(&written).unwrap(), annotated);
    }
    assert_eq!(number, 65);
}
