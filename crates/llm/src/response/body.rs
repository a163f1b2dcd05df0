//! The body of a reply: its bytes as text, its text as JSON, as far as both can be made out.

use std::borrow::Cow;
use std::io::{self, Read};

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use serde_json::{Map, Value, json};

use super::text::{excerpt, filled};

/// The reason why the text of a body cannot be made out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecodable {
    /// It is damaged; another one may not be.
    Damaged(String),
    /// It is compressed in a way that is not known, or too large.
    Unreadable(String),
}

/// The number of times that a body may be compressed over and over.
const MOST_LAYERS: usize = 3;

/// Decodes the text of a body of `most` bytes at most. A body that was compressed without being asked for is unpacked,
/// and bytes that are no UTF-8 are replaced.
///
/// # Errors
///
/// It is compressed in a way that is not known, cut off, or larger than that.
pub fn decode(bytes: &[u8], encoding: Option<&str>, most: u64) -> Result<String, Undecodable> {
    let encodings = encoding.unwrap_or_default().to_ascii_lowercase();
    let mut bytes = Cow::Borrowed(bytes);
    // The last that is named was done last.
    for encoding in encodings.rsplit(',').take(MOST_LAYERS) {
        if let Some(unpacked) = unpacked(&bytes, encoding.trim(), most)? {
            bytes = Cow::Owned(unpacked);
        }
    }
    Ok(text(&bytes))
}

/// The bytes that were compressed, as they or else its name show how; `None` if it was not.
fn unpacked(bytes: &[u8], encoding: &str, most: u64) -> Result<Option<Vec<u8>>, Undecodable> {
    let is_zlib = |bytes: &[u8]| {
        matches!(bytes, [first, second, ..]
            if *first == 0x78 && (u16::from(*first) << 8 | u16::from(*second)) % 31 == 0)
    };
    match bytes {
        [0x1f, 0x8b, ..] => unpack(MultiGzDecoder::new(bytes), most).map(Some),
        _ if is_zlib(bytes) => unpack(ZlibDecoder::new(bytes), most).map(Some),
        // Some servers call what they send plain by the name of what they would compress it with.
        _ if starts_as_json(bytes) => Ok(None),
        _ if encoding == "deflate" => unpack(DeflateDecoder::new(bytes), most).map(Some),
        _ if matches!(encoding, "br" | "zstd" | "compress") => Err(Undecodable::Unreadable(
            format!("the answer is compressed (`{encoding}`), which was not asked for"),
        )),
        _ => Ok(None),
    }
}

fn starts_as_json(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"{")
}

/// UTF-8, or UTF-16 where a mark or the first character of JSON shows it.
fn text(bytes: &[u8]) -> String {
    let unit = match bytes {
        [0xff, 0xfe, ..] | [b'{', 0, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] | [0, b'{', ..] => u16::from_be_bytes,
        _ => return String::from_utf8_lossy(bytes).into_owned(),
    };
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let units: Vec<u16> = units.collect();
    String::from_utf16_lossy(&units)
}

fn unpack(packed: impl Read, most: u64) -> Result<Vec<u8>, Undecodable> {
    let mut bytes = Vec::new();
    let read = packed.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error: io::Error| {
        let why = format!("the answer is compressed, and cut off or damaged: {error}");
        Undecodable::Damaged(why)
    })?;
    if bytes.len() as u64 > most {
        return Err(Undecodable::Unreadable(too_large(most)));
    }
    Ok(bytes)
}

/// Returns the message for a body of more bytes than that.
pub(crate) fn too_large(most: u64) -> String {
    format!("the answer is larger than {} MiB, and is left", most >> 20)
}

/// The JSON of a body; the events of a stream, which nobody asked for, are put together.
pub(super) fn parse(text: &str) -> Result<Value, String> {
    let is_around = |c: char| c.is_whitespace() || matches!(c, '\0' | '\u{feff}');
    let text = unfenced(text.trim_matches(is_around));
    if text.is_empty() {
        return Err("the answer is empty".to_owned());
    }
    if let Some(payloads) = payloads(text) {
        return join(&payloads).ok_or_else(|| not_json(text, false));
    }
    match value(text) {
        // Some gateways put an error into a list.
        Ok(Value::Array(mut items)) if items.len() == 1 && items[0].is_object() => {
            Ok(items.remove(0))
        }
        other => other.map_err(|is_cut| not_json(text, is_cut)),
    }
}

/// The text within a fence of Markdown, if it is one.
fn unfenced(text: &str) -> &str {
    let inner = text
        .strip_prefix("```")
        .and_then(|it| it.strip_suffix("```"));
    let inner = inner.and_then(|it| it.split_once('\n'));
    inner.map_or(text, |(_, inner)| inner.trim())
}

