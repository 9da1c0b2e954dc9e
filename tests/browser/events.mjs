// The event log keeps every tab and device current: no reload, no polling.
import { answer, answers, ask, choose, logIn, newChat, session, words } from "./people.mjs";

// Not the look for archived conversations, which an empty list makes.
function isList(request) {
  const { pathname, searchParams } = new URL(request.url());
  return request.method() === "GET" && pathname.endsWith("/chat/sessions") && searchParams.get("archived") !== "true";
}

// A second device of the same user, with a count of its requests for the list of conversations.
async function anotherDevice({ newContext, origin }) {
  const context = await newContext();
  const seen = { lists: 0, sessions: 0, logs: 0 };
  context.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (isList(request)) seen.lists++;
    else if (/\/chat\/sessions\/\w+$/.test(pathname) && request.method() === "GET") seen.sessions++;
    else if (pathname.endsWith("/api/events")) seen.logs++;
  });
  const page = await context.newPage();
  await logIn({ page, origin }, "ana");
  await page.getByText("No conversations yet.").waitFor();
  return { context, page, seen };
}

export async function two_devices({ page, origin, newContext, check, ask: world }) {
  await logIn({ page, origin }, "ana");
  const { context, page: other, seen } = await anotherDevice({ newContext, origin });
  const tab = await context.newPage(); // It uses the connection of the first.
  await tab.goto(origin);
  await ask(page, "Alpha");
  await answer(page);
  for (const each of [other, tab]) await session(each, "Alpha").waitFor();
  await choose(page, "Alpha", "Rename");
  await page.getByRole("textbox", { name: "Title" }).fill("Beta");
  await page.keyboard.press("Enter");
  await session(other, "Beta").waitFor();
  await session(tab, "Beta").waitFor();

  await session(other, "Beta").click();
  await answer(other);
  await ask(page, "{words:60}{delay_ms:130}"); // An answer is followed as it is written,
  await answers(other).nth(1).getByText("w3").waitFor();
  await session(tab, "Beta").getByRole("img", { name: "Answer in progress" }).waitFor();
  check((await answer(other, 2)) === words(60), "and is whole");
  await session(tab, "Beta").getByRole("img").waitFor({ state: "hidden" });

  check(await world("elsewhere") === 201, "a program makes a session");
  for (const each of [page, other, tab]) await session(each, "By a program").waitFor();
  await choose(page, "By a program", "Archive");
  await session(other, "By a program").waitFor({ state: "hidden" });
  await choose(page, "Beta", "Delete");
  await session(other, "Beta").waitFor({ state: "hidden" });
  await other.getByRole("heading", { name: "Conversation not found" }).waitFor();
  check(seen.lists === 2, `each tab has fetched the list once, not ${seen.lists} times in all`);
  check(seen.logs === 1, `one connection for all tabs, not ${seen.logs}`);
  check(seen.sessions <= 8, `only sessions that are new or changed are fetched: ${seen.sessions}`);
}

const listsOf = (context) => {
  const seen = { lists: 0 };
  context.on("request", (request) => { if (isList(request)) seen.lists++; });
  return seen;
};

// Another client of the API creates, renames, archives and deletes sessions: the open page shows it, also
// after the network was cut.
export async function another_client({ page, context, origin, check, ask: world }) {
  const api = (...request) => world("api", ...request);
  const seen = listsOf(context);
  await logIn({ page, origin }, "ana");
  await page.getByText("No conversations yet.").waitFor();
  const one = await api("POST", "/chat/sessions", { title: "One" });
  const two = await api("POST", "/chat/sessions", { title: "Two" });
  await session(page, "One").waitFor();
  await session(page, "Two").waitFor();
  await api("PATCH", `/chat/sessions/${one.id}`, { title: "Uno" });
  await session(page, "Uno").waitFor();
  check(await session(page, "One").count() === 0, "it is renamed, not added");
  await api("PATCH", `/chat/sessions/${one.id}`, { archived: true });
  await session(page, "Uno").waitFor({ state: "detached" });
  await api("PATCH", `/chat/sessions/${one.id}`, { archived: false });
  await session(page, "Uno").waitFor();

  await context.setOffline(true);
  await page.getByText("You are offline").waitFor();
  await api("PATCH", `/chat/sessions/${one.id}`, { title: "Eins" });
  await api("DELETE", `/chat/sessions/${two.id}`);
  await api("POST", "/chat/query", { message: "Three" });
  await context.setOffline(false);
  for (const title of ["Eins", "Three"]) await session(page, title).waitFor();
  await session(page, "Two").waitFor({ state: "detached" });
  check(seen.lists === 1, `the list was fetched once, not ${seen.lists} times`);
}

// The log no longer has the events after the last one that the page knows: it fetches the list again, and goes on.
export async function the_position_is_gone({ page, context, origin, check, until, ask: world }) {
  const api = (...request) => world("api", ...request);
  const seen = listsOf(context);
  let refused = 0;
  await logIn({ page, origin }, "ana");
  const one = await api("POST", "/chat/sessions", { title: "One" });
  await session(page, "One").waitFor();
  await page.route("**/api/events?*", async (route) => {
    if (refused++) return route.continue();
    const { sequence_number: latest } = (await api("GET", "/events?limit=100")).data.at(-1);
    const body = { title: "Gone", status: 410, detail: "", code: "events_expired", request_id: "req_0", oldest: latest, latest };
    return route.fulfill({ status: 410, contentType: "application/problem+json", body: JSON.stringify(body) });
  });
  await world("cut"); // It connects again.
  await until(() => refused >= 2, "it goes on after the refusal");
  await until(() => seen.lists === 2, "the list is fetched again");
  await api("PATCH", `/chat/sessions/${one.id}`, { title: "Uno" });
  await session(page, "Uno").waitFor();
  await api("DELETE", `/chat/sessions/${one.id}`);
  await session(page, "Uno").waitFor({ state: "detached" });
}

// Nothing is missed while the server is away.
export async function after_a_killed_server({ page, origin, newContext, check, until, ask: world }) {
  await logIn({ page, origin }, "ana");
  const { page: other, seen } = await anotherDevice({ newContext, origin });
  await newChat(page);
  await ask(page, "Before");
  await session(other, "Before").waitFor();
  const [before] = (await world("api", "GET", "/chat/sessions")).data;
  const gone = await world("api", "POST", "/chat/sessions", { title: "To be deleted" });
  await session(other, "To be deleted").waitFor();
  const lists = seen.lists;
  await world("kill");
  await other.getByText("cannot be reached").waitFor(); // It notices without a request of the user.
  await world("start");
  check(await world("elsewhere") === 201, "a program makes a session");
  await world("api", "PATCH", `/chat/sessions/${before.id}`, { title: "After" });
  await world("api", "DELETE", `/chat/sessions/${gone.id}`);
  for (const title of ["By a program", "After"]) await session(other, title).waitFor();
  await session(other, "To be deleted").waitFor({ state: "detached" });
  await until(async () => await other.getByText("cannot be reached").count() === 0, "the notice goes");
  check(seen.lists === lists, "it goes on where it was, without the list");
}
