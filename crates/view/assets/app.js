// The page: chooses the view by what the document holds and by its address.

function Crumbs({ path, query }) {
  const list = parseRoute(`#/?${query.list ?? ""}`).query;
  const views = [page.plan && ["plan", "Plan"], page.references && ["references", "References"]].filter(Boolean);
  const view = viewOf(path);
  const ids = page.campaign ? [] : Object.keys(page.episodes ?? {});
  return html`<a href=${routeText([], list)} class="brand">${show(page.title)}</a>
    ${
      page.campaign &&
      path[0] === "e" &&
      html`<span class="soft">/</span> <span class="crumb">${show(path[1])}</span>
      <${EpisodePager} campaign=${page.campaign} id=${path[1]} query=${query} />`
    }
    ${ids.length > 1 && html`<${EpisodeChoice} ids=${ids} id=${path[1] ?? ids[0]} />`}
    ${
      views.length > 1 &&
      views.map(([id, title]) => {
        const current = view === id ? "page" : null;
        return html`<a class="tab" href=${routeText([id])} aria-current=${current}>${title}</a>`;
      })
    }`;
}

// Chooses one of several episodes that are no evaluation.
function EpisodeChoice({ ids, id }) {
  const choose = (event) => {
    location.hash = routeText(["e", event.target.value]);
  };
  return html`<select aria-label="episode" value=${id} onChange=${choose}>
    ${ids.map((each) => html`<option value=${each}>${show(each)}</option>`)}
  </select>`;
}

function viewOf(path) {
  if (path[0] === "e") return "episode";
  if (path[0] === "references" && page.references) return "references";
  if (page.campaign) return "campaign";
  if (page.plan) return "plan";
  return page.references ? "references" : "episode";
}

function View({ path, query }) {
  const [error] = useErrorBoundary();
  const only = Object.keys(page.episodes ?? {});
  if (error)
    return html`<div class="panel" role="alert">
      <h1>This view cannot be shown</h1>
      <p>${show(error?.message ?? error)}</p>
    </div>`;
  switch (viewOf(path)) {
    case "campaign":
      return html`<${Campaign} campaign=${page.campaign} query=${query} />`;
    case "plan":
      return html`<${Plan} plan=${page.plan} query=${query} />`;
    case "references":
      return html`<${References} references=${page.references} query=${query} />`;
    default:
      return html`<${EpisodeById} key=${path[1]} id=${path[1] ?? only[0]} query=${query} />`;
  }
}

// How far each view was scrolled when it was left, so that a return finds its place again.
const scrolled = new Map();
history.scrollRestoration = "manual";
addEventListener("scroll", () => scrolled.set(route.current.path.join("/"), scrollY), { passive: true });

function App() {
  const { path, query } = useRoute();
  const place = path.join("/");
  useLayoutEffect(() => {
    document.title = path[0] === "e" ? `${show(path[1])} · ${show(page.title)}` : show(page.title);
    scrollTo(0, scrolled.get(place) ?? 0);
  }, [place]);
  const crumbs = html`<${Crumbs} ...${{ path, query }} />`;
  return html`<${Shell} crumbs=${crumbs}><${View} key=${viewOf(path)} ...${{ path, query }} /><//>`;
}

render(html`<${App} />`, document.getElementById("app"));
