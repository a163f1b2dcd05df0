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

// Shows an agent's name with its colour.
function Agent({ names, name }) {
  return html`<span class="agent" style=${agentStyle(names, name)}>${show(name)}</span>`;
}
