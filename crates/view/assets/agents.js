// The colours and dash patterns of agents, by their place in the list.

const AGENT_COLOURS = 8;
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "5 2", "12 4", "1 4", "7 2 2 2 2 2"];

// Returns the style that gives an element the colour of an agent.
function agentStyle(names, name) {
  const place = names.indexOf(name);
  return place < 0 ? "--agent: var(--soft)" : `--agent: var(--agent-${place % AGENT_COLOURS})`;
}

function agentDash(names, name) {
  const place = names.indexOf(name);
  return place < 0 ? "" : DASHES[place % DASHES.length];
}

// Marks a policy that sees more than the agent does.
const Clairvoyant = () =>
  html` <span class="tag warn" title="sees what the others cannot: the future and what is hidden">clairvoyant</span>`;

// Names an agent; the only one may have no name.
const agentName = (name) => show(name) || "the agent";

// Shows an agent's name with its colour.
function Agent({ names, name }) {
  return html`<span class="agent" style=${agentStyle(names, name)}>${agentName(name)}</span>`;
}
