// The event log keeps every tab and device current: no reload, no polling.
import { answer, answers, ask, choose, logIn, newChat, session, words } from "./people.mjs";

// A second device of the same user, with a count of its requests for the list of conversations.
async function anotherDevice({ newContext, origin }) {
  const context = await newContext();
  const seen = { lists: 0, sessions: 0, logs: 0 };
  context.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith("/chat/sessions") && request.method() === "GET") seen.lists++;
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
  await ask(page, "{words:60}{delay_ms:50}"); // An answer is followed as it is written,
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

// Nothing is missed while the server is away.
export async function after_a_killed_server({ page, origin, newContext, check, until, ask: world }) {
  await logIn({ page, origin }, "ana");
  const { page: other, seen } = await anotherDevice({ newContext, origin });
  await newChat(page);
  await ask(page, "Before");
  await session(other, "Before").waitFor();
  const lists = seen.lists;
  await world("kill");
  await other.getByText("cannot be reached").waitFor(); // It notices without a request of the user.
  await world("start");
  check(await world("elsewhere") === 201, "a program makes a session");
  await session(other, "By a program").waitFor();
  await until(async () => await other.getByText("cannot be reached").count() === 0, "the notice goes");
  check(seen.lists === lists, "it goes on where it was, without the list");
}
