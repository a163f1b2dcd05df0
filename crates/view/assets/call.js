// A model call: its prompt, answer, and what became of it.

const LONG_LINES = 24;
const LONG_TEXT = 2400;

// A block of text as it was sent or received; long ones open on demand.
function Block({ title, text, kind }) {
  const shown = show(text);
  const lines = shown.split("\n");
  const long = lines.length > LONG_LINES || shown.length > LONG_TEXT;
  const [open, setOpen] = useState(!long);
  const head = lines.slice(0, LONG_LINES).join("\n").slice(0, LONG_TEXT);
  return html`<div class=${classes("block", kind)}>
    <div class="block-head">
      <b>${show(title)}</b><span class="soft">${counted(lines.length, "line")}, ${counted([...shown].length, "character")}</span>
      <span class="spring"></span><${Copy} text=${typeof text === "string" ? text : shown} />
    </div>
    <pre tabindex="0">${open ? shown : `${head}…`}</pre>
    ${
      long &&
      html`<button class="small" aria-expanded=${open ? "true" : "false"} onClick=${() => setOpen(!open)}>
      ${open ? "less" : `all ${counted(lines.length, "line")}`}
    </button>`
    }
  </div>`;
}

// Writes whether a parser took the answer.
const parsed = (name, value) =>
  value === null || value === undefined
    ? null
    : value === true
      ? `${name}: parsed`
      : value === false
        ? `${name}: not parsed`
        : `${name}: ${show(value)}`;

function usageText(usage) {
  if (!usage) return null;
  const parts = [`${amount(usage.input)} in`, `${amount(usage.output)} out`];
  if (usage.cached) parts.push(`${usage.cached} cached`);
  if (usage.reasoning) parts.push(`${usage.reasoning} reasoning`);
  return `tokens: ${parts.join(", ")}`;
}

function Call({ call, names, texts }) {
  const [open, setOpen] = useState(false);
  const facts = [
    usageText(call.usage),
    call.finish && `finish: ${show(call.finish)}`,
    call.format && `format: ${show(call.format)}`,
    parsed("strict", call.strict),
    parsed("lenient", call.lenient),
    call.tries > 1 && counted(call.tries, "try").replace("trys", "tries"),
    typeof call.seconds === "number" && `${plain(Number(call.seconds.toFixed(2)))} s`,
  ].filter(Boolean);
  const bad = call.error || (call.finish && !["stop", "tool_calls", "end_turn"].includes(call.finish));
  return html`<details class=${classes("call", bad && "bad")} open=${open} onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary>
      <span class="mark-call" aria-hidden="true">●</span> ${call.module === "person" ? "choice of" : "model call of"} <${Agent} ...${{ names, name: call.agent }} />
      ${call.module && html`<span class="tag">${show(call.module)}</span>`} <span class="soft">${[show(call.model), ...facts].join(" · ")}</span>
      ${call.error && html`<span class="bad-text">error: ${show(call.error)}</span>`}
      ${!open && call.answer && html`<span class="answer-line">${cut(show(call.answer).replaceAll("\n", " ⏎ "), 220)}</span>`}
    </summary>
    ${
      open &&
      html`${(call.prompt ?? []).map((message) => html`<${Block} title=${message.role} text=${texts[message.text]} kind="prompt" />`)}
      ${call.reasoning && html`<${Block} title="reasoning" text=${call.reasoning} kind="reasoning" />`}
      ${call.answer !== null && call.answer !== undefined && html`<${Block} title="answer" text=${call.answer} kind="answer" />`}
      ${call.tool && html`<${Block} title="tool call" text=${call.tool} kind="answer" />`}
      ${call.settings && html`<${Block} title="settings" text=${call.settings} kind="prompt" />`}
      ${call.answer === null && !call.tool && html`<p class="soft">No answer.</p>`}`
    }
  </details>`;
}
