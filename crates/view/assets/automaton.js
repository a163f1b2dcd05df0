// An automaton as it is drawn: parallel edges merged, chains and whole ranks folded.

const CHAIN_EDGES = 3;
const MOST_NODES = 260;
const FOLD_FROM = 200;

// Merges the edges between the same two nodes; words of parallel edges add up.
function mergedEdges(automaton) {
  const merged = new Map();
  for (const edge of automaton.edges) {
    const key = `${edge.from}>${edge.to}`;
    if (!merged.has(key)) merged.set(key, { key, from: edge.from, to: edge.to, items: [], words: 0n });
    const one = merged.get(key);
    one.items.push(edge);
    one.words += BigInt(edge.ways);
  }
  return [...merged.values()];
}

// Replaces all nodes of a folded rank by one.
function foldRanks(nodes, edges, ranks) {
  if (!ranks.size) return { nodes, edges };
  const place = new Map();
  const kept = new Map();
  for (const node of nodes) {
    const id = ranks.has(node.rank) ? `rank ${node.rank}` : node.id;
    place.set(node.id, id);
    if (id === node.id) kept.set(id, node);
    else {
      const group = kept.get(id) ?? { id, rank: node.rank, accepts: false, group: 0 };
      kept.set(id, { ...group, group: group.group + 1, accepts: group.accepts || node.accepts });
    }
  }
  const joined = new Map();
  for (const edge of edges) {
    const [from, to] = [place.get(edge.from), place.get(edge.to)];
    const key = `${from}>${to}`;
    const old = joined.get(key);
    if (old) joined.set(key, { ...old, items: [...old.items, ...edge.items], words: old.words + edge.words });
    else joined.set(key, { ...edge, key, from, to });
  }
  return { nodes: [...kept.values()], edges: [...joined.values()] };
}

// Replaces chains of nodes with one edge in and one out by an edge, but for those that were opened.
function foldChains(nodes, edges, opened) {
  const [into, out] = [new Map(), new Map()];
  for (const edge of edges) {
    out.set(edge.from, [...(out.get(edge.from) ?? []), edge]);
    into.set(edge.to, [...(into.get(edge.to) ?? []), edge]);
  }
  const inner = (node) => !node.accepts && into.get(node.id)?.length === 1 && out.get(node.id)?.length === 1;
  const inside = new Set(nodes.filter(inner).map((node) => node.id));
  const [gone, chainOf] = [new Set(), new Map()];
  const result = [];
  for (const first of edges) {
    if (inside.has(first.from)) continue;
    const chain = [first];
    while (inside.has(chain[chain.length - 1].to)) chain.push(out.get(chain[chain.length - 1].to)[0]);
    const key = `${first.key}…`;
    if (chain.length < CHAIN_EDGES) result.push(...chain);
    else if (opened.has(key)) {
      result.push(...chain);
      for (const edge of chain.slice(1)) chainOf.set(edge.from, key);
    } else {
      for (const edge of chain.slice(1)) gone.add(edge.from);
      result.push({
        key,
        from: first.from,
        to: chain[chain.length - 1].to,
        chain,
        items: chain.flatMap((edge) => edge.items),
        words: first.words,
      });
    }
  }
  return { nodes: nodes.filter((node) => !gone.has(node.id)), edges: result, chainOf };
}

// Returns the graph to draw for what is folded.
function visibleGraph(automaton, edges, { ranks, chains, opened }) {
  const grouped = foldRanks(automaton.nodes, edges, ranks);
  return chains ? foldChains(grouped.nodes, grouped.edges, opened) : { ...grouped, chainOf: new Map() };
}

// Returns what is folded at the start: chains of large automata, then the widest ranks until the rest can be surveyed.
function startFolded(automaton, edges) {
  const folded = { ranks: new Set(), chains: automaton.nodes.length > FOLD_FROM, opened: new Set() };
  const widths = new Map();
  for (const { rank } of automaton.nodes) widths.set(rank, (widths.get(rank) ?? 0) + 1);
  const widest = [...widths].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([rank]) => rank);
  while (widest.length && visibleGraph(automaton, edges, folded).nodes.length > MOST_NODES)
    for (const rank of widest.splice(0, Math.max(1, Math.ceil(widest.length / 12)))) folded.ranks.add(rank);
  return folded;
}

// Returns a word in which interchangeable objects are renamed so that they appear in their order, as automata have them.
function inOrder(word, alike) {
  const [classOf, renamed, seen] = [new Map(), new Map(), alike.map(() => 0)];
  alike.forEach((names, place) => names.forEach((name) => classOf.set(name, place)));
  const longest = [...classOf.keys()].sort((a, b) => b.length - a.length);
  const escaped = longest.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (!escaped.length) return word;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join("|")})(?![\\p{L}\\p{N}])`, "gu");
  const rename = (name) => {
    const place = classOf.get(name);
    if (!renamed.has(name)) renamed.set(name, alike[place][seen[place]++]);
    return renamed.get(name);
  };
  return word.map((text) => text.replace(pattern, rename));
}

// Returns the edges of a reference through the automaton of one agent; empty where it is not among the words.
function pathOf(automaton, reference, alike) {
  const [agent, ...others] = automaton.agents;
  const word = reference && !others.length && Object.hasOwn(reference, agent) ? reference[agent] : null;
  const start = automaton.nodes.find((node) => node.rank === 0);
  if (!word || !start) return new Set();
  let states = new Map([[start.id, []]]);
  for (const text of inOrder(word, alike)) {
    const next = new Map();
    for (const edge of automaton.edges)
      if (edge.text === text && states.has(edge.from)) next.set(edge.to, [...states.get(edge.from), edge]);
    states = next;
  }
  const end = automaton.nodes.find((node) => node.accepts && states.has(node.id));
  return new Set(end ? states.get(end.id) : []);
}

const agentsOf = (edge) => [...new Set(edge.items.map((item) => item.agent))];

function edgeLabel(edge) {
  if (edge.chain) return `… ${edge.chain.length} steps …`;
  const more = edge.items.length - 1;
  return cut(show(edge.items[0].text), more ? 20 : 24) + (more ? ` +${more}` : "");
}
