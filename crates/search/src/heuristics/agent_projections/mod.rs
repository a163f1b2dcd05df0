//! Projections to single agents: each agent's own part of the task exactly, the others relaxed.
//!
//! `agents` combines them. `tracking` selects the variables that are followed exactly,
//! `red_black_task` is the relaxation of an agent, `merged_facts` are red facts that become true
//! together, and `red_facts` numbers sets of them. `agent_space` is the abstract space of an agent,
//! and `view` measures its distances. `landmark_search` finds landmarks that others must achieve,
//! and `landmark_delays` how long an agent waits for one; a `relaxed_plan` shows what matters.

pub(crate) mod agent_space;
pub(crate) mod agents;
pub(crate) mod landmark;
pub(crate) mod landmark_delays;
pub(crate) mod landmark_search;
pub(crate) mod merged_facts;
pub(crate) mod red_black_task;
pub(crate) mod red_facts;
pub(crate) mod relaxed_plan;
pub(crate) mod tracking;
pub(crate) mod view;
