//! A reply as it came.

/// A reply as it came; its body is [decoded](super::decode).
#[derive(Clone, Copy, Debug)]
pub struct Reply<'a> {
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: &'a [(String, String)],
    /// The text of the body.
    pub body: &'a str,
}

impl Reply<'_> {
    /// The first header of that name.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}
