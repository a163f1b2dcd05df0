//! Describes the difference between a question that is not on a cassette and the most similar one that is.

use serde_json::Value;

use super::line::Line;
use crate::chat::Take;
use crate::response::excerpt;

/// Says it in words, such as `the model is "b", on the cassette "a"`.
pub(super) fn difference<'a>(
    lines: impl Iterator<Item = &'a Line>,
    body: &Value,
    take: Take,
) -> String {
    // The last of the greatest: which one it is depends on the keys alone.
    let nearest = lines.max_by_key(|line| likeness(line, body, take));
    let Some(line) = nearest else {
        return "the cassette is empty".to_owned();
    };
    let mut differences = Vec::new();
    if body["model"] != line.request["model"] {
        let [ours, theirs] = [body, &line.request].map(|body| shown(&body["model"]));
        differences.push(format!("the model is {ours}, on the cassette {theirs}"));
    }
    if body["messages"] != line.request["messages"] {
        differences.push(messages(&body["messages"], &line.request["messages"]));
    }
    for name in other_fields(body, &line.request) {
        let [ours, theirs] = [body, &line.request].map(|body| match body.get(name) {
            Some(value) => shown(value),
            None => "not set".to_owned(),
        });
        differences.push(format!("`{name}` is {ours}, on the cassette {theirs}"));
    }
    if take != line.take {
        differences.push(format!(
            "it is take {} of seed {} in repetition {}, on the cassette take {} of seed {} in \
             repetition {}",
            take.nth, take.seed, take.epoch, line.take.nth, line.take.seed, line.take.epoch
        ));
    }
    differences.join("; ")
}

/// Returns the likeness of a line and a question: messages from the start on, then fields, then the take.
fn likeness(line: &Line, body: &Value, take: Take) -> (usize, usize, usize, bool) {
    let model = body["model"] == line.request["model"];
    let same = same_from_the_start(&body["messages"], &line.request["messages"]);
    let differing = other_fields(body, &line.request).len();
    (
        same,
        usize::from(model),
        usize::MAX - differing,
        take == line.take,
    )
}

fn same_from_the_start(ours: &Value, theirs: &Value) -> usize {
    let (Some(ours), Some(theirs)) = (ours.as_array(), theirs.as_array()) else {
        return 0;
    };
    let pairs = ours.iter().zip(theirs);
    pairs.take_while(|(ours, theirs)| ours == theirs).count()
}

/// Describes the first difference between messages, and the character at which it begins.
fn messages(ours: &Value, theirs: &Value) -> String {
    let same = same_from_the_start(ours, theirs);
    let number = same + 1;
    let [our_text, their_text] = [ours, theirs].map(|messages| {
        let content = messages[same]["content"].as_str();
        content.unwrap_or_default().to_owned()
    });
    match (ours.get(same).is_some(), theirs.get(same).is_some()) {
        (true, false) => format!("there is a message {number}, on the cassette there is none"),
        (false, true) => format!("there is no message {number}, on the cassette there is one"),
        _ => {
            let pairs = our_text.chars().zip(their_text.chars());
            let equal = pairs.take_while(|(ours, theirs)| ours == theirs).count();
            let from = |text: &str| {
                let text: String = text.chars().skip(equal).take(40).collect();
                format!("`{}`", excerpt(&text))
            };
            let (ours, theirs) = (from(&our_text), from(&their_text));
            format!(
                "message {number} reads {ours} from character {} on, on the cassette {theirs}",
                equal + 1
            )
        }
    }
}

/// The names of the fields, beside model and messages, in which two bodies differ, in order.
fn other_fields<'a>(ours: &'a Value, theirs: &'a Value) -> Vec<&'a str> {
    let names = |body: &'a Value| body.as_object().into_iter().flat_map(|body| body.keys());
    let mut all: Vec<&str> = names(ours)
        .chain(names(theirs))
        .map(String::as_str)
        .collect();
    all.sort_unstable();
    all.dedup();
    all.retain(|name| !["model", "messages"].contains(name) && ours.get(name) != theirs.get(name));
    all
}

fn shown(value: &Value) -> String {
    excerpt(&value.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::cassette::line::Answer;
    use crate::cassette::question_key;

    const TAKE: Take = Take {
        seed: 1,
        epoch: 1,
        nth: 0,
    };

    fn line(request: Value, take: Take) -> Line {
        Line {
            key: question_key(&request, take),
            take,
            request,
            answer: Answer::Refused {
                status: 400,
                message: String::new(),
            },
        }
    }

    fn body(model: &str, messages: &[&str], temperature: f64) -> Value {
        let messages: Vec<Value> = messages
            .iter()
            .map(|text| json!({"content": text}))
            .collect();
        json!({"model": model, "messages": messages, "temperature": temperature})
    }

    fn found(question: &Value, take: Take) -> String {
        let lines = [
            line(body("a", &["be brief", "first"], 0.5), TAKE),
            line(body("a", &["be brief", "second"], 0.5), TAKE),
            line(body("b", &["be long"], 0.5), TAKE),
        ];
        difference(lines.iter(), question, take)
    }

    #[test]
    fn the_field_that_differs_is_named() {
        let question = body("c", &["be brief", "first"], 0.5);
        assert_eq!(
            found(&question, TAKE),
            "the model is \"c\", on the cassette \"a\""
        );
        let question = body("a", &["be brief", "second"], 0.25);
        let expected = "`temperature` is 0.25, on the cassette 0.5";
        assert_eq!(found(&question, TAKE), expected);
        let mut question = body("b", &["be long"], 0.5);
        question["seed"] = json!(7);
        assert_eq!(
            found(&question, TAKE),
            "`seed` is 7, on the cassette not set"
        );
    }

    #[test]
    fn the_place_where_messages_differ_is_named() {
        let question = body("b", &["be longer"], 0.5);
        let expected = "message 1 reads `er` from character 8 on, on the cassette ``";
        assert_eq!(found(&question, TAKE), expected);
        let question = body("b", &["be long", "more"], 0.5);
        let expected = "there is a message 2, on the cassette there is none";
        assert_eq!(found(&question, TAKE), expected);
        let question = body("b", &[], 0.5);
        assert!(found(&question, TAKE).contains("there is no message 1"));
    }

    #[test]
    fn another_take_of_the_very_question_is_named() {
        let take = Take { epoch: 2, ..TAKE };
        let expected = "it is take 0 of seed 1 in repetition 2, on the cassette take 0 of seed 1 \
                        in repetition 1";
        assert_eq!(found(&body("b", &["be long"], 0.5), take), expected);
    }

    #[test]
    fn an_empty_cassette_is_called_so() {
        assert_eq!(
            difference([].iter(), &json!({}), TAKE),
            "the cassette is empty"
        );
    }
}
