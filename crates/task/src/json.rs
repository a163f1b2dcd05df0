//! A task as JSON, for other tools: model checkers, learners, planners.
//!
//! `docs/schema/task.schema.json` is the schema of the result of [`document`], and describes each field.
//! Conditions and effects are over facts, `variable = value`; a state is the value of each variable.

mod formulas;
mod identity;
mod writer;

use serde::Serialize;

pub use identity::{fingerprint, is_of_schema_1, planning_fingerprint};
pub use writer::document;

/// The version of the form. It grows when a reader of the old form would go wrong.
pub const SCHEMA: u32 = 2;

/// A task, ready to be written.
#[derive(Clone, Debug, Serialize)]
pub struct Document {
    schema: u32,
    domain: String,
    problem: String,
    semantics: String,
    objects: Vec<JsonObject>,
    predicates: Vec<JsonPredicate>,
    schemas: Vec<String>,
    turns: &'static str,
    any_order: bool,
    agents: Vec<JsonAgent>,
    variables: Vec<JsonVariable>,
    initial: Vec<u32>,
    operators: Vec<JsonOperator>,
    tick: Vec<JsonPhase>,
    announced: Vec<JsonAnnounced>,
    timers: Vec<JsonTimer>,
    live: Option<JsonLiveList>,
    clock: Option<u32>,
    turn: Option<u32>,
    axioms: Vec<JsonLayer>,
    goal: Option<JsonCond>,
    fail: JsonCond,
    end: JsonCond,
    horizon: Option<u32>,
    longest_wait: Option<u32>,
    metric: &'static str,
    cost_scale: i64,
    initial_cost: i64,
    totals: Vec<JsonTotal>,
    labels: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonObject {
    name: String,
    types: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonPredicate {
    name: String,
    kind: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct JsonGroundFact {
    predicate: u32,
    arguments: Vec<u32>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonGroundAction {
    schema: u32,
    arguments: Vec<u32>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonTotal {
    name: String,
    scale: i64,
    initial: i64,
}

#[derive(Clone, Debug, Serialize)]
struct JsonAgent {
    name: String,
    object: Option<u32>,
    role: &'static str,
    operators: Vec<u32>,
    wait: Option<u32>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonVariable {
    name: String,
    kind: &'static str,
    of: Option<JsonGroundFact>,
    low: i64,
    values: Vec<JsonValue>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonValue {
    name: String,
    meaning: JsonMeaning,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum JsonMeaning {
    Nothing,
    Fact(JsonGroundFact),
    Object(u32),
    Number(i64),
    Activity(JsonGroundAction),
    Member(u32),
}

#[derive(Clone, Debug, Serialize)]
struct JsonOperator {
    name: String,
    action: Option<JsonGroundAction>,
    agent: u16,
    kind: &'static str,
    text: String,
    precondition: JsonCond,
    weight: Option<JsonExpr>,
    effect: JsonEffect,
    requirements: Vec<JsonRequirement>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonRequirement {
    condition: JsonCond,
    reason: String,
}

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "phase", rename_all = "snake_case")]
enum JsonPhase {
    Timers,
    Effect { name: String, effect: JsonEffect },
}

#[derive(Clone, Debug, Serialize)]
struct JsonAnnounced {
    phase: usize,
    effect: JsonEffect,
}

#[derive(Clone, Debug, Serialize)]
struct JsonTimer {
    name: String,
    variable: u32,
    runs_while: JsonCond,
    dropped_when: JsonCond,
    every_tick: bool,
    effect: JsonEffect,
}

#[derive(Clone, Debug, Serialize)]
struct JsonLiveList {
    places: Vec<u32>,
    members: Vec<Vec<u32>>,
    skips: bool,
}

#[derive(Clone, Debug, Serialize)]
struct JsonLayer {
    variables: Vec<u32>,
    rules: Vec<JsonRule>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonRule {
    body: JsonCond,
    head: u32,
}

/// `[variable, value]`.
type Fact = (u32, u32);

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum JsonCond {
    True,
    False,
    Facts(Vec<Fact>),
    Not(Box<JsonCond>),
    And(Vec<JsonCond>),
    Or(Vec<JsonCond>),
    Compare {
        left: JsonExpr,
        comparison: &'static str,
        right: JsonExpr,
    },
    Same {
        left: u32,
        right: u32,
        table: Vec<Option<u32>>,
    },
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum JsonExpr {
    Constant(i64),
    Variable(u32),
    Table { variable: u32, values: Vec<i64> },
    Truth(Box<JsonCond>),
    Add(Vec<JsonExpr>),
    Subtract(Vec<JsonExpr>),
    Multiply(Vec<JsonExpr>),
    Abs(Box<JsonExpr>),
    Min(Vec<JsonExpr>),
    Max(Vec<JsonExpr>),
    Case(Vec<JsonCase<JsonExpr>>),
}

#[derive(Clone, Debug, Serialize)]
struct JsonCase<T> {
    #[serde(rename = "if")]
    condition: JsonCond,
    then: T,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum JsonEffect {
    Nothing,
    Set(Fact),
    Clear {
        #[serde(rename = "if")]
        condition: Fact,
        set: Fact,
    },
    Number {
        variable: u32,
        to: JsonExpr,
    },
    Increase {
        variable: u32,
        by: JsonExpr,
    },
    Copy {
        variable: u32,
        from: u32,
        table: Vec<Option<u32>>,
    },
    Block {
        effects: Vec<JsonEffect>,
        snapshot: bool,
    },
    Seq(Vec<JsonEffect>),
    When(Box<JsonCase<JsonEffect>>),
    Case {
        cases: Vec<JsonCase<JsonEffect>>,
        #[serde(rename = "else")]
        otherwise: Box<JsonEffect>,
    },
    Switch {
        variable: u32,
        effects: Vec<JsonEffect>,
    },
    Choose {
        candidates: Vec<JsonCandidate>,
        #[serde(rename = "else")]
        otherwise: Box<JsonEffect>,
    },
    Enlist(u32),
    Log {
        agent: u16,
        label: u32,
    },
    Cost(JsonExpr),
    Total {
        total: u32,
        amount: JsonExpr,
    },
}

#[derive(Clone, Debug, Serialize)]
struct JsonCandidate {
    #[serde(rename = "if")]
    condition: JsonCond,
    keys: Vec<JsonExpr>,
    then: JsonEffect,
}