/// The JSON of a text, mended where it has to be; the error says whether the text was cut off.
fn value(text: &str) -> Result<Value, bool> {
    let strict = serde_json::from_str(text);
    strict
        .or_else(|_| serde_json::from_str(&mended(text)))
        .map_err(|error| error.is_eof())
}

fn not_json(text: &str, is_cut: bool) -> String {
    let begins = excerpt(text);
    if text.starts_with('<') {
        format!("the answer is HTML or XML, not JSON (is the base URL right?): {begins}")
    } else if is_cut && text.starts_with('{') {
        format!("the answer is cut off: {begins}")
    } else {
        format!("the answer is not JSON: {begins}")
    }
}

/// The tokens that are counted in a text that is no JSON as a whole.
pub(super) fn salvaged(text: &str) -> Option<Value> {
    let (_, after) = text.rsplit_once("\"usage\"")?;
    let after = after.trim_start().strip_prefix(':')?;
    let mut values = serde_json::Deserializer::from_str(after).into_iter::<Value>();
    let usage = values.next()?.ok()?;
    Some(json!({ "usage": usage }))
}

/// JSON as lenient writers make it, as JSON: no surrogate alone, no number that is none, no line break
/// within a text.
fn mended(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    let mut in_text = false;
    while let Some(c) = rest.chars().next() {
        let mut taken = c.len_utf8();
        match c {
            '"' => {
                in_text = !in_text;
                mended.push(c);
            }
            '\\' if in_text => taken = mend_escape(rest, &mut mended),
            c if in_text && c < ' ' => mended.push_str(&format!("\\u{:04x}", c as u32)),
            c if !in_text && (c.is_ascii_alphabetic() || c == '-') => {
                let is_of_word = |c: char| c.is_ascii_alphanumeric() || "+-._".contains(c);
                taken = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
                mended.push_str(match &rest[..taken] {
                    "NaN" | "nan" | "-NaN" | "Infinity" | "-Infinity" | "inf" | "-inf" | "None"
                    | "undefined" => "null",
                    "True" => "true",
                    "False" => "false",
                    word => word,
                });
            }
            c => mended.push(c),
        }
        rest = &rest[taken..];
    }
    mended
}

