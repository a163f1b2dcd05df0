// The references of a problem: figures, an automaton for each agent, and the references themselves.

const SHOWN_LABELS = 60;
const NONE_ALIKE = [];
const EDGE_HINT =
  "Hover or focus an edge for its labels and the number of words through it. " +
  "A click opens a chain; a number on top folds a position.";

function EdgeInfo({ info, names }) {
  if (!info) return html`<div class="edge-info soft">${EDGE_HINT}</div>`;
  const distinct = new Map();
  for (const item of info.items) {
    const key = JSON.stringify([item.agent, item.text]);
    distinct.set(key, { item, times: (distinct.get(key)?.times ?? 0) + 1 });
  }
  const items = [...distinct.values()].slice(0, SHOWN_LABELS);
  const inChain = info.chain && ` in a chain of ${info.chain.length} steps`;
  return html`<div class="edge-info">
    <b>${counted(info.items.length, "label")}${inChain}</b>, <span class="num">${info.words.toString()}</span> words
    through it:
    <ul>
      ${items.map(
        ({ item, times }) => html`<li>
          <${Agent} names=${names} name=${item.agent} /> ${show(item.text)}${times > 1 && ` ×${times}`}
        </li>`,
      )}
    </ul>
    ${distinct.size > items.length && html`<span class="soft">and ${distinct.size - items.length} more</span>`}
  </div>`;
}

function AutomatonLegend({ automaton, names, path }) {
  return html`<div class="legend">
    ${automaton.agents.map(
      (name) => html`<span style=${agentStyle(names, name)}>
        <svg width="34" height="8" aria-hidden="true">
          <line x2="34" y1="4" y2="4" stroke-dasharray=${agentDash(names, name) || null} />
        </svg>
        ${agentName(name)}
      </span>`,
    )}
    <span>
      <svg width="18" height="18" aria-hidden="true" class="node accepts">
        <circle class="outer" cx="9" cy="9" r="8" /><circle cx="9" cy="9" r="5" />
      </svg>
      a reference may end
    </span>
    ${path.size > 0 && html`<span class="soft">thick: the reference below</span>`}
  </div>`;
}

function Automaton({ automaton, names, reference, alike }) {
  const edges = useMemo(() => mergedEdges(automaton), [automaton]);
  const [folded, setFolded] = useState(() => startFolded(automaton, edges));
  const [info, setInfo] = useState(null);
  const graph = useMemo(() => visibleGraph(automaton, edges, folded), [automaton, edges, folded]);
  const ranks = useMemo(() => [...new Set(automaton.nodes.map((node) => node.rank))], [automaton]);
  const path = useMemo(() => pathOf(automaton, reference, alike), [automaton, reference, alike]);
  const toggled = (set, item) => {
    const next = new Set(set);
    if (!next.delete(item)) next.add(item);
    return next;
  };
  const onChain = (key) => setFolded((old) => ({ ...old, opened: toggled(old.opened, key) }));
  const onRank = (rank) => setFolded((old) => ({ ...old, ranks: toggled(old.ranks, rank) }));
  const onChains = () => setFolded((old) => ({ ...old, chains: !old.chains, opened: new Set() }));
  const drawn = graph.nodes.length < automaton.nodes.length && `; ${graph.nodes.length} nodes drawn`;
  return html`<div>
    <div class="row">
      <span class="soft">
        ${counted(automaton.nodes.length, "node")}, ${counted(automaton.edges.length, "edge")}${drawn}
      </span>
      <span class="spring"></span>
      <button aria-pressed=${folded.chains ? "true" : "false"} onClick=${onChains}>fold chains</button>
      <button onClick=${() => setFolded((old) => ({ ...old, ranks: new Set(ranks) }))}>fold all positions</button>
      <button onClick=${() => setFolded({ ranks: new Set(), chains: false, opened: new Set() })}>open all</button>
    </div>
    <${Drawing} foldedRanks=${folded.ranks} onInfo=${setInfo} ...${{ graph, names, path, onChain, onRank }} />
    <${AutomatonLegend} ...${{ automaton, names, path }} />
    <${EdgeInfo} info=${info} names=${names} />
  </div>`;
}

// Returns the reference of the page's address, counted from 1.
const referenceAt = (all, query) => clamp(Math.trunc(Number(query.reference) || 1), 1, Math.max(1, all.length));

