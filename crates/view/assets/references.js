// The references of a problem: figures, an automaton for each agent, and the references themselves.

function EdgeInfo({ info, names }) {
  if (!info) return html`<div class="edge-info soft">Hover or focus an edge for its labels and the number of words through it. A click opens a chain; a number on top folds a position.</div>`;
  const items = info.items.slice(0, 60);
  return html`<div class="edge-info">
    <b>${counted(info.items.length, "label")}${info.chain && ` in a chain of ${info.chain.length} steps`}</b>, <span class="num">${info.words.toString()}</span> words through it:
    <ul>
      ${items.map((item) => html`<li><${Agent} names=${names} name=${item.agent} /> ${show(item.text)}${item.orbit && html` <span class="soft">for ${show(item.orbit)}</span>`}</li>`)}
    </ul>
    ${info.items.length > items.length && html`<span class="soft">and ${info.items.length - items.length} more</span>`}
  </div>`;
}

function Automaton({ automaton, names }) {
  const edges = useMemo(() => mergedEdges(automaton), [automaton]);
  const [folded, setFolded] = useState(() => startFolded(automaton, edges));
  const [info, setInfo] = useState(null);
  const graph = useMemo(() => visibleGraph(automaton, edges, folded), [automaton, edges, folded]);
  const ranks = useMemo(() => [...new Set(automaton.nodes.map((node) => node.rank))], [automaton]);
  const toggled = (set, item) => {
    const next = new Set(set);
    if (!next.delete(item)) next.add(item);
    return next;
  };
  const onChain = (key) => setFolded((old) => ({ ...old, opened: toggled(old.opened, key) }));
  const onRank = (rank) => setFolded((old) => ({ ...old, ranks: toggled(old.ranks, rank) }));
  return html`<div>
    <div class="row">
      <span class="soft">${counted(automaton.nodes.length, "node")}, ${counted(automaton.edges.length, "edge")}${graph.nodes.length < automaton.nodes.length && `; ${graph.nodes.length} nodes drawn`}</span>
      <span class="spring"></span>
      <button aria-pressed=${folded.chains ? "true" : "false"} onClick=${() => setFolded((old) => ({ ...old, chains: !old.chains, opened: new Set() }))}>fold chains</button>
      <button onClick=${() => setFolded((old) => ({ ...old, ranks: new Set(ranks) }))}>fold all positions</button>
      <button onClick=${() => setFolded({ ranks: new Set(), chains: false, opened: new Set() })}>open all</button>
    </div>
    <${Drawing} ...${{ graph, names }} foldedRanks=${folded.ranks} onInfo=${setInfo} onOpenChain=${onChain} onFoldChain=${onChain} onRank=${onRank} />
    <div class="legend">
      ${automaton.agents.map((name) => html`<span style=${agentStyle(names, name)}><svg width="34" height="8" aria-hidden="true"><line x2="34" y1="4" y2="4" stroke-dasharray=${agentDash(names, name) || null} /></svg> ${show(name)}</span>`)}
      <span><svg width="18" height="18" aria-hidden="true" class="node accepts"><circle cx="9" cy="9" r="8" /><circle class="inner" cx="9" cy="9" r="5" /></svg> a reference may end</span>
    </div>
    <${EdgeInfo} info=${info} names=${names} />
  </div>`;
}

// Shows one reference at a time, an agent a column.
function ReferenceList({ references, names, query }) {
  const all = references.references;
  if (!all?.length) return null;
  const at = clamp(Math.trunc(Number(query.reference) || 1), 1, all.length);
  const one = all[at - 1];
  const agents = [...names.filter((name) => Object.hasOwn(one, name)), ...Object.keys(one).filter((name) => !names.includes(name))];
  const rows = Math.max(0, ...agents.map((name) => one[name].length));
  const open = (next) => setQuery({ reference: clamp(next, 1, all.length) });
  useKeys({ j: () => open(at + 1), k: () => open(at - 1) });
  return html`<section class="panel" aria-labelledby="list-title">
    <div class="row">
      <h2 id="list-title">Reference ${at} of ${all.length}</h2>
      <div class="stepper" role="group" aria-label="reference">
        <button onClick=${() => open(at - 1)} disabled=${at === 1} aria-label="previous reference" title="previous reference (k)">◀</button>
        <button onClick=${() => open(at + 1)} disabled=${at === all.length} aria-label="next reference" title="next reference (j)">▶</button>
      </div>
    </div>
    <div class="scroll" tabindex="0" role="region" aria-label="reference">
      <table class="data">
        <thead><tr><th scope="col" class="right">#</th>${agents.map((name) => html`<th scope="col"><${Agent} ...${{ names, name }} /></th>`)}</tr></thead>
        <tbody>
          ${Array.from({ length: rows }, (_, row) => html`<tr><th scope="row" class="right num">${row + 1}</th>${agents.map((name) => html`<td>${show(one[name][row])}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>
  </section>`;
}

function References({ references, query }) {
  const names = useMemo(() => {
    const known = references.per_agent.map((it) => it.agent);
    return [...new Set([...known, ...references.automata.flatMap((it) => it.agents)])];
  }, [references]);
  const at = clamp(Math.trunc(Number(query.automaton) || 0), 0, references.automata.length - 1);
  const automaton = references.automata[at];
  const facts = [
    ["makespan", amount(references.makespan)],
    ["actions", amount(references.actions)],
    ["plans", amount(references.plans)],
    ["references", amount(references.references_total)],
  ];
  return html`<article>
    <header class="episode-head">
      <h1>References for ${show(references.problem)}</h1>
      <p class="soft">${show(references.semantics)}</p>
      <div class=${classes("verdict", references.complete ? "good" : "warn")}>
        <p><b>${references.complete ? "✓ complete" : "not complete"}</b></p>
        <dl class="facts">${facts.map(([name, value]) => html`<div data-fact=${name}><dt>${name}</dt><dd class="num">${value}</dd></div>`)}</dl>
      </div>
      <div class="scroll">
        <table class="data">
          <thead><tr><th scope="col">agent</th><th scope="col" class="right">references</th><th scope="col" class="right">shortest</th><th scope="col" class="right">longest</th></tr></thead>
          <tbody>
            ${references.per_agent.map((it) => html`<tr><th scope="row"><${Agent} names=${names} name=${it.agent} /></th><td class="right num">${amount(it.count)}</td><td class="right num">${amount(it.shortest)}</td><td class="right num">${amount(it.longest)}</td></tr>`)}
          </tbody>
        </table>
      </div>
    </header>
    ${automaton &&
    html`<section class="panel" aria-labelledby="automaton-title">
      <div class="row">
        <h2 id="automaton-title">Automaton</h2>
        <div class="tabs" role="group" aria-label="automaton of">
          ${references.automata.map((it, place) => html`<button aria-pressed=${place === at ? "true" : "false"} onClick=${() => setQuery({ automaton: place || null })}>${show(it.title)}</button>`)}
        </div>
      </div>
      <${Automaton} key=${at} automaton=${automaton} names=${names} />
    </section>`}
    <${ReferenceList} ...${{ references, names, query }} />
  </article>`;
}