/// Adds the escape that a text begins with, and says how many of its bytes that was.
fn mend_escape(text: &str, mended: &mut String) -> usize {
    let unit = |text: &str| {
        let digits = text.strip_prefix("\\u")?.get(..4)?;
        let is_unit = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_unit
            .then(|| u16::from_str_radix(digits, 16).ok())
            .flatten()
    };
    let keep = |mended: &mut String, bytes: usize| {
        mended.push_str(&text[..bytes]);
        bytes
    };
    match (unit(text), text[1..].chars().next()) {
        (Some(0xd800..0xdc00), _)
            if matches!(text.get(6..).and_then(unit), Some(0xdc00..0xe000)) =>
        {
            keep(mended, 12)
        }
        (Some(0xd800..0xe000), _) => {
            mended.push_str("\\ufffd");
            6
        }
        (Some(_), _) => keep(mended, 6),
        (None, Some('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't')) => keep(mended, 2),
        // An escape of another language.
        (None, _) => 1,
    }
}

/// The contents of the events of a stream; `None` if the text is none.
fn payloads(text: &str) -> Option<Vec<&str>> {
    let fields = ["data:", "event:", "id:", "retry:", ":"];
    let is_field = |line: &str| fields.iter().any(|field| line.starts_with(field));
    if !is_field(text) {
        return None;
    }
    let mut payloads = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        if let Some(data) = line.trim_start().strip_prefix("data:") {
            payloads.push(data.trim());
        } else if !line.trim().is_empty() && !is_field(line.trim_start()) {
            // Signs of life before a whole answer.
            payloads.push(rest.trim());
            break;
        }
        rest = after;
    }
    Some(payloads)
}

/// The answer that the parts of a stream make up; `None` where one is no JSON.
fn join(payloads: &[&str]) -> Option<Value> {
    let mut joined = Joined::default();
    for payload in payloads {
        if *payload != "[DONE]" && !payload.is_empty() {
            joined.add(value(payload).ok()?);
        }
    }
    joined.whole()
}

/// The parts of a stream so far.
#[derive(Default)]
struct Joined {
    /// The fields of each part that describe the whole, the last of each.
    top: Map<String, Value>,
    choice: Map<String, Value>,
    message: Map<String, Value>,
    calls: Vec<(String, String)>,
    is_begun: bool,
}

impl Joined {
    fn add(&mut self, part: Value) {
        let Value::Object(part) = part else { return };
        for (key, value) in part {
            if key == "choices" {
                self.add_choice(value.get(0));
            } else if !value.is_null() {
                self.top.insert(key, value);
            }
        }
    }

    fn add_choice(&mut self, choice: Option<&Value>) {
        let Some(Value::Object(choice)) = choice else {
            return;
        };
        self.is_begun = true;
        for (key, value) in choice {
            match (key.as_str(), value) {
                ("delta" | "message", Value::Object(delta)) => self.add_delta(delta),
                (_, Value::Null) => {}
                _ => {
                    self.choice.insert(key.clone(), value.clone());
                }
            }
        }
    }

    fn add_delta(&mut self, delta: &Map<String, Value>) {
        for (key, value) in delta {
            match (key.as_str(), value) {
                ("tool_calls", Value::Array(calls)) => {
                    for call in calls {
                        self.add_call(call);
                    }
                }
                (
                    "content" | "reasoning_content" | "reasoning" | "refusal",
                    Value::String(more),
                ) => {
                    let before = self.message.get(key).and_then(Value::as_str);
                    let text = before.unwrap_or_default().to_owned() + more;
                    self.message.insert(key.clone(), json!(text));
                }
                (_, Value::Null) => {}
                _ => {
                    self.message.insert(key.clone(), value.clone());
                }
            }
        }
    }

    fn add_call(&mut self, call: &Value) {
        let index = call["index"]
            .as_u64()
            .map_or(self.calls.len(), |at| at as usize);
        let function = &call["function"];
        let name = filled(&function["name"]);
        let arguments = filled(&function["arguments"]).unwrap_or_default();
        match self.calls.get_mut(index) {
            Some((known, text)) => {
                if known.is_empty() {
                    *known = name.unwrap_or_default();
                }
                text.push_str(&arguments);
            }
            None => self.calls.push((name.unwrap_or_default(), arguments)),
        }
    }

    /// A stream that has not said how it ended has not.
    fn whole(mut self) -> Option<Value> {
        if !self.is_begun {
            return (!self.top.is_empty()).then_some(Value::Object(self.top));
        }
        if !self.calls.is_empty() {
            let calls = self.calls.iter();
            let calls = calls.map(
                |(name, arguments)| json!({ "function": { "name": name, "arguments": arguments } }),
            );
            self.message
                .insert("tool_calls".to_owned(), calls.collect());
        }
        self.choice.entry("finish_reason").or_insert(Value::Null);
        let message = Value::Object(self.message);
        self.choice.insert("message".to_owned(), message);
        self.top
            .insert("choices".to_owned(), json!([Value::Object(self.choice)]));
        Some(Value::Object(self.top))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const MOST: u64 = 1 << 20;

    #[test]
    fn what_was_compressed_unasked_is_unpacked_up_to_the_limit() {
        let text = "{\"choices\": []}";
        let packed = |level| {
            let mut gz = flate2::write::GzEncoder::new(Vec::new(), level);
            gz.write_all(text.as_bytes()).unwrap();
            let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), level);
            zlib.write_all(text.as_bytes()).unwrap();
            let mut raw = flate2::write::DeflateEncoder::new(Vec::new(), level);
            raw.write_all(text.as_bytes()).unwrap();
            [gz.finish(), zlib.finish(), raw.finish()].map(Result::unwrap)
        };
        let [gz, zlib, raw] = packed(flate2::Compression::default());
        // Whatever the header says, or does not say.
        assert_eq!(decode(&gz, None, MOST).as_deref(), Ok(text));
        assert_eq!(decode(&gz, Some("deflate"), MOST).as_deref(), Ok(text));
        assert_eq!(decode(&zlib, Some("deflate"), MOST).as_deref(), Ok(text));
        assert_eq!(decode(&raw, Some("deflate"), MOST).as_deref(), Ok(text));
        assert_eq!(
            decode(text.as_bytes(), Some("gzip"), MOST).as_deref(),
            Ok(text)
        );
        let unreadable = |bytes: &[u8], encoding, most| match decode(bytes, encoding, most) {
            Err(Undecodable::Unreadable(why)) => why,
            other => panic!("{other:?}"),
        };
        let parts = [&text.as_bytes()[..5], &text.as_bytes()[5..]].map(|part| {
            let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            gz.write_all(part).unwrap();
            gz.finish().unwrap()
        });
        let members = parts.concat();
        assert_eq!(decode(&members, Some("gzip"), MOST).as_deref(), Ok(text));
        let mut twice = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        twice.write_all(&gz).unwrap();
        let twice = twice.finish().unwrap();
        assert_eq!(
            decode(&twice, Some("gzip, gzip"), MOST).as_deref(),
            Ok(text)
        );
        assert!(unreadable(&gz, None, 8).contains("larger than"));
        assert!(unreadable(&[0x8b, 0x02, 0x80], Some("br"), MOST).contains("`br`"));
        let cut = decode(&gz[..20], None, MOST);
        assert!(matches!(cut, Err(Undecodable::Damaged(_))), "{cut:?}");
    }

    #[test]
    fn text_of_two_bytes_a_character_is_read() {
        let text = "{\"a\": \"café 🍅\"}";
        let le: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let be: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [&le, &be] {
            assert_eq!(decode(bytes, None, MOST).as_deref(), Ok(text));
        }
        let marked = [&[0xff, 0xfe], &le[..]].concat();
        let decoded = decode(&marked, None, MOST).unwrap();
        assert_eq!(parse(&decoded).unwrap()["a"], "café 🍅");
    }

    #[test]
    fn json_of_lenient_writers_is_mended() {
        for (text, expected) in [
            (r#"{"a": "x\ud83dy"}"#, json!({"a": "x\u{fffd}y"})),
            (r#"{"a": "\udc00"}"#, json!({"a": "\u{fffd}"})),
            (
                r#"{"a": "\ud83c\udf45 \ud83d"}"#,
                json!({"a": "🍅 \u{fffd}"}),
            ),
            (
                r#"{"a": "\\ud83d \ud83d"}"#,
                json!({"a": "\\ud83d \u{fffd}"}),
            ),
            (
                r#"{"a": [-Infinity, NaN, Infinity, -1.5e-3], "b": "NaN"}"#,
                json!({"a": [null, null, null, -1.5e-3], "b": "NaN"}),
            ),
            ("{\"a\": \"x\ny\"}", json!({"a": "x\ny"})),
            (r#"{"a": "it\'s"}"#, json!({"a": "it's"})),
            (r#"{"a": "\u12"}"#, json!({"a": "u12"})),
            ("\u{feff}{\"a\": 1, \"a\": 2}", json!({"a": 2})),
            ("[{\"error\": 1}]", json!({"error": 1})),
            ("{\"a\": 1}\n\0\0", json!({"a": 1})),
            ("```json\n{\"a\": 1}\n```\n", json!({"a": 1})),
        ] {
            assert_eq!(parse(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn the_parts_of_a_stream_make_one_answer() {
        let stream = ": PROCESSING\n\n\
            data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"wa\"}}]}\n\n\
            data: {\"choices\":[{\"delta\":{\"content\":\"it\",\"tool_calls\":[{\"index\":0,\
                \"function\":{\"name\":\"answer\",\"arguments\":\"{\"}}]}}]}\n\n\
            data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\
                \"function\":{\"arguments\":\"}\"}}]},\"finish_reason\":\"stop\"}]}\n\n\
            data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1}}\n\ndata: [DONE]\n";
        let joined = parse(stream).unwrap();
        let choice = &joined["choices"][0];
        assert_eq!(choice["message"]["content"], "wait");
        let call = &choice["message"]["tool_calls"][0]["function"];
        assert_eq!(
            (&call["name"], &call["arguments"]),
            (&json!("answer"), &json!("{}"))
        );
        assert_eq!(choice["finish_reason"], "stop");
        assert_eq!(joined["usage"]["prompt_tokens"], 1);
        let cut = parse("data: {\"choices\":[{\"delta\":{\"content\":\"wa\"}}]}").unwrap();
        assert_eq!(cut["choices"][0].get("finish_reason"), Some(&Value::Null));
        let kept_alive = parse(": PROCESSING\n\n: PROCESSING\n\n{\"a\":\n1}").unwrap();
        assert_eq!(kept_alive, json!({"a": 1}));
        assert!(parse("data: {\"choices\"").is_err());
    }

    #[test]
    fn what_is_no_json_is_shown_by_its_beginning() {
        let error = |text: &str| parse(text).unwrap_err();
        assert_eq!(error(" \n"), "the answer is empty");
        let html = error("<!DOCTYPE html>\n<html>It works!</html>");
        assert!(
            html.contains("HTML") && html.contains("It works!"),
            "{html}"
        );
        let cut = error("{\"choices\": [{\"mess");
        assert!(cut.starts_with("the answer is cut off: {"), "{cut}");
        let text = error("Bad\u{1b}[2J gateway");
        assert_eq!(text, "the answer is not JSON: Bad [2J gateway");
        let nested = error(&"[".repeat(100_000));
        assert!(
            nested.starts_with("the answer is not JSON: [[["),
            "{nested}"
        );
        let long = error(&format!("[{}]", "1,".repeat(10_000)));
        assert!(long.chars().count() < 250, "{long}");
    }

    #[test]
    fn what_an_answer_took_is_found_though_it_is_cut_off() {
        let text = "{\"usage\": {\"prompt_tokens\": 3, \"completion_tokens\": 2}, \"choices\": [{";
        assert_eq!(salvaged(text).unwrap()["usage"]["prompt_tokens"], 3);
        assert_eq!(salvaged("{\"usage\": {\"prompt"), None);
    }
}
