//! The way to a server: through which proxy, and whose certificates are trusted there.
//!
//! Variables of the environment say so, as other programs read them. A value that cannot be followed is refused: a
//! connection that goes another way than it was meant to may give away what is asked.

use std::fmt;
use std::net::IpAddr;

use ureq::Proxy;
use ureq::http::Uri;
use ureq::tls::{PemItem, RootCerts, parse_pem};

use crate::endpoint::Endpoint;

/// The way to a server; by default straight, to one whose certificate a public authority has signed.
#[derive(Clone, Default)]
pub struct Route {
    pub(super) proxy: Option<Proxy>,
    pub(super) roots: Option<RootCerts>,
}

/// A variable of the environment that cannot be followed. Its value may be a password, and is not repeated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RouteError {
    /// It names no proxy.
    #[error("the environment variable `{0}` is not the URL of a proxy such as http://proxy:3128")]
    Proxy(&'static str),
    /// It is no list of hosts.
    #[error(
        "the environment variable `{variable}` holds `{entry}`, which is no host, address or network"
    )]
    NoProxy {
        /// The variable.
        variable: &'static str,
        /// The fault.
        entry: String,
    },
    /// A file holds no certificates.
    #[error("the file holds no certificates (PEM)")]
    Certificates,
}

impl Route {
    /// The way to an endpoint, by the variables of the environment. No proxy leads to this very machine.
    ///
    /// # Errors
    ///
    /// A variable names something else than a proxy, or than hosts.
    pub fn new(
        endpoint: &Endpoint,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, RouteError> {
        if endpoint.is_loopback() {
            return Ok(Self::default());
        }
        let set = |names: &[&'static str]| {
            let mut names = names.iter();
            names.find_map(|&name| {
                let value = variable(name)?.trim().to_owned();
                (!value.is_empty()).then_some((name, value))
            })
        };
        let own = if endpoint.is_secure() {
            ["https_proxy", "HTTPS_PROXY"]
        } else {
            ["http_proxy", "HTTP_PROXY"]
        };
        let Some((name, url)) = set(&own).or_else(|| set(&["all_proxy", "ALL_PROXY"])) else {
            return Ok(Self::default());
        };
        if let Some((name, list)) = set(&["no_proxy", "NO_PROXY"])
            && is_exempt(endpoint, name, &list)?
        {
            return Ok(Self::default());
        }
        let proxy = Proxy::new(&url).map_err(|_| RouteError::Proxy(name))?;
        let authority = proxy.uri().authority().map_or("", |it| it.as_str());
        let place = authority.rsplit('@').next().unwrap_or_default();
        if place.len() > proxy.host().len() && proxy.uri().port_u16().is_none() {
            return Err(RouteError::Proxy(name));
        }
        Ok(Self {
            proxy: Some(proxy),
            roots: None,
        })
    }

    /// The same way to a server that one of these authorities vouches for, and no other.
    ///
    /// # Errors
    ///
    /// There is no certificate in the text (PEM).
    pub fn trusting(self, pem: &[u8]) -> Result<Self, RouteError> {
        let mut certificates = Vec::new();
        for item in parse_pem(pem) {
            if let PemItem::Certificate(certificate) = item.map_err(|_| RouteError::Certificates)? {
                certificates.push(certificate);
            }
        }
        if certificates.is_empty() {
            return Err(RouteError::Certificates);
        }
        Ok(Self {
            roots: Some(certificates.into()),
            ..self
        })
    }
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Route");
        let proxy = self.proxy.as_ref().map(Proxy::host);
        shown.field("proxy", &proxy).finish_non_exhaustive()
    }
}

/// Returns whether no proxy is to lead to an endpoint, by a list of hosts (with all below them), addresses and
/// networks, with or without a port; `*` is all.
fn is_exempt(endpoint: &Endpoint, variable: &'static str, list: &str) -> Result<bool, RouteError> {
    let uri: Option<Uri> = endpoint.models().parse().ok();
    let host = uri.as_ref().and_then(Uri::host).unwrap_or_default();
    let host = host.trim_matches(['[', ']']).trim_end_matches('.');
    let host = host.to_ascii_lowercase();
    let port = uri.as_ref().and_then(Uri::port_u16);
    let port = port.unwrap_or(if endpoint.is_secure() { 443 } else { 80 });
    let address: Option<IpAddr> = host.parse().ok();
    let mut is_exempt = false;
    let entries = list.split([',', ' ']).map(str::trim);
    for entry in entries.filter(|entry| !entry.is_empty()) {
        let wrong = || RouteError::NoProxy {
            variable,
            entry: entry.to_owned(),
        };
        is_exempt |= if entry == "*" {
            true
        } else if let Some((network, rest)) = entry.split_once('/') {
            let (bits, of_port) = with_port(rest).ok_or_else(wrong)?;
            let network = network.trim_matches(['[', ']']);
            let network = network.parse().map_err(|_| wrong())?;
            let bits = bits.parse().map_err(|_| wrong())?;
            let is_within = is_within(address, network, bits).ok_or_else(wrong)?;
            is_within && of_port.is_none_or(|of_port| of_port == port)
        } else if let Ok(own) = entry.trim_matches(['[', ']']).parse::<IpAddr>() {
            address == Some(own)
        } else {
            let (name, of_port) = with_port(entry).ok_or_else(wrong)?;
            let name = name.trim_start_matches('*').trim_start_matches('.');
            let name = name.trim_matches(['[', ']']).trim_end_matches('.');
            if name.contains('*') {
                return Err(wrong());
            }
            let name = name.to_ascii_lowercase();
            let above = host.strip_suffix(&name);
            let is_host = above.is_some_and(|above| above.is_empty() || above.ends_with('.'));
            !name.is_empty() && is_host && of_port.is_none_or(|of_port| of_port == port)
        };
    }
    Ok(is_exempt)
}

