// The step at the cursor: each agent's choice with its regret and what would have been better, and what it changed.

const BETTER_SHOWN = 6;

// The alternatives with the chosen action among them, the best first.
function Alternatives({ choice, unit }) {
  const [all, setAll] = useState(false);
  const value = ({ value: q }) => least(q) ?? Infinity;
  const sorted = [...choice.better].sort((a, b) => value(a) - value(b));
  const shown = all ? sorted : sorted.slice(0, BETTER_SHOWN);
  const chosen =
    typeof choice.before === "number" && typeof choice.regret === "number"
      ? choice.before + choice.regret
      : choice.regret === "inf"
        ? "inf"
        : null;
  return html`<table class="better">
    <caption class="soft">
      ${unit.maximised ? "metric" : "cost"} of the best plan that begins with
    </caption>
    <tbody>
      ${shown.map(
        (it) =>
          html`<tr class="better-one">
            <td class="right"><${Quantity} q=${it.value} unit=${unit} /></td>
            <td>${show(it.action)}</td>
          </tr>`,
      )}
      ${
        sorted.length > shown.length &&
        html`<tr>
          <td></td>
          <td><button class="small" onClick=${() => setAll(true)}>${sorted.length - shown.length} more</button></td>
        </tr>`
      }
      <tr class="chosen-one">
        <td class="right"><${Quantity} q=${chosen} unit=${unit} /></td>
        <td>${show(choice.action)} <span class="soft">(chosen)</span></td>
      </tr>
    </tbody>
  </table>`;
}

function CostsToGo({ from, to, unit }) {
  return html`${unit.toGo} <${Quantity} q=${from} unit=${unit} /> → <${Quantity} q=${to} unit=${unit} />`;
}

function Verdict({ choice, unit }) {
  if (isPositive(choice.regret))
    return html`<span class="tag bad">✗ regret <${Quantity} q=${choice.regret} unit=${amountUnit(unit)} /></span>`;
  if (choice.optimal === true) return html`<span class="tag good">✓ optimal</span>`;
  if (choice.optimal === false) return html`<span class="tag bad">✗ not optimal</span>`;
  return null;
}

function Choice({ choice, names, unit }) {
  return html`<div class="choice" style=${agentStyle(names, choice.agent)}>
    <div class="choice-head">
      <${Agent} ...${{ names, name: choice.agent }} /> <b>${show(choice.action)}</b> <${Verdict} ...${{ choice, unit }} />
      ${choice.refused > 0 && html`<span class="tag warn">after ${counted(choice.refused, "refusal")}</span>`}
      ${
        choice.before !== null &&
        choice.after !== null &&
        html`<span class="soft" title="before and after this choice, with the choices of the agents before it in the timestep">
          <${CostsToGo} from=${choice.before} to=${choice.after} unit=${unit} />
        </span>`
      }
    </div>
    ${choice.command && choice.command !== choice.action && html`<div class="soft">command <code>${show(choice.command)}</code></div>`}
    ${choice.better?.length > 0 && html`<${Alternatives} ...${{ choice, unit }} />`}
  </div>`;
}

function Effects({ step, names }) {
  const none = !step.added.length && !step.removed.length;
  return html`<section aria-label="effects of the step">
    <h3>Effects</h3>
    ${
      step.labels?.length > 0 &&
      html`<p>
      ${step.labels.map(
        ({ agent, label }, place) =>
          html`${place > 0 && " · "}${agent && html`<${Agent} ...${{ names, name: agent }} /> `}<code>${show(label)}</code>`,
      )}
    </p>`
    }
    ${
      none
        ? html`<p class="soft">The state stays as it was.</p>`
        : html`<ul class="changes">
          ${step.removed.map((line) => html`<li class="removed"><span class="sign" aria-label="removed">−</span>${show(line)}</li>`)}
          ${step.added.map((line) => html`<li class="added"><span class="sign" aria-label="added">+</span>${show(line)}</li>`)}
        </ul>`
    }
  </section>`;
}

// Names what the process metrics say of a step.
function StepFlags({ process, tick }) {
  const flags = [
    process?.first?.tick === tick && `first departure: ${show(process.first.class)}`,
    process?.decisive?.tick === tick && `decisive: ${show(process.decisive.class)}`,
    process?.dead_end === tick && process.optimum !== "inf" && "leads into a dead end",
  ].filter(Boolean);
  return flags.map((flag) => html`<span class="tag bad">⚑ ${flag}</span>`);
}

function StepPanel({ step, names, unit, process, texts }) {
  const totals = pairs(step.totals);
  const regret = isPositive(step.regret);
  return html`<section class="panel step" aria-labelledby="step-title">
    <h2 id="step-title">
      Step ${step.tick} → ${step.tick + 1}
      <span class="soft">
        ${step.before !== null && html`<${CostsToGo} from=${step.before} to=${step.after} unit=${unit} />`}
        ${unit.word !== "ticks" && step.cost !== null && html` · ${unit.word} <${Quantity} q=${step.cost} unit=${amountUnit(unit)} />`}
        ${totals && ` · ${totals}`}
      </span>
      ${regret && html`<span class="tag bad">✗ regret <${Quantity} q=${step.regret} unit=${amountUnit(unit)} /></span>`}
      <${StepFlags} process=${process} tick=${step.tick} />
    </h2>
    ${step.choices.map((choice) => html`<${Choice} key=${choice.agent} ...${{ choice, names, unit }} />`)}
    ${!step.choices.length && html`<p class="soft">No choices are recorded.</p>`}
    <${Events} events=${step.events} tick=${step.tick} ...${{ names, texts }} />
    <${Effects} ...${{ step, names }} />
  </section>`;
}

function Events({ events, tick, names, texts }) {
  if (!events?.length) return null;
  return html`<h3>Events</h3>
    ${events.map((event, place) => html`<${Event} key=${`${tick}/${place}`} ...${{ event, names, texts }} />`)}`;
}

function EndFacts({ end, unit }) {
  const facts = [
    counted(end.ticks, "tick"),
    counted(end.labels, "action"),
    `${end.refused} refused`,
    `${unit.maximised ? "metric" : "cost"} ${quantity(end.cost, amountUnit(unit))}`,
    pairs(end.totals),
  ];
  return html`<p><b>${show(end.words ?? end.reason)}</b></p>
    ${end.detail && html`<p>${show(end.detail)}</p>`}
    ${end.unproven && html`<p class="soft">Not proven: ${show(end.unproven)}</p>`}
    <p class="soft">${facts.filter(Boolean).join(" · ")}</p>`;
}

// Shows how the episode ended, and what was said and asked after the last step.
function EndPanel({ end, events, tick, names, unit, texts }) {
  return html`<section class="panel step" aria-labelledby="step-title">
    <h2 id="step-title">${end ? `The end, tick ${tick}` : `Tick ${tick}`}</h2>
    ${end ? html`<${EndFacts} ...${{ end, unit }} />` : html`<p>The log ends here, in the middle of the episode.</p>`}
    <${Events} ...${{ events, tick, names, texts }} />
  </section>`;
}
