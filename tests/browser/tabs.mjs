// Many tabs of one browser.
import { answer, answers, ask, composer, logIn, newChat, words } from "./people.mjs";

export async function ten_tabs({ page, context, origin, check }) {
  await logIn({ page, origin }, "ana");
  const tabs = [page];
  while (tabs.length < 10) {
    const tab = await context.newPage();
    await tab.goto(origin);
    await composer(tab).waitFor();
    tabs.push(tab);
  }
  // Each follows its own answer: ten streams at once, in a browser with six connections.
  for (const tab of tabs) { await tab.bringToFront(); await ask(tab, "{words:150}{delay_ms:40}"); }
  for (const tab of tabs) check((await answer(tab)) === words(150), "each tab has its whole answer");
  await tabs[9].reload();
  check((await answer(tabs[9])) === words(150), "requests go through");
}

export async function a_second_tab_shows_the_same({ page, context, origin, check, until }) {
  await logIn({ page, origin }, "ana");
  await ask(page, "{words:250}{delay_ms:60}"); // Long enough for a slow machine to open another tab meanwhile.
  await answers(page).last().getByText("w3").waitFor();
  const other = await context.newPage();
  let streams = 0;
  context.on("request", (request) => { if (/runs\/\w+\/events/.test(request.url())) streams++; });
  await other.goto(page.url());
  await answers(other).last().getByText("w10").waitFor();
  check(streams === 0, "one tab holds the stream for both");
  await page.close(); // The leading tab.
  check((await answer(other)) === words(250), "the other goes on");
  await until(() => streams === 1, "with a stream of its own");
  await ask(other, "More");
  await answer(other, 2);
}

export async function what_one_tab_does_others_show({ page, context, origin }) {
  await logIn({ page, origin }, "ana");
  await ask(page, "Hello");
  await answer(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await answer(other);
  await ask(page, "Again");
  await answer(other, 2);
  await newChat(page);
  await ask(page, "Something else");
  await other.getByRole("listitem").filter({ hasText: "Something else" }).waitFor();
}
