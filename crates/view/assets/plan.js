// A plan: its figures, the Gantt chart as a timeline, and the state at the cursor.

function ActiveSpans({ lanes, names, tick }) {
  const active = lanes.map((lane) => [lane, lane.spans.find((span) => span.from <= tick && tick < span.to)]);
  return html`<section class="panel step" aria-labelledby="now-title">
    <h2 id="now-title">At tick ${tick}</h2>
    <div class="scroll"><table class="data">
      <tbody>
        ${active.map(
          ([lane, span]) =>
            html`<tr>
              <th scope="row">${lane.kind === "agent" ? html`<${Agent} names=${names} name=${lane.name} />` : show(lane.name)}</th>
              <td>${span ? show(span.text) : ABSENT}</td>
              <td class="num soft">${span && `${span.from}–${span.to}`}</td>
            </tr>`,
        )}
      </tbody>
    </table></div>
  </section>`;
}

function Plan({ plan, query }) {
  const names = useMemo(() => plan.lanes.filter((lane) => lane.kind === "agent").map((lane) => lane.name), [plan]);
  const last = Math.max(
    plan.makespan,
    (plan.states?.length ?? 0) - 1,
    ...plan.lanes.flatMap((lane) => lane.spans.map((span) => span.to)),
  );
  const [tick, onTick] = useTick(last, query);
  const save = () => download(`${plan.problem}.svg`, plan.svg, "image/svg+xml");
  const facts = [
    ["makespan", amount(plan.makespan)],
    ["actions", amount(plan.actions)],
    ["cost", amount(plan.cost)],
    ["lower bound", quantity(plan.lower_bound)],
    ["gap", typeof plan.gap === "number" ? `${plain(Number((100 * plan.gap).toFixed(2)))} %` : ABSENT],
  ];
  return html`<article>
    <header class="episode-head">
      <h1>Plan for ${show(plan.problem)}</h1>
      <p class="soft">domain ${show(plan.domain)} · ${show(plan.semantics)}</p>
      <div class=${classes("verdict", plan.optimal && "good")}>
        <p><b>${plan.optimal ? "✓ optimal" : "not proven optimal"}</b></p>
        <${FactList} facts=${facts} />
      </div>
      ${plan.svg && html`<button class="start" onClick=${save}>download as SVG</button>`}
    </header>
    <section class="panel" aria-labelledby="timeline-title">
      <div class="row">
        <h2 id="timeline-title">Timeline</h2>
        <${Stepper} ...${{ tick, last, onTick }} />
      </div>
      <${Timeline} lanes=${plan.lanes} ...${{ names, last, tick, onTick }} />
    </section>
    <div class="columns two">
      <${ActiveSpans} lanes=${plan.lanes} ...${{ names, tick }} />
      <div class="state-column">
        ${plan.board && html`<${Board} board=${plan.board} ...${{ names, tick }} />`}
        ${
          plan.states?.length > 0 &&
          html`<${StateWords} lines=${plan.lines} states=${plan.states} tick=${tick} inWords=${plan.in_words !== false} />`
        }
      </div>
    </div>
  </article>`;
}
