//! Scores published with a recorded episode, and how far computed ones differ from them.

use serde::{Deserialize, Serialize};

use super::dialog_scores::{Confusion, Event};
use super::report::EpisodeScore;

/// Published scores of one episode.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct RecordedScores {
    /// True if an order was finished.
    pub success: bool,
    /// TES per agent.
    pub tes: Vec<f64>,
    /// D/m per agent.
    pub recall: Vec<f64>,
    /// D/n per agent.
    pub precision: Vec<f64>,
    /// IC.
    pub ic: f64,
    /// RC.
    pub rc: f64,
    /// The number of scored dialogs.
    pub n_events: usize,
    /// The scored dialogs.
    pub events: Vec<RecordedEvent>,
    /// Events by sign, where published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confusion: Option<Confusion>,
}

/// One published dialog score; the fields are those of [`Event`].
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the fields are described at `Event`")]
pub struct RecordedEvent {
    pub begin_agent: usize,
    #[serde(rename = "H")]
    pub history: Vec<String>,
    #[serde(rename = "R")]
    pub request: Vec<String>,
    #[serde(rename = "R_hat")]
    pub response: Vec<String>,
    pub c1: f64,
    pub c2: f64,
    pub c3: f64,
}

/// A published value that was not reproduced.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Difference {
    /// The field, as a path such as `events[3].c1`.
    pub field: String,
    /// The published value.
    pub published: String,
    /// The computed value.
    pub computed: String,
}

/// Every published value that the computed score misses by more than `tolerance`, in field order.
///
/// The codes of events are not published; the confusion counts, which are, decide them.
pub fn differences(
    score: &EpisodeScore,
    published: &RecordedScores,
    tolerance: f64,
) -> Vec<Difference> {
    let mut found = Differences {
        tolerance,
        list: Vec::new(),
    };
    let own = score.success;
    let own = own.map_or_else(|| "null".to_owned(), |success| success.to_string());
    if own != published.success.to_string() {
        found.push("success", published.success.to_string(), own);
    }
    found.text("agents", &published.tes.len(), &score.agents.len());
    for (agent, own) in score.agents.iter().enumerate() {
        for (name, list, value) in [
            ("tes", &published.tes, own.tes),
            ("recall", &published.recall, own.recall),
            ("precision", &published.precision, own.precision),
        ] {
            // A missing value is unequal to every computed one.
            let theirs = list.get(agent).copied().unwrap_or(f64::NAN);
            found.number(&format!("{name}[{agent}]"), theirs, value);
        }
    }
    let own = &score.collaboration;
    found.number("ic", published.ic, own.ic);
    found.number("rc", published.rc, own.rc);
    found.text("n_events", &published.n_events, &own.events.len());
    found.text("events", &published.events.len(), &own.events.len());
    for (index, (theirs, ours)) in published.events.iter().zip(&own.events).enumerate() {
        found.event(&format!("events[{index}]"), theirs, ours);
    }
    if let Some(confusion) = &published.confusion {
        found.text("confusion", confusion, &own.confusion);
    }
    found.list
}

struct Differences {
    tolerance: f64,
    list: Vec<Difference>,
}

impl Differences {
    fn event(&mut self, place: &str, published: &RecordedEvent, computed: &Event) {
        let field = |name: &str| format!("{place}.{name}");
        self.text(
            &field("begin_agent"),
            &published.begin_agent,
            &computed.begin_agent,
        );
        self.text(&field("H"), &published.history, &computed.history);
        self.text(&field("R"), &published.request, &computed.request);
        self.text(&field("R_hat"), &published.response, &computed.response);
        self.number(&field("c1"), published.c1, computed.c1);
        self.number(&field("c2"), published.c2, computed.c2);
        self.number(&field("c3"), published.c3, computed.c3);
    }

    fn number(&mut self, field: &str, published: f64, computed: f64) {
        let near = (published - computed).abs() <= self.tolerance;
        if !near {
            self.push(field, published.to_string(), computed.to_string());
        }
    }

    fn text<T: std::fmt::Debug + PartialEq>(&mut self, field: &str, published: &T, computed: &T) {
        if published != computed {
            self.push(field, format!("{published:?}"), format!("{computed:?}"));
        }
    }

    fn push(&mut self, field: &str, published: String, computed: String) {
        self.list.push(Difference {
            field: field.to_owned(),
            published,
            computed,
        });
    }
}
