// The page of a person who plays: what the agent sees, what it can do, and what was done and said.

const AGAIN_AFTER = 1000;

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

// Follows the game: calls `onLook` with each new state, and `onLost` with a reason while there is none.
async function follow(onLook, onLost) {
  let version = "";
  for (;;) {
    try {
      const response = await fetch(`news?after=${encodeURIComponent(version)}`, { cache: "no-store" });
      if (response.status === 404) {
        onLost("This address is not known any more. Ask for a new one, then open it.");
        return;
      }
      if (!response.ok) throw new Error(response.statusText);
      const look = await response.json();
      version = look.version;
      onLook(look);
      onLost(null);
    } catch {
      onLost("The connection is lost. Trying again…");
      await pause(AGAIN_AFTER);
    }
  }
}

// Sends what the person does. Returns a complaint, or null.
async function send(deed) {
  try {
    const response = await fetch("do", { method: "POST", body: JSON.stringify(deed) });
    if (response.ok) return null;
    const { error } = await response.json();
    return error.code === "late" ? null : error.message;
  } catch {
    return "it was not sent: the connection is lost";
  }
}

const TURNS = {
  choose: ["yours", "Choose what to do"],
  chosen: ["", "Chosen. Waiting for the others…"],
  wait: ["", "Waiting for the others…"],
  ended: ["over", "The game has ended"],
};

const TALK = "The others talk with you: say something, or nothing more";

// Says whose turn it is, or how the game has ended.
function Turn({ look }) {
  const [kind, words] = TURNS[look.phase];
  const doing = look.phase === "wait" && look.shown?.under_way;
  const talks = look.phase === "choose" && look.shown.dialog;
  return html`<p class=${classes("turn", kind)} role="status">
    ${look.end ? `${words}: ${show(look.end.words)}` : talks ? TALK : doing ? `Going on: ${show(doing)}` : words}
    ${
      look.absent.length > 0 &&
      html`<br /><span class="soft">not here yet: ${look.absent.map(agentName).join(", ")}</span>`
    }
  </p>`;
}

// The actions, chosen by a click, by their number, or by writing.
function Deeds({ look, onDo }) {
  const [written, write] = useState("");
  const { game, shown, phase, chosen } = look;
  const at = { game, tick: shown.tick, attempt: shown.attempt };
  const open = phase === "choose" || phase === "chosen";
  const act = (command) => {
    write("");
    if (open) onDo({ act: { ...at, command } });
  };
  const wanted = written.trim().toLowerCase();
  const fitting = shown.actions.filter((action) => action.toLowerCase().includes(wanted));
  const digits = {};
  for (const [index, action] of shown.actions.slice(0, 9).entries()) digits[index + 1] = () => act(action);
  useKeys(digits);
  const submit = (event) => {
    event.preventDefault();
    const same = shown.actions.find((action) => action.toLowerCase() === wanted);
    if (wanted) act(same ?? (fitting.length === 1 ? fitting[0] : written.trim()));
  };
  const left = shown.retries - shown.attempt + 1;
  return html`<section class="panel" aria-labelledby="deeds-title">
    <h2 id="deeds-title">What you can do${" "}<span class="soft">step ${shown.tick} of ${shown.max_ticks}</span></h2>
    <${Turn} look=${look} />
    ${
      shown.refusal &&
      html`<p class="bad-text" role="alert">${show(shown.refusal)}${" "}(${counted(left, "try").replace("trys", "tries")} left)</p>`
    }
    <ol class="deeds">
      ${(wanted ? fitting : shown.actions).map(
        (action) =>
          html`<li key=${action}>
            <button disabled=${!open} aria-pressed=${action === chosen ? "true" : "false"} onClick=${() => act(action)}>
              <span class="num">${shown.actions.indexOf(action) + 1}</span>${show(action)}
            </button>
          </li>`,
      )}
    </ol>
    ${
      open &&
      html`<form class="line" onSubmit=${submit}>
        <input aria-label="an action" placeholder="or write an action" maxlength="1000" value=${written} onInput=${(event) => write(event.target.value)} />
        <button>Do</button>
      </form>`
    }
    ${
      look.hints &&
      html`<div class="line"><button class="ask-hint" disabled=${phase !== "choose"} onClick=${() => onDo({ hint: {} })}>Hint</button></div>
        ${look.hint && html`<p class="hint" role="status">${show(look.hint)}</p>`}`
    }
    ${
      look.may_go_on &&
      html`<button class="primary again" onClick=${() => onDo({ again: { game } })}>Another game</button>`
    }
  </section>`;
}

