//! Identifies a question: the body as sent, and the number of the take among its answers.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::chat::Take;

/// The key of a question: SHA-256, in hexadecimal digits, of `{"request": body, "take": take}` as
/// JSON without spaces whose objects have their keys in the order of their bytes.
pub fn question_key(body: &Value, take: Take) -> String {
    let digest = digest(body, take);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A number that differs between questions.
pub(crate) fn question_number(body: &Value, take: Take) -> u64 {
    let digest = digest(body, take);
    digest[..8]
        .iter()
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn digest(body: &Value, take: Take) -> [u8; 32] {
    let question = canonical(&json!({ "request": body, "take": take }));
    Sha256::digest(question.to_string()).into()
}

/// The same JSON with the keys of all objects in order.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(canonical).collect(),
        Value::Object(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            let entries = entries.into_iter();
            let entries: Map<_, _> = entries.map(|(k, v)| (k.clone(), canonical(v))).collect();
            Value::Object(entries)
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAKE: Take = Take {
        seed: 1,
        epoch: 2,
        nth: 3,
    };

    #[test]
    fn a_key_is_the_hash_of_the_canonical_question() {
        let body = json!({"model": "m", "messages": [{"role": "user", "content": "é\n"}]});
        let text = "{\"request\":{\"messages\":[{\"content\":\"é\\n\",\"role\":\"user\"}],\
                    \"model\":\"m\"},\"take\":{\"epoch\":2,\"nth\":3,\"seed\":1}}";
        let hash: String = Sha256::digest(text)
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect();
        assert_eq!(question_key(&body, TAKE), hash);
        assert_eq!(hash.len(), 64);
    }

    #[test]
    fn the_order_of_keys_makes_no_question_another() {
        let one = json!({"a": {"b": 1, "c": [{"d": 1, "e": 2}]}, "f": 0.7});
        let two = json!({"f": 0.7, "a": {"c": [{"e": 2, "d": 1}], "b": 1}});
        assert_eq!(question_key(&one, TAKE), question_key(&two, TAKE));
    }

    #[test]
    fn body_and_take_make_a_question_another() {
        let body = json!({"seed": 1});
        let key = question_key(&body, TAKE);
        assert_ne!(key, question_key(&json!({"seed": 2}), TAKE));
        assert_ne!(key, question_key(&json!({"seed": 1, "top_p": null}), TAKE));
        for take in [
            Take { seed: 9, ..TAKE },
            Take { epoch: 9, ..TAKE },
            Take { nth: 9, ..TAKE },
        ] {
            assert_ne!(key, question_key(&body, take));
        }
    }
}
