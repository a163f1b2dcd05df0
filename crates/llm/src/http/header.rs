//! Headers that a server asks for beside the key.

use ureq::http::HeaderName;
use ureq::http::header;

use super::secret::Secret;

/// A header that is sent with every request. Its value may be a key: nothing shows it.
#[derive(Clone, Debug)]
pub struct ExtraHeader {
    name: HeaderName,
    value: Secret,
}

/// A header cannot be sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// The name is none.
    #[error("`{0}` is not the name of a header")]
    Name(String),
    /// The key has a place of its own.
    #[error("the header `authorization` holds the key, which is given otherwise")]
    Key,
    /// It is part of every request.
    #[error("the header `{0}` is set by the request itself")]
    Taken(String),
    /// The value is empty or cannot be sent.
    #[error(
        "the value of the header `{0}` is empty, or holds a line break or a character beyond ASCII"
    )]
    Value(String),
}

/// Headers that belong to the request.
const TAKEN: [HeaderName; 9] = [
    header::ACCEPT_ENCODING,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::EXPECT,
    header::HOST,
    header::TE,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

impl ExtraHeader {
    /// A header; the space around its value is left out.
    pub fn new(name: &str, value: &str) -> Result<Self, HeaderError> {
        let value = value.trim();
        let name = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| HeaderError::Name(name.to_owned()))?;
        if name == header::AUTHORIZATION {
            return Err(HeaderError::Key);
        }
        if TAKEN.contains(&name) {
            return Err(HeaderError::Taken(name.to_string()));
        }
        let can_be_sent = |c: char| c.is_ascii_graphic() || c == ' ';
        if value.is_empty() || !value.chars().all(can_be_sent) {
            return Err(HeaderError::Value(name.to_string()));
        }
        Ok(Self {
            name,
            value: Secret(value.to_owned()),
        })
    }

    /// Its name and its value.
    pub(super) fn parts(&self) -> (HeaderName, &str) {
        (self.name.clone(), &self.value.0)
    }

    /// Returns the secret value, which nothing may show.
    pub(super) const fn secret(&self) -> &Secret {
        &self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_has_a_name_in_any_case_and_a_value_that_is_not_shown() {
        let header = ExtraHeader::new("X-Api-Key", " s3cret 1\n").unwrap();
        assert_eq!(header.parts().1, "s3cret 1");
        assert_eq!(format!("{:?}", header.parts().0), "\"x-api-key\"");
        assert!(!format!("{header:?}").contains("s3cret"));
    }

    #[test]
    fn a_header_that_cannot_be_sent_is_refused_without_its_value() {
        let error = |name: &str, value: &str| ExtraHeader::new(name, value).unwrap_err();
        let name = |name: &str| name.to_owned();
        assert_eq!(error("x y", "s3cret"), HeaderError::Name(name("x y")));
        assert_eq!(error("", "s3cret"), HeaderError::Name(name("")));
        assert_eq!(error("Authorization", "s3cret"), HeaderError::Key);
        assert_eq!(error("Host", "s3cret"), HeaderError::Taken(name("host")));
        for value in ["", " ", "a\r\nX-Other: b", "schlüssel"] {
            assert_eq!(error("X-Key", value), HeaderError::Value(name("x-key")));
        }
    }
}
