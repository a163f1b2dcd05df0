//! The endpoint of a server: its base URL, from which the addresses of its parts follow.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::str::FromStr;

use ureq::http::Uri;

/// The path of completions, with which many people end a base URL.
const COMPLETIONS: &str = "/chat/completions";

/// The base URL of a server that speaks the chat completions API, such as
/// `https://api.openai.com/v1`: without a slash at its end, without credentials, without a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    base: String,
    loopback: bool,
}

/// The reason why a text is no base URL. It is not repeated where it may hold a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EndpointError {
    /// It is none at all.
    #[error("`{0}` is not a URL such as http://127.0.0.1:8080/v1")]
    NotAUrl(String),
    /// It is one of something else than a web server.
    #[error("`{0}` does not begin with http:// or https://")]
    Scheme(String),
    /// It has a user name or password.
    #[error("the URL holds a user name or a password; a key is given in an environment variable")]
    Credentials,
    /// It has a query or a fragment, which paths cannot be appended to.
    #[error("the URL has a part that begins with `?` or `#`; a base URL ends before that")]
    Query,
}

impl FromStr for Endpoint {
    type Err = EndpointError;

    /// Reads both forms: with and without `/chat/completions`, with and without a last slash.
    fn from_str(text: &str) -> Result<Self, EndpointError> {
        let text = text.trim();
        if text.contains('@') {
            return Err(EndpointError::Credentials);
        }
        if text.contains(['?', '#']) {
            return Err(EndpointError::Query);
        }
        let lower = text.to_ascii_lowercase();
        if !lower.starts_with("http://") && !lower.starts_with("https://") {
            return Err(if lower.contains("://") || lower.starts_with("localhost") {
                EndpointError::Scheme(text.to_owned())
            } else {
                EndpointError::NotAUrl(text.to_owned())
            });
        }
        let not_a_url = || EndpointError::NotAUrl(text.to_owned());
        let uri: Uri = text.parse().map_err(|_| not_a_url())?;
        let host = uri.host().filter(|host| !host.is_empty());
        let host = host.ok_or_else(not_a_url)?;
        let authority = uri.authority().map_or("", |authority| authority.as_str());
        if authority.len() > host.len() && uri.port_u16().is_none() {
            return Err(not_a_url());
        }
        let base = text.trim_end_matches('/');
        let base = base.strip_suffix(COMPLETIONS).unwrap_or(base);
        Ok(Self {
            loopback: is_loopback(host),
            base: base.trim_end_matches('/').to_owned(),
        })
    }
}

impl Endpoint {
    /// Returns the address to which questions are sent.
    pub fn completions(&self) -> String {
        format!("{}{COMPLETIONS}", self.base)
    }

    /// Returns the address of the names of the server's models.
    pub fn models(&self) -> String {
        format!("{}/models", self.base)
    }

    /// Returns whether what is sent there is encrypted.
    pub fn is_secure(&self) -> bool {
        self.base
            .get(..6)
            .is_some_and(|start| start.eq_ignore_ascii_case("https:"))
    }

    /// Returns true if it is this very machine: no proxy leads there.
    pub(super) const fn is_loopback(&self) -> bool {
        self.loopback
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.base)
    }
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']).trim_end_matches('.');
    let address: Option<IpAddr> = host.parse().ok().or_else(|| short_address(host));
    host.eq_ignore_ascii_case("localhost")
        || address.is_some_and(|ip| ip.to_canonical().is_loopback())
}

/// An address of which parts are left out, as systems read it: the last part stands for all that follow.
fn short_address(host: &str) -> Option<IpAddr> {
    let (first, last) = host.split_once('.')?;
    let (first, last): (u8, u32) = (first.parse().ok()?, last.parse().ok()?);
    let number = (u32::from(first) << 24) | last;
    (last < 1 << 24).then(|| Ipv4Addr::from(number).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(text: &str) -> Result<Endpoint, EndpointError> {
        text.parse()
    }

    #[test]
    fn both_forms_of_a_base_url_lead_to_the_same_place() {
        for text in [
            "http://127.0.0.1:8091/v1",
            "http://127.0.0.1:8091/v1/",
            "http://127.0.0.1:8091/v1/chat/completions",
            " http://127.0.0.1:8091/v1/chat/completions/ ",
        ] {
            let endpoint = endpoint(text).unwrap();
            assert_eq!(
                endpoint.completions(),
                "http://127.0.0.1:8091/v1/chat/completions"
            );
            assert_eq!(endpoint.models(), "http://127.0.0.1:8091/v1/models");
            assert_eq!(endpoint.to_string(), "http://127.0.0.1:8091/v1");
        }
    }

    #[test]
    fn a_path_is_taken_as_it_stands() {
        let found = |text| endpoint(text).unwrap().completions();
        assert_eq!(found("http://h"), "http://h/chat/completions");
        assert_eq!(
            found("https://h/api/v1"),
            "https://h/api/v1/chat/completions"
        );
    }

    #[test]
    fn what_is_no_web_address_is_refused() {
        let not_a_url = |text: &str| Err(EndpointError::NotAUrl(text.to_owned()));
        for text in [
            "",
            "v1",
            "/v1",
            "http://",
            "http:///v1",
            "http://a b/v1",
            "http://h:99999/v1",
            "http://h:/v1",
        ] {
            assert_eq!(endpoint(text), not_a_url(text), "{text}");
        }
        for text in ["localhost:8080/v1", "ftp://h/v1", "file:///etc/passwd"] {
            let scheme = Err(EndpointError::Scheme(text.to_owned()));
            assert_eq!(endpoint(text), scheme, "{text}");
        }
        for text in ["http://h/v1?api-version=1", "http://h/v1#top"] {
            assert_eq!(endpoint(text), Err(EndpointError::Query), "{text}");
        }
    }

    #[test]
    fn credentials_in_a_url_are_refused_and_not_repeated() {
        let error = endpoint("https://user:s3cret@h/v1").unwrap_err();
        assert_eq!(error, EndpointError::Credentials);
        assert!(!error.to_string().contains("s3cret"));
    }

    #[test]
    fn this_machine_is_known_by_its_names() {
        for (text, here) in [
            ("http://localhost:1/v1", true),
            ("http://127.0.0.2/v1", true),
            ("http://[::1]:80/v1", true),
            ("http://127.1:80/v1", true),
            ("http://localhost./v1", true),
            ("http://[::ffff:127.0.0.1]/v1", true),
            ("http://128.1/v1", false),
            ("http://localhost.example/v1", false),
        ] {
            assert_eq!(endpoint(text).unwrap().is_loopback(), here, "{text}");
        }
    }
}
