// The list of steps, narrowed by what happened in them and by free text.

const FILTERS = [
  ["refusals", "▲", "mark-refusal", (mark) => mark.refusals > 0],
  ["messages", "■", "mark-message", (mark) => mark.messages > 0],
  ["calls", "●", "mark-call", (mark) => mark.calls > 0],
  ["regret", "+", "mark-regret", (mark) => mark.regret],
];
const FILTER_WORDS = { refusals: "refusals", messages: "requests/messages", calls: "model calls", regret: "regret" };

// Counts what happened in each step.
function marksOf(steps) {
  return steps.map((step) => {
    const mark = { refusals: 0, messages: 0, calls: 0, regret: isPositive(step.regret) };
    for (const { event } of step.events) {
      if (event === "error") mark.refusals++;
      else if (event === "call") mark.calls++;
      else if (event !== "decision") mark.messages++;
    }
    if (step.choices.some((choice) => isPositive(choice.regret))) mark.regret = true;
    mark.any = mark.refusals + mark.messages + mark.calls > 0;
    return mark;
  });
}

// The text of a step that the filter searches: all but what the models were sent, which repeats itself.
function searchText(step) {
  const parts = [];
  for (const { agent, action, command, better } of step.choices)
    parts.push(agent, action, command, ...(better ?? []).map((it) => it.action));
  for (const { label } of step.labels ?? []) parts.push(label);
  parts.push(...step.added, ...step.removed);
  for (const { prompt, settings, usage, ...event } of step.events)
    parts.push(
      ...Object.values(event).map((value) => (typeof value === "object" && value ? JSON.stringify(value) : value)),
    );
  return parts
    .filter((part) => part !== null && part !== undefined)
    .join("\n")
    .toLowerCase();
}

function stepLine(step, names) {
  if (!step.choices.length) return "after the last step";
  return step.choices.map(
    (choice, place) =>
      html`${place > 0 && " "}<span class="choice-dot" style=${agentStyle(names, choice.agent)}></span
          ><span class=${isPositive(choice.regret) ? "lossy" : null}>${show(choice.action)}</span>`,
  );
}

// Returns the steps that fit the filter of the page's address.
function useFound(episode, marks, query) {
  const texts = useRef(null);
  useMemo(() => {
    texts.current = null;
  }, [episode]);
  const { show: kinds = "", q = "" } = query;
  return useMemo(() => {
    const wanted = FILTERS.filter(([id]) => kinds.split(" ").includes(id));
    const words = q.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length) texts.current ??= episode.steps.map(searchText);
    return episode.steps
      .map((_, at) => at)
      .filter(
        (at) =>
          (!wanted.length || wanted.some(([, , , fits]) => fits(marks[at]))) &&
          words.every((word) => texts.current[at].includes(word)),
      );
  }, [episode, marks, kinds, q]);
}

const STEP_ROW = 24;
const FOUND_ROWS = 50;

function FoundSteps({ episode, names, marks, found, tick, onTick, unit }) {
  const box = useRef(null);
  const [top, setTop] = useState(0);
  const place = found.indexOf(tick);
  useEffect(() => {
    const element = box.current;
    if (place < 0) return;
    if (place * STEP_ROW < element.scrollTop) element.scrollTop = place * STEP_ROW;
    else if ((place + 1) * STEP_ROW > element.scrollTop + element.clientHeight)
      element.scrollTop = (place + 1) * STEP_ROW - element.clientHeight;
  }, [place]);
  const first = Math.max(0, Math.floor(top / STEP_ROW) - 10);
  const last = Math.min(found.length, first + FOUND_ROWS);
  return html`<div class="found" ref=${box} onScroll=${(event) => setTop(event.currentTarget.scrollTop)}>
    <ol style=${`height:${found.length * STEP_ROW}px`}>
      ${found.slice(first, last).map((at, offset) => {
        const [step, mark] = [episode.steps[at], marks[at]];
        return html`<li key=${at} style=${`top:${(first + offset) * STEP_ROW}px`}>
          <button aria-current=${at === tick ? "step" : null} onClick=${() => onTick(at)}>
            <span class="num">${at}</span><span class="line">${stepLine(step, names)}</span>
            <span class="flags"
              >${mark.refusals > 0 && html`<span class="mark-refusal" title=${counted(mark.refusals, "refusal")}>▲</span>`}${
                mark.messages > 0 &&
                html`<span class="mark-message" title=${counted(mark.messages, "message")}>■</span>`
              }${mark.calls > 0 && html`<span class="mark-call" title=${counted(mark.calls, "model call")}>●</span>`}${
                mark.regret &&
                html`<span class="mark-regret" title="regret">+${isPositive(step.regret) ? quantity(step.regret, amountUnit(unit)) : ""}</span>`
              }</span
            >
          </button>
        </li>`;
      })}
    </ol>
    ${!found.length && html`<p class="soft">No step fits.</p>`}
  </div>`;
}

function Find({ episode, names, marks, found, query, tick, onTick, unit, field }) {
  const kinds = (query.show ?? "").split(" ").filter(Boolean);
  const toggle = (id) =>
    setQuery({ show: (kinds.includes(id) ? kinds.filter((it) => it !== id) : [...kinds, id]).join(" ") });
  return html`<section class="panel find" aria-labelledby="find-title">
    <h2 id="find-title">Steps <span class="soft" aria-live="polite">${found.length} of ${episode.steps.length}</span></h2>
    <div class="chips" role="group" aria-label="steps with">
      ${FILTERS.map(([id, sign, kind, fits]) => {
        const count = marks.filter(fits).length;
        return html`<button
          class="chip"
          data-filter=${id}
          aria-pressed=${kinds.includes(id) ? "true" : "false"}
          disabled=${!count}
          onClick=${() => toggle(id)}
        >
          <span class=${kind} aria-hidden="true">${sign}</span> ${FILTER_WORDS[id]} <span class="num">${count}</span>
        </button>`;
      })}
    </div>
    <input
      ref=${field}
      type="search"
      placeholder="filter by text  ( / )"
      aria-label="filter steps by text"
      value=${query.q ?? ""}
      onInput=${(event) => setQuery({ q: event.target.value })}
    />
    <${FoundSteps} ...${{ episode, names, marks, found, tick, onTick, unit }} />
  </section>`;
}