/// Returns the text before a port, and the port, if there is one; `None` where it is none.
fn with_port(text: &str) -> Option<(&str, Option<u16>)> {
    match text.rsplit_once(':') {
        Some((before, port)) => Some((before, Some(port.parse().ok()?))),
        None => Some((text, None)),
    }
}

/// Returns whether an address is within a network; `None` if no network has so many bits.
fn is_within(address: Option<IpAddr>, network: IpAddr, bits: u32) -> Option<bool> {
    let first = |bits: u32, width: u32, number: u128| {
        (bits <= width).then(|| number.checked_shr(width - bits).unwrap_or(0))
    };
    match (address, network) {
        (Some(IpAddr::V4(address)), IpAddr::V4(network)) => {
            let of = |ip: std::net::Ipv4Addr| first(bits, 32, u128::from(u32::from(ip)));
            Some(of(address)? == of(network)?)
        }
        (Some(IpAddr::V6(address)), IpAddr::V6(network)) => {
            let of = |ip: std::net::Ipv6Addr| first(bits, 128, u128::from(ip));
            Some(of(address)? == of(network)?)
        }
        (_, IpAddr::V4(_)) => (bits <= 32).then_some(false),
        (_, IpAddr::V6(_)) => (bits <= 128).then_some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The host of the proxy that leads to an endpoint.
    fn proxy(endpoint: &str, variables: &[(&str, &str)]) -> Result<Option<String>, RouteError> {
        let variable = |name: &str| {
            let found = variables.iter().find(|(other, _)| *other == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        let route = Route::new(&endpoint.parse().unwrap(), variable)?;
        Ok(route.proxy.map(|proxy| proxy.host().to_owned()))
    }

    #[test]
    fn a_proxy_is_that_of_the_scheme_or_of_all() {
        let both = [
            ("HTTPS_PROXY", "http://secure:1"),
            ("ALL_PROXY", "http://all:1"),
        ];
        assert_eq!(proxy("https://h/v1", &both), Ok(Some("secure".to_owned())));
        assert_eq!(proxy("http://h/v1", &both), Ok(Some("all".to_owned())));
        assert_eq!(proxy("http://127.0.0.1:8080/v1", &both), Ok(None));
        assert_eq!(proxy("https://h/v1", &[("HTTPS_PROXY", " ")]), Ok(None));
        let socks = [("ALL_PROXY", "socks5://s:1080")];
        assert_eq!(proxy("https://h/v1", &socks), Ok(Some("s".to_owned())));
    }

    #[test]
    fn hosts_addresses_and_networks_are_exempt() {
        for (list, is_exempt) in [
            ("10.0.0.0/8", true),
            ("10.2.0.0/16", false),
            ("10.0.0.0/8:8000", true),
            ("10.0.0.0/8:80", false),
            ("0.0.0.0/0", true),
            ("fe80::/10", false),
            ("10.1.2.3", true),
            ("10.1.2.3:8000", true),
            ("10.1.2.3:80", false),
            ("example.org, 10.0.0.0/8", true),
            ("*", true),
        ] {
            let variables = [("http_proxy", "http://p:1"), ("NO_PROXY", list)];
            let found = proxy("http://10.1.2.3:8000/v1", &variables).unwrap();
            assert_eq!(found.is_none(), is_exempt, "{list}");
        }
        for (list, is_exempt) in [
            ("example.org", true),
            (".example.org", true),
            ("*.example.org", true),
            ("example.org.", true),
            ("ample.org", false),
            ("llm.EXAMPLE.org:443", true),
            ("llm.example.org:80", false),
        ] {
            let variables = [("https_proxy", "http://p:1"), ("no_proxy", list)];
            let found = proxy("https://llm.example.org/v1", &variables).unwrap();
            assert_eq!(found.is_none(), is_exempt, "{list}");
        }
    }

    #[test]
    fn what_cannot_be_followed_is_refused_and_not_passed_by() {
        for url in [
            "http://",
            "ftp://user:s3cret@p:1",
            "http://p:port",
            "no such thing",
        ] {
            let error = proxy("https://h/v1", &[("HTTPS_PROXY", url)]).unwrap_err();
            assert_eq!(error, RouteError::Proxy("HTTPS_PROXY"), "{url}");
        }
        for list in ["10.0.0.0/33", "10.0.0.0/x", "host:port", "10.*"] {
            let variables = [("ALL_PROXY", "http://p:1"), ("NO_PROXY", list)];
            let error = proxy("https://h/v1", &variables).unwrap_err();
            assert!(error.to_string().contains(list), "{error}");
        }
        let route = Route::default().trusting(b"no certificate");
        assert_eq!(route.unwrap_err(), RouteError::Certificates);
    }
}
