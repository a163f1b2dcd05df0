// An episode: head, timeline with the cost-to-go, then steps, decisions and state at the cursor.

// The row of buttons that move the cursor.
function Stepper({ tick, last, onTick }) {
  const typed = (event) => onTick(Math.trunc(Number(event.target.value) || 0));
  return html`<div class="stepper" role="group" aria-label="cursor">
    <button onClick=${() => onTick(0)} disabled=${tick === 0} aria-label="first tick" title="first tick (Home)">|◀</button>
    <button onClick=${() => onTick(tick - 1)} disabled=${tick === 0} aria-label="step back" title="step back (←)">◀</button>
    <label
      >tick${" "}<input type="number" min="0" max=${last} value=${tick} onChange=${typed} />${" "}of ${last}</label
    >
    <button onClick=${() => onTick(tick + 1)} disabled=${tick >= last} aria-label="step on" title="step on (→)">▶</button>
    <button onClick=${() => onTick(last)} disabled=${tick >= last} aria-label="last tick" title="last tick (End)">▶|</button>
  </div>`;
}

// Returns the tick of the page's address and a function that sets it, and binds the keys that step.
function useTick(last, query) {
  const tick = clamp(Math.trunc(Number(query.tick) || 0), 0, last);
  const onTick = (next) => setQuery({ tick: clamp(next, 0, last) });
  useKeys({
    ArrowLeft: () => onTick(tick - 1),
    ArrowRight: () => onTick(tick + 1),
    Home: () => onTick(0),
    End: () => onTick(last),
  });
  return [tick, onTick];
}

function Episode({ episode, query }) {
  const last = Math.max(0, episode.states.length - 1);
  const unit = useMemo(() => unitOf(episode), [episode]);
  const names = useMemo(() => episode.agents.map((agent) => agent.name), [episode]);
  const marks = useMemo(() => marksOf(episode.steps), [episode]);
  const flags = useMemo(() => flagsOf(episode), [episode]);
  const curve = useMemo(() => curveOf(episode.steps.slice(0, last), unit), [episode]);
  const [tick, onTick] = useTick(last, query);
  const found = useFound(episode, marks, query);
  const field = useRef(null);
  useKeys({
    "/": () => field.current?.focus(),
    n: () => onTick(found.find((at) => at > tick) ?? tick),
    p: () => onTick(found.findLast((at) => at < tick) ?? tick),
  });
  const head = useMemo(() => html`<${EpisodeHead} ...${{ episode, unit }} />`, [episode, query]);
  const step = episode.steps[tick];
  const { texts } = episode;
  return html`<article>
    ${head}
    <section class="panel" aria-labelledby="timeline-title">
      <div class="row">
        <h2 id="timeline-title">Timeline</h2>
        <${Stepper} ...${{ tick, last, onTick }} />
      </div>
      <${Timeline}
        lanes=${episode.lanes}
        ...${{ names, last, tick, onTick, marks, flags }}
        below=${curve?.draw}
        belowHeight=${curve ? CURVE : 0}
        belowLabel=${curve?.label}
      />
    </section>
    <div class="columns">
      <${Find} ...${{ episode, names, marks, found, query, tick, onTick, unit, field }} />
      ${
        tick < last && step
          ? html`<${StepPanel} process=${episode.process} ...${{ step, names, unit, texts }} />`
          : html`<${EndPanel} end=${episode.end} events=${step?.events} ...${{ tick, names, unit, texts }} />`
      }
      <div class="state-column">
        ${episode.board && html`<${Board} board=${episode.board} ...${{ names, tick }} />`}
        <${StateWords} lines=${episode.lines} states=${episode.states} tick=${tick} inWords=${episode.in_words !== false} />
      </div>
    </div>
  </article>`;
}
