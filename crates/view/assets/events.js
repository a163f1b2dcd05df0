// What happened within a step besides the choices: messages, requests, refusals, calls, decisions.

const CLASS_WORDS = {
  state: "the state was taken for another",
  action: "the action was worse than another",
  transition: "the effect was taken for another",
  goal: "the goal was taken for another",
};

const THEN_WORDS = {
  "asked-again": "asked again",
  waited: "the agent waited",
  "joint-dropped": "the joint action was dropped",
  ended: "the episode ended",
};

const Code = ({ text }) => html`<code>${show(text)}</code>`;

function Refusal({ event, names }) {
  const reasons = (event.reasons ?? []).filter((reason) => !event.message.includes(reason));
  return html`<div class="event refusal">
    <span class="mark-refusal" aria-hidden="true">▲</span> <b>refused</b> <${Agent} ...${{ names, name: event.agent }} />
    <${Code} text=${event.command} />
    ${event.class && html`<span class="tag bad" title=${CLASS_WORDS[event.class]}>${show(event.class)}</span>`}
    ${event.rule && html`<span class="tag">${show(event.rule)}</span>`}
    ${event.action && html`<span class="soft">understood as <${Code} text=${event.action} /></span>`}
    <p>${show(event.message)}</p>
    ${reasons.length > 0 && html`<ul>${reasons.map((reason) => html`<li>${show(reason)}</li>`)}</ul>`}
    <p class="soft">then: ${THEN_WORDS[event.then] ?? show(event.then)}</p>
  </div>`;
}

function Message({ event, names }) {
  return html`<div class="event message">
    <span class="mark-message" aria-hidden="true">■</span> <${Agent} ...${{ names, name: event.agent }} /> says
    <blockquote>${show(event.text)}</blockquote>
  </div>`;
}

function Request({ event, names }) {
  return html`<div class="event message">
    <span class="mark-message" aria-hidden="true">■</span> <${Agent} ...${{ names, name: event.agent }} /> requests of
    <${Agent} ...${{ names, name: event.of }} />: <${Code} text=${event.action} />
    ${event.class && html`<span class=${classes("tag", event.class === "correct" ? "good" : "warn")}>${show(event.class)}</span>`}
  </div>`;
}

function Response({ event, names }) {
  const word = event.accepts === true ? "accepts" : event.accepts === false ? "declines" : "answers";
  return html`<div class="event message">
    <span class="mark-message" aria-hidden="true">■</span> <${Agent} ...${{ names, name: event.agent }} /> ${word} the request
    of <${Agent} ...${{ names, name: event.of }} />${event.actions?.length > 0 && ": "}
    ${(event.actions ?? []).map((action, place) => html`${place > 0 && ", "}<${Code} text=${action} />`)}
  </div>`;
}

function Decision({ event, names }) {
  return html`<div class=${classes("event decision", event.outcome !== "ok" && "bad")}>
    <span class="soft">decision of</span> <${Agent} ...${{ names, name: event.agent }} />
    <span class=${classes("tag", event.outcome === "ok" ? "good" : "bad")}>${show(event.outcome)}</span>
    <span class="soft">${counted(event.attempts, "attempt")}, ${counted(event.calls, "call")}</span>
  </div>`;
}

function Event({ event, names, texts }) {
  switch (event.event) {
    case "message":
      return html`<${Message} ...${{ event, names }} />`;
    case "request":
      return html`<${Request} ...${{ event, names }} />`;
    case "response":
      return html`<${Response} ...${{ event, names }} />`;
    case "error":
      return html`<${Refusal} ...${{ event, names }} />`;
    case "call":
      return html`<${Call} call=${event} ...${{ names, texts }} />`;
    case "decision":
      return html`<${Decision} ...${{ event, names }} />`;
    default:
      return html`<div class="event"><${Code} text=${event} /></div>`;
  }
}