// Shows one reference at a time, an agent a column.
function ReferenceList({ all, at, names, size }) {
  const one = all[at - 1];
  const named = names.filter((name) => Object.hasOwn(one, name));
  const agents = [...named, ...Object.keys(one).filter((name) => !names.includes(name))];
  const rows = Math.max(0, ...agents.map((name) => one[name].length));
  const open = (next) => setQuery({ reference: clamp(next, 1, all.length) });
  useKeys({ j: () => open(at + 1), k: () => open(at - 1) });
  return html`<section class="panel" aria-labelledby="list-title">
    <div class="row">
      <h2 id="list-title">
        Reference ${at} of ${all.length}${size && size !== "1" && html` <span class="soft">for ${amount(size)}</span>`}
      </h2>
      <div class="stepper" role="group" aria-label="reference">
        <button
          onClick=${() => open(at - 1)}
          disabled=${at === 1}
          aria-label="previous reference"
          title="previous reference (k)"
        >
          ◀
        </button>
        <button
          onClick=${() => open(at + 1)}
          disabled=${at === all.length}
          aria-label="next reference"
          title="next reference (j)"
        >
          ▶
        </button>
      </div>
    </div>
    <div class="scroll" tabindex="0" role="region" aria-label="reference">
      <table class="data">
        <thead>
          <tr>
            <th scope="col" class="right">#</th>
            ${agents.map((name) => html`<th scope="col"><${Agent} ...${{ names, name }} /></th>`)}
          </tr>
        </thead>
        <tbody>
          ${Array.from(
            { length: rows },
            (_, row) => html`<tr>
              <th scope="row" class="right num">${row + 1}</th>
              ${agents.map((name) => html`<td>${show(one[name][row])}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

function ReferenceCounts({ references, names }) {
  return html`<div class="scroll">
    <table class="data">
      <thead>
        <tr>
          <th scope="col">agent</th>
          <th scope="col" class="right">references</th>
          <th scope="col" class="right">shortest</th>
          <th scope="col" class="right">longest</th>
        </tr>
      </thead>
      <tbody>
        ${references.per_agent.map(
          (it) => html`<tr>
            <th scope="row"><${Agent} names=${names} name=${it.agent} /></th>
            <td class="right num">${amount(it.count)}</td>
            <td class="right num">${amount(it.shortest)}</td>
            <td class="right num">${amount(it.longest)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

// Says of which objects one is drawn and listed in the place of each.
const Interchangeable = ({ orbits }) => html`<p class="soft">
  ${orbits.interchangeable.map((names) => names.map(show).join(", ")).join("; ")}: interchangeable. What differs only in
  which of them is where is drawn and listed once, with them in this order.
</p>`;

function References({ references, query }) {
  const names = useMemo(() => {
    const known = references.per_agent.map((it) => it.agent);
    return [...new Set([...known, ...references.automata.flatMap((it) => it.agents)])];
  }, [references]);
  const at = clamp(Math.trunc(Number(query.automaton) || 0), 0, references.automata.length - 1);
  const automaton = references.automata[at];
  const all = references.references ?? [];
  const place = referenceAt(all, query);
  const facts = [
    ["makespan", amount(references.makespan)],
    ["actions", amount(references.actions)],
    ["plans", amount(references.plans)],
    ["references", amount(references.references_total)],
  ];
  const { orbits } = references;
  const alike = orbits?.interchangeable ?? NONE_ALIKE;
  if (orbits) facts.push(["up to interchangeable objects", amount(orbits.total)]);
  return html`<article>
    <header class="episode-head">
      <h1>References for ${show(references.problem)}</h1>
      <p class="soft">${show(references.semantics)}</p>
      <div class=${classes("verdict", references.complete ? "good" : "warn")}>
        <p><b>${references.complete ? "✓ complete" : "not complete"}</b></p>
        <${FactList} facts=${facts} />
      </div>
      ${orbits?.interchangeable.length > 0 && html`<${Interchangeable} orbits=${orbits} />`}
      <${ReferenceCounts} ...${{ references, names }} />
    </header>
    ${
      automaton &&
      html`<section class="panel" aria-labelledby="automaton-title">
      <div class="row">
        <h2 id="automaton-title">Automaton</h2>
        <div class="tabs" role="group" aria-label="automaton of">
          ${references.automata.map((it, other) => {
            const choose = () => setQuery({ automaton: other || null });
            return html`<button aria-pressed=${other === at ? "true" : "false"} onClick=${choose}>
              ${show(it.title)}
            </button>`;
          })}
        </div>
      </div>
      <${Automaton} key=${at} reference=${all[place - 1]} ...${{ automaton, names, alike }} />
    </section>`
    }
    ${
      all.length > 0 &&
      html`<${ReferenceList} at=${place} size=${orbits?.sizes[place - 1]} ...${{ all, names }} />`
    }
  </article>`;
}
