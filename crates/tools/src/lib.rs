//! Derivation of the results in `docs`, for developers: the tables of Collab-Overcooked ([`survey`]) and the
//! optima of Robotouille ([`optima`]), with the binaries `survey`, `optima` and `benchmarks`; the page of
//! [`baselines`], the worth of each technique of the search ([`ablation`]); plans and
//! bounds of several agents ([`teams`]); and what draws the
//! structure of the workspace ([`structure`]).

pub mod ablation;
pub mod baselines;
pub mod files;
pub mod machine;
pub mod markdown;
pub mod optima;
pub mod results;
pub mod structure;
pub mod survey;
pub mod teams;
