//! Evenings of the restaurant `cookmas`: what its cookbook holds, problems drawn from a seed, and one cook who
//! serves all that is ordered, so that it is known to be possible.

mod book;
mod draw;
mod facts;
mod serve;

pub use book::{Cookbook, Doneness, Menu, Part};
pub use draw::draw;
pub use facts::NoRestaurant;
pub use serve::{Refused, serve};
