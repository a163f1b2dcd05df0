// Draws an automaton from left to right, one rank a column, with pan, zoom and folding.

const NODE = 9;
const LABEL_CHARACTER = 5.7;

// Places nodes and edges; columns are the ranks that have a node left.
function layoutGraph(graph) {
  const ranks = [...new Set(graph.nodes.map((node) => node.rank))].sort((a, b) => a - b);
  const column = new Map(ranks.map((rank, place) => [rank, place]));
  const rankOf = new Map(graph.nodes.map((node) => [node.id, node.rank]));
  const g = new dagre.graphlib.Graph({ multigraph: false });
  g.setGraph({ rankdir: "LR", nodesep: 10, edgesep: 6, ranksep: 12, marginx: 12, marginy: 12, ranker: "longest-path" });
  g.setDefaultEdgeLabel(() => ({}));
  for (const node of graph.nodes) {
    const radius = node.group ? 13 : NODE;
    g.setNode(String(node.id), { width: 2 * radius, height: 2 * radius });
  }
  for (const edge of graph.edges) {
    const steps = column.get(rankOf.get(edge.to)) - column.get(rankOf.get(edge.from));
    const width = edgeLabel(edge).length * LABEL_CHARACTER + 8;
    g.setEdge(String(edge.from), String(edge.to), { minlen: Math.max(1, steps), width, height: 13, labelpos: "c" });
  }
  dagre.layout(g);
  const place = new Map(graph.nodes.map((node) => [node.id, g.node(String(node.id))]));
  const lines = new Map(graph.edges.map((edge) => [edge.key, g.edge(String(edge.from), String(edge.to))]));
  const { width = 0, height = 0 } = g.graph();
  const columns = ranks.map((rank) => ({ rank, x: place.get(graph.nodes.find((node) => node.rank === rank).id).x }));
  const firstY = columns.length ? place.get(graph.nodes.find((node) => node.rank === ranks[0]).id).y : 0;
  return { place, lines, firstY, width: Math.max(40, width), height: Math.max(40, height), columns };
}

// Draws a smooth line through points.
function smooth(points) {
  if (points.length < 3) return points.map(({ x, y }, at) => `${at ? "L" : "M"}${x} ${y}`).join("");
  let path = `M${points[0].x} ${points[0].y}`;
  for (let at = 1; at < points.length - 1; at++) {
    const [here, next] = [points[at], points[at + 1]];
    const end = at === points.length - 2 ? next : { x: (here.x + next.x) / 2, y: (here.y + next.y) / 2 };
    path += `Q${here.x} ${here.y} ${end.x} ${end.y}`;
  }
  return path;
}

function edgeDescription(edge) {
  const texts = edge.items.map((item) => `${agentName(item.agent)}: ${show(item.text)}`);
  return `${edgeLabel(edge)}: ${texts.slice(0, 12).join(edge.chain ? " → " : " or ")}; ${edge.words} words`;
}

const pressed = (action) => (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation();
  action();
};

function GraphEdge({ edge, line, names, path, onInfo, onOpen }) {
  const onPath = edge.items.some((item) => path.has(item));
  const agents = agentsOf(edge);
  const style = agents.length === 1 ? agentStyle(names, agents[0]) : "--agent: var(--ink)";
  const dash = agents.length === 1 ? agentDash(names, agents[0]) : "";
  const drawn = smooth(line.points);
  const label = edgeLabel(edge);
  const width = label.length * LABEL_CHARACTER;
  const open = edge.chain ? () => onOpen(edge.key) : () => onInfo(edge, true);
  return html`<g
    class=${classes("edge-group", edge.chain && "chain", onPath && "on-path")}
    style=${style}
    tabindex="0"
    role="button"
    aria-label=${edgeDescription(edge)}
    onMouseEnter=${() => onInfo(edge)}
    onFocus=${() => onInfo(edge)}
    onClick=${open}
    onKeyDown=${pressed(open)}
  >
    <path class="hit" d=${drawn} />
    <path class="wire" d=${drawn} stroke-dasharray=${dash || null} marker-end="url(#arrow)" />
    <rect x=${line.x - width / 2} y=${line.y - 6} width=${width} height="12" rx="2" />
    <text x=${line.x} y=${line.y + 4}>${label}</text>
  </g>`;
}

