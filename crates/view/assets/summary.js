// The head of an episode: how it ended, where it left the best way, who took part.

// Leads to a tick of the episode shown.
function TickLink({ tick, children }) {
  const follow = (event) => {
    event.preventDefault();
    setQuery({ tick });
  };
  const { path, query } = route.current;
  return html`<a href=${routeText(path, { ...query, tick })} onClick=${follow}>${children ?? `tick ${tick}`}</a>`;
}

function Departure({ name, departure, names }) {
  if (!departure) return null;
  return html`<li>
    ${name}: <${TickLink} tick=${departure.tick} /> · <${Agent} ...${{ names, name: departure.agent }} />
    ${departure.action ? html` <code>${show(departure.action)}</code>` : " a refused command"} · failure class <b>${show(departure.class)}</b>
  </li>`;
}

// The ticks of note for the timeline.
function flagsOf({ process }) {
  const flag = (name, departure) =>
    departure && {
      tick: departure.tick,
      text: `${name}, ${departure.agent}: ${departure.action ?? "refused"} (${departure.class})`,
    };
  return [flag("first departure", process?.first), flag("decisive", process?.decisive)].filter(Boolean);
}

// Returns the first step whose regret is positive.
const firstRegret = (steps) => steps.find((step) => isPositive(step.regret));

function DeadEnd({ process }) {
  if (typeof process?.dead_end !== "number") return null;
  if (process.optimum === "inf") return html`<li>No plan reaches the goal, from the start on.</li>`;
  return html`<li>After the step of <${TickLink} tick=${process.dead_end} /> no plan reaches the goal.</li>`;
}

function Verdicts({ episode, unit }) {
  const { process, end, steps } = episode;
  const names = episode.agents.map((agent) => agent.name);
  const success = process?.success ?? (end ? (end.reason === "goal" ? true : null) : null);
  const [kind, word] =
    success === true
      ? ["good", "✓ success"]
      : success === false
        ? ["bad", "✗ no success"]
        : ["", end ? "ended" : "unfinished"];
  const departure = firstRegret(steps);
  const how = end ? `${show(end.words ?? end.reason)}, tick ${end.ticks}` : "the log ends in the middle";
  return html`<div class=${classes("verdict", kind)}>
    <p>
      <b>${word}</b>: ${how}${end?.detail && `; ${show(end.detail)}`}.${
        end?.unproven && html` <span class="soft">Not proven: ${show(end.unproven)}.</span>`
      }
    </p>
    <ul>
      <${Departure} name="First departure" departure=${process?.first} names=${names} />
      ${
        !process?.first &&
        departure &&
        html`<li>First regret: <${TickLink} tick=${departure.tick} />, <${Quantity} q=${departure.regret} unit=${amountUnit(unit)} /></li>`
      }
      <${Departure} name="Decisive" departure=${process?.decisive} names=${names} />
      <${DeadEnd} process=${process} />
      ${episode.missing && html`<li class="soft">No cost-to-go: ${show(episode.missing)}</li>`}
    </ul>
  </div>`;
}

// Shows named figures.
function FactList({ facts }) {
  return html`<dl class="facts">
    ${facts.map(([name, value]) => html`<div data-fact=${name}><dt>${name}</dt><dd class="num">${value}</dd></div>`)}
  </dl>`;
}

function Facts({ episode, unit }) {
  const { process, end } = episode;
  const share = (value) => (value === null || value === undefined ? ABSENT : plain(Number(value.toFixed(3))));
  const facts = [
    process && ["optimum", html`<${Quantity} q=${process.optimum} unit=${unit} />`],
    process && ["to go", html`<${Quantity} q=${process.to_go} unit=${unit} />`],
    process && ["regret", html`<${Quantity} q=${process.regret} unit=${amountUnit(unit)} />`],
    process && ["progress", share(process.progress)],
    process && ["optimality rate", share(process.optimality_rate)],
    end && ["ticks", end.ticks],
    end && ["actions", end.labels],
    end && ["refused", end.refused],
    end && unit.word !== "ticks" && [unit.word, quantity(end.cost, amountUnit(unit))],
    ...Object.entries(end?.totals ?? {}).map(([name, value]) => [show(name), amount(value)]),
  ].filter(Boolean);
  return html`<${FactList} facts=${facts} />`;
}

function Agents({ episode, unit }) {
  const names = episode.agents.map((agent) => agent.name);
  const judged = new Map((episode.process?.agents ?? []).map((it) => [it.agent, it]));
  const head = judged.size > 0 ? ["choices", "optimal", "regret", ...FAILURE_CLASSES] : [];
  return html`<div class="scroll">
    <table class="data agents">
      <caption class="visually-hidden">
        agents, their regret and failures by class
      </caption>
      <thead>
        <tr>
          <th scope="col">agent</th><th scope="col">policy</th>
          ${head.map((title) => html`<th scope="col" class="right" title=${CLASS_WORDS[title]}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${episode.agents.map((agent) => {
          const it = judged.get(agent.name);
          return html`<tr>
            <th scope="row"><${Agent} names=${names} name=${agent.name} /></th>
            <td>${show(agent.policy)}${agent.clairvoyant && html`<${Clairvoyant} />`}</td>
            ${
              head.length > 0 &&
              (it
                ? html`<td class="right num">${it.choices}</td>
                  <td class="right num">${it.optimal}</td>
                  <td class="right"><${Quantity} q=${it.regret} unit=${amountUnit(unit)} /></td>
                  ${FAILURE_CLASSES.map((name) => html`<td class="right num">${it.failures?.[name] ?? 0}</td>`)}`
                : head.map(() => html`<td class="right">${ABSENT}</td>`))
            }
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

const FAILURE_CLASSES = ["state", "action", "transition", "goal"];

function EpisodeHead({ episode, unit }) {
  const { evaluation, process } = episode;
  const meta = [
    episode.domain !== episode.problem && `domain ${show(episode.domain)}`,
    show(episode.semantics),
    episode.seed !== null && episode.seed !== undefined && `seed ${episode.seed}`,
    evaluation?.setup && `setup ${show(evaluation.setup)}`,
    evaluation?.model && `model ${show(evaluation.model)}`,
    evaluation && `epoch ${amount(evaluation.epoch)}, trial ${amount(evaluation.trial)}`,
  ].filter(Boolean);
  const counts = FAILURE_CLASSES.filter((name) => process?.counts?.[name] > 0).map(
    (name) => `${name} ${process.counts[name]}`,
  );
  return html`<header class="episode-head">
    <h1>${show(episode.problem)} <small>${show(episode.id)}</small></h1>
    <p class="soft">${meta.join(" · ")}</p>
    <div class="head-columns">
      <div>
        <${Verdicts} ...${{ episode, unit }} /><${Facts} ...${{ episode, unit }} />
      </div>
      <div>
        <${Agents} ...${{ episode, unit }} />
        ${counts.length > 0 && html`<p class="soft">failures by class: ${counts.join(", ")}</p>`}
      </div>
    </div>
    ${episode.cut?.length > 0 && html`<${Notes} notes=${episode.cut} />`}
  </header>`;
}