// What was done and said, and a line to say something.
function Course({ look, names, onDo }) {
  const [written, write] = useState("");
  const list = useRef(null);
  useLayoutEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [look.entries.length]);
  const submit = (event) => {
    event.preventDefault();
    if (written.trim()) onDo({ say: { text: written } });
    write("");
  };
  return html`<section class="panel course-panel" aria-labelledby="course-title">
    <h2 id="course-title">Course of the game</h2>
    <ol class="course" ref=${list} aria-live="polite">
      ${look.entries.map(
        ({ tick, kind, agent, text }, index) =>
          html`<li key=${index} class=${kind} style=${agentStyle(names, agent)}>
            <span class="tick">${tick}</span>${
              kind === "refused" ? html`refused: ${show(text)}` : html`<${Agent} ...${{ names, name: agent }} />${": "}${show(text)}`
            }
          </li>`,
      )}
    </ol>
    ${
      names.length > 1 &&
      !look.end &&
      html`<form class="line" onSubmit=${submit}>
        <input class="say" aria-label="a message" placeholder="say something to the others" maxlength="1000" value=${written} onInput=${(event) => write(event.target.value)} />
        <button>Say</button>
      </form>`
    }
  </section>`;
}

// The state in words, with what has changed since the step before.
function Sight({ shown, before }) {
  const lines = (state) => state.map((line) => line || -1);
  const now = lines(shown.state);
  const marked = before ? difference(lines(before), now) : now.map((line) => ["", line]);
  return html`<section class="panel state" aria-labelledby="sight-title">
    <h2 id="sight-title">What you see</h2>
    ${shown.goal && html`<p class="goal"><b>Goal:</b> ${show(shown.goal)}</p>`}
    ${shown.busy.length > 0 && html`<p>Still under way: ${shown.busy.map(show).join("; ")}</p>`}
    <div class="blocks">
      ${blocks(marked).map(
        (block) =>
          html`<ul class=${block.length > WHOLE ? "long" : null}>
            ${block.map(
              ([mark, line]) =>
                html`<li class=${MARK_CLASS[mark]}><span class="sign" aria-label=${MARK_CLASS[mark]}>${mark}</span>${show(line)}</li>`,
            )}
          </ul>`,
      )}
    </div>
  </section>`;
}

function Bar({ look }) {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme);
  const next = () => {
    const other = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    applyTheme(other);
    setTheme(other);
  };
  return html`<div class="bar" role="banner">
    <span class="brand">${show(look?.problem)}</span>
    ${look && html`<span class="soft">game ${look.game}</span>`}
    <span class="spring"></span>
    <button onClick=${next} aria-label=${`colours: ${theme}`} title="colours: as the system, light, dark">
      ${{ auto: "◐ auto", light: "○ light", dark: "● dark" }[theme]}
    </button>
  </div>`;
}

function App() {
  const [look, setLook] = useState(null);
  const [lost, setLost] = useState(null);
  const [complaint, complain] = useState(null);
  // The states of the last two steps, for what has changed.
  const steps = useRef({});
  useEffect(() => {
    follow((next) => {
      const { shown, game } = next;
      const known = steps.current;
      if (shown && (known.game !== game || known.tick !== shown.tick))
        steps.current = { game, tick: shown.tick, state: shown.state, before: known.game === game ? known.state : null };
      document.title = `${next.phase === "choose" ? "● " : ""}${show(next.agent)} · ${show(next.problem)}`;
      setLook(next);
    }, setLost);
  }, []);
  const onDo = async (deed) => complain(await send(deed));
  const shown = look?.shown;
  const names = shown ? [shown.agent, ...shown.others].sort() : [];
  return html`<${Bar} look=${look} />
    ${lost && html`<p class="lost" role="alert">${lost}</p>`}
    <main>
      ${
        shown
          ? html`<h1>You are ${html`<${Agent} ...${{ names, name: shown.agent }} />`}</h1>
            ${complaint && html`<p class="bad-text" role="alert">${show(complaint)}</p>`}
            <div class="play">
              <${Deeds} ...${{ look, onDo }} />
              <div>
                ${shown.board && html`<${Board} board=${shown.board} tick=${shown.tick} names=${names} />`}
                <${Sight} shown=${shown} before=${steps.current.before} />
              </div>
              <${Course} ...${{ look, names, onDo }} />
            </div>`
          : html`<p class="soft">The game is about to begin…</p>`
      }
    </main>`;
}

render(html`<${App} />`, document.getElementById("app"));