function GraphNode({ node, at, onFold }) {
  const title = node.group
    ? `${node.group} nodes of position ${node.rank}; a click opens them`
    : `node ${node.id}, position ${node.rank}, ${amount(node.ways)} words${node.accepts ? ", accepts" : ""}`;
  const action = onFold ? { tabindex: 0, role: "button", onClick: onFold, onKeyDown: pressed(onFold) } : {};
  return html`<g
    class=${classes("node", node.accepts && "accepts", node.group && "group", onFold && "foldable")}
    transform=${`translate(${at.x} ${at.y})`}
    aria-label=${title}
    ...${action}
  >
    <title>${title}</title>
    <circle r=${node.group ? 13 : NODE} />${node.accepts && html`<circle class="outer" r=${node.group ? 16 : NODE + 3} />`}
    <text y="3.5">${node.group ? `×${node.group}` : node.id}</text>
  </g>`;
}

const HEAD = 26;

const nearest = (columns, rank) =>
  columns.reduce((best, it) => (Math.abs(it.rank - rank) < Math.abs(best.rank - rank) ? it : best));

// The transformation of the drawing, changed by mouse, keys and buttons.
function usePanZoom(box, size, anchor) {
  const [view, setView] = useState(null);
  const now = useRef(null);
  now.current = view;
  const fit = () => {
    const { clientWidth: width, clientHeight: height } = box.current;
    const scale = clamp(Math.min(width / size.width, (height - HEAD) / size.height), 0.05, 1.4);
    setView({
      x: Math.max(0, (width - size.width * scale) / 2),
      y: HEAD + Math.max(0, (height - HEAD - size.height * scale) / 2),
      scale,
    });
  };
  // Starts readable, from the first rank on, even where the whole does not fit.
  const start = () => {
    const { clientWidth: width, clientHeight: height } = box.current;
    const scale = clamp(Math.min(width / size.width, (height - HEAD) / size.height), 0.85, 1.4);
    const spare = height - HEAD - size.height * scale;
    const y = spare > 0 ? spare / 2 : clamp((height - HEAD) / 2 - size.firstY * scale, spare, 0);
    setView({ x: Math.max(0, (width - size.width * scale) / 2), y: HEAD + y, scale });
  };
  // Keeps a position where it is on the screen when the layout changes.
  const hold = (rank) => {
    const { x, scale } = now.current;
    anchor.current = { rank, x: x + nearest(size.columns, rank).x * scale, height: size.height };
  };
  useLayoutEffect(() => {
    const held = anchor.current;
    anchor.current = null;
    if (!held) {
      start();
      return;
    }
    setView(({ y, scale }) => ({
      x: held.x - nearest(size.columns, held.rank).x * scale,
      y: y + ((held.height - size.height) / 2) * scale,
      scale,
    }));
  }, [size]);
  const zoom = (factor, at) =>
    setView((old) => {
      const scale = clamp(old.scale * factor, 0.05, 4);
      const { x, y } = at ?? { x: box.current.clientWidth / 2, y: box.current.clientHeight / 2 };
      const ratio = scale / old.scale;
      return { x: x - (x - old.x) * ratio, y: y - (y - old.y) * ratio, scale };
    });
  const pan = (dx, dy) => setView((old) => ({ ...old, x: old.x + dx, y: old.y + dy }));
  return { view: view ?? { x: 0, y: HEAD, scale: 1 }, fit, start, zoom, pan, hold };
}

function Drawing({ graph, names, path, onInfo, onChain, onRank, foldedRanks }) {
  const box = useRef(null);
  const layout = useMemo(() => layoutGraph(graph), [graph]);
  const anchor = useRef(null);
  const { view, fit, start, zoom, pan, hold } = usePanZoom(box, layout, anchor);
  const holding = (rank, action) => {
    hold(rank);
    action();
  };
  const drag = useRef(null);
  const keys = {
    ArrowLeft: () => pan(60, 0),
    ArrowRight: () => pan(-60, 0),
    ArrowUp: () => pan(0, 60),
    ArrowDown: () => pan(0, -60),
    "+": () => zoom(1.25),
    "=": () => zoom(1.25),
    "-": () => zoom(0.8),
    0: fit,
    1: start,
  };
  useEffect(() => {
    const element = box.current;
    const wheel = (event) => {
      if (!event.ctrlKey && !event.metaKey && !element.contains(document.activeElement)) return;
      event.preventDefault();
      const edge = element.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY / 400), { x: event.clientX - edge.left, y: event.clientY - edge.top });
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, []);
  const content = useMemo(() => {
    const rankOf = new Map(graph.nodes.map((node) => [node.id, node.rank]));
    const edges = graph.edges.map((edge) => {
      const onOpen = (key) => holding(rankOf.get(edge.from), () => onChain(key));
      const line = layout.lines.get(edge.key);
      return html`<${GraphEdge} key=${edge.key} ...${{ edge, line, names, path, onInfo, onOpen }} />`;
    });
    const nodes = graph.nodes.map((node) => {
      const chain = graph.chainOf.get(node.id);
      const action = node.group ? () => onRank(node.rank) : chain ? () => onChain(chain) : null;
      const onFold = action && (() => holding(node.rank, action));
      return html`<${GraphNode} key=${node.id} at=${layout.place.get(node.id)} ...${{ node, onFold }} />`;
    });
    return html`<g>${edges}${nodes}</g>`;
  }, [graph, layout, path]);
  const spacing = Math.ceil(26 / Math.max(1, (view.scale * layout.width) / Math.max(1, layout.columns.length)));
  return html`<div class="graph-box">
    <div
      class="graph"
      style=${`--height:${Math.ceil(layout.height * 1.1 + 2 * HEAD)}px`}
      ref=${box}
      tabindex="0"
      role="group"
      aria-label="automaton; arrows move it, + and − zoom, 0 fits"
      onKeyDown=${(event) => {
        const action = keys[event.key];
        if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        action();
      }}
      onPointerDown=${(event) => {
        if (event.button === 0) drag.current = { x: event.clientX, y: event.clientY };
      }}
      onPointerMove=${(event) => {
        if (!drag.current || !(event.buttons & 1)) return;
        pan(event.clientX - drag.current.x, event.clientY - drag.current.y);
        drag.current = { x: event.clientX, y: event.clientY };
      }}
      onPointerUp=${() => {
        drag.current = null;
      }}
    >
      <svg width="100%" height="100%">
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0 1 L8 4 L0 7 Z" fill="context-stroke" />
          </marker>
        </defs>
        <g transform=${`translate(${view.x} ${view.y}) scale(${view.scale})`}>${content}</g>
        <g class="ranks">
          <rect width="100%" height="20" />
          ${layout.columns.map(({ rank, x }, place) => {
            if (place % spacing && !foldedRanks.has(rank)) return null;
            const folded = foldedRanks.has(rank);
            const toggle = () => holding(rank, () => onRank(rank));
            return html`<g
              key=${rank}
              class=${folded && "folded"}
              tabindex="0"
              role="button"
              aria-pressed=${folded ? "true" : "false"}
              aria-label=${`${rank}: fold the position`}
              transform=${`translate(${x * view.scale + view.x} 14)`}
              onClick=${toggle}
              onKeyDown=${pressed(toggle)}
            >
              <title>${folded ? "open" : "fold"} position ${rank}</title>
              <rect x="-13" y="-13" width="26" height="18" rx="3" />
              <text>${rank}</text>
            </g>`;
          })}
        </g>
      </svg>
    </div>
    <div class="zoom" role="group" aria-label="zoom">
      <button class="small" onClick=${() => zoom(0.8)} aria-label="smaller">−</button>
      <button class="small" onClick=${fit} aria-label="fit">fit</button>
      <button class="small" onClick=${start} aria-label="1:1, readable size">1:1</button>
      <button class="small" onClick=${() => zoom(1.25)} aria-label="larger">+</button>
    </div>
  </div>`;
}
