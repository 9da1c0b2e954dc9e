// Asking, and answers that are never lost.
import { answer, answers, ask, choose, composer, kept, logIn, newChat, session, words } from "./people.mjs";

const MARKDOWN = `# Tides

The **moon** pulls, see [here](https://example.org) and \`code\`.

1. one
2. two

| a | b |
|---|---|
| 1 | 2 |

\`\`\`python
def tide(): return 1
\`\`\`
`;

export async function answers_are_markdown({ page, origin, check, until, picture }) {
  await logIn({ page, origin }, "ana");
  await picture(page, "new-chat");
  await ask(page, MARKDOWN + "{delay_ms:5}");
  await answer(page);
  const last = answers(page).last();
  check(await last.getByRole("heading", { name: "Tides" }).isVisible(), "a heading");
  check(await last.getByRole("link", { name: "here" }).getAttribute("rel") === "noopener noreferrer", "a link that tells nobody");
  check(await last.locator("ol li").count() === 2, "a list");
  check(await last.getByRole("cell", { name: "2" }).isVisible(), "a table");
  await last.locator(".hljs-keyword").first().waitFor();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await last.getByRole("button", { name: "Copy", exact: true }).first().click();
  check(await page.evaluate(() => navigator.clipboard.readText()) === "def tide(): return 1", "the code is copied");
  await last.locator(".tools").getByRole("button", { name: "Copy", exact: true }).click();
  await until(async () => (await page.evaluate(() => navigator.clipboard.readText())).trim() === MARKDOWN.trim(), "the answer is copied as Markdown");
  await picture(page, "chat");
}

export async function stops({ page, origin, check }) {
  await logIn({ page, origin }, "ana");
  await ask(page, "{words:500}{delay_ms:50}");
  await answers(page).last().getByText("w3").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("Stopped.", { exact: true }).waitFor();
  const text = await answer(page);
  check(text.startsWith("w1 w2 w3") && !text.includes("w500"), "what was written stays");
  await page.reload();
  check((await answer(page)) === text, "and is the same after a reload");
}

export async function survives_a_reload({ page, origin, check }) {
  await logIn({ page, origin }, "ana");
  await ask(page, "{words:120}{delay_ms:20}");
  await answers(page).last().getByText("w5").waitFor();
  await page.reload();
  check((await answer(page)) === words(120), "the whole answer is there");
  check(await answers(page).count() === 1, "once");
}

export async function survives_a_killed_server({ page, origin, ask: world, check }) {
  await logIn({ page, origin }, "ana");
  await ask(page, "{words:150}{delay_ms:20}");
  await answers(page).last().getByText("w10").waitFor();
  await world("kill");
  await page.getByText("cannot be reached").waitFor();
  await world("start");
  check((await answer(page)) === words(150), "the whole answer is there");
  await page.getByText("cannot be reached").waitFor({ state: "hidden" });
  await ask(page, "Still there?");
  check((await answer(page, 2)) === "Still there?", "and the next question is answered");
}

export async function survives_a_cut_network({ page, context, origin, check }) {
  await logIn({ page, origin }, "ana");
  await ask(page, "{words:120}{delay_ms:50}");
  await answers(page).last().getByText("w5").waitFor();
  await context.setOffline(true);
  const notice = page.getByText("You are offline");
  await notice.waitFor();
  const edge = async (it, side) => { const box = await it.boundingBox(); return box.y + (side === "bottom" ? box.height : 0); };
  check(await edge(page.locator(".chat-head"), "top") >= await edge(page.locator(".connection"), "bottom") - 1, "the notice covers nothing");
  await page.waitForTimeout(10_000);
  await context.setOffline(false);
  check((await answer(page)) === words(120), "the whole answer is there");
}

// A question that was sent while the server was down is asked once.
export async function sends_when_the_server_is_back({ page, origin, ask: world, check }) {
  await logIn({ page, origin }, "ana");
  await ask(page, "First");
  await answer(page);
  await world("kill");
  await ask(page, "Second");
  await page.getByText("cannot be reached").waitFor();
  await world("start");
  check((await answer(page, 2)) === "Second", "it is answered");
  await page.reload();
  await answer(page, 2);
  check(await answers(page).count() === 2, "and was asked once");
}

// An empty list says whether there are archived conversations: known ones, and those of the server.
export async function all_are_archived({ page, origin, newContext, check }) {
  await logIn({ page, origin }, "ana");
  await page.getByText("No conversations yet.").waitFor();
  await ask(page, "Alpha");
  await answer(page);
  await choose(page, "Alpha", "Archive");
  await page.getByText("All conversations are archived.").waitFor();
  const other = await (await newContext()).newPage();
  await logIn({ page: other, origin }, "ana");
  await other.getByText("All conversations are archived.").waitFor();
  check(await other.getByText("No conversations yet.").count() === 0, "it does not say that there are none");
  await other.getByRole("button", { name: "Show archived conversations" }).click();
  await session(other, "Alpha").waitFor();
}

export async function list_of_conversations({ page, origin, check, until }) {
  await logIn({ page, origin }, "ana");
  for (const title of ["Alpha", "Beta", "Gamma"]) {
    await newChat(page);
    await ask(page, title);
    await answer(page);
    await session(page, title).waitFor();
  }
  await page.getByRole("searchbox").fill("bet");
  await until(async () => await page.getByRole("listitem").count() === 1, "the search leaves one");
  await page.getByRole("searchbox").fill("");
  await choose(page, "Beta", "Rename");
  await page.getByRole("textbox", { name: "Title" }).fill("Beta two");
  await page.keyboard.press("Enter");
  await session(page, "Beta two").waitFor();
  await session(page, "Beta two").click();
  await choose(page, "Beta two", "Rename");
  await page.getByRole("textbox", { name: "Title" }).fill("Beta three");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Beta three" }).waitFor(); // The title above the conversation changes, too.
  await choose(page, "Alpha", "Archive");
  await page.getByText("“Alpha” archived").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await session(page, "Alpha").waitFor();
  await choose(page, "Alpha", "Archive");
  await until(async () => await page.getByRole("listitem").count() === 2, "it is out of the list");
  await page.getByRole("button", { name: "Archived", exact: true }).click();
  await session(page, "Alpha").waitFor();
  await page.getByRole("button", { name: "Back to conversations" }).click();
  const deleted = page.waitForResponse((response) => response.request().method() === "DELETE");
  await newChat(page);
  await ask(page, "Delta");
  await answer(page);
  await choose(page, "Delta", "Delete");
  check((await deleted).status() === 204, "it is deleted when the time for second thoughts has passed");
  await choose(page, "Gamma", "Delete");
  await page.getByRole("button", { name: "Undo" }).click();
  await session(page, "Gamma").waitFor();
  await choose(page, "Gamma", "Delete");
  await session(page, "Gamma").waitFor({ state: "hidden" });
  await page.keyboard.press("Control+z"); // The message is empty, so the key is free.
  await session(page, "Gamma").waitFor();
  await choose(page, "Gamma", "Delete");
  await session(page, "Gamma").waitFor({ state: "hidden" });
  await page.reload(); // Leaving the page ends the time for an undo.
  await session(page, "Beta three").waitFor();
  await until(async () => await page.getByRole("listitem").count() === 1, "deleted, and archived, are out of the list");
}

// The title above the conversation can be edited without opening the list.
export async function renames_on_a_phone({ newContext, origin, check }) {
  const phone = await newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  const page = await phone.newPage();
  await logIn({ page, origin }, "ana");
  await ask(page, "Hello");
  await answer(page);
  const rename = async () => {
    await page.getByRole("button", { name: /^Actions for/ }).tap();
    await page.getByRole("menuitem", { name: "Rename" }).tap();
  };
  await rename();
  check(await page.getByRole("navigation", { name: "Conversations" }).count() === 0, "the list stays closed");
  await page.getByRole("textbox", { name: "Title" }).fill("Greetings");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Greetings" }).waitFor();
  await rename();
  await page.getByRole("textbox", { name: "Title" }).fill("Not this");
  await page.keyboard.press("Escape");
  await page.reload();
  await page.getByRole("heading", { name: "Greetings" }).waitFor();
}

export async function drafts_are_kept({ page, origin, check, until }) {
  await logIn({ page, origin }, "ana");
  await composer(page).fill("Not sent yet");
  await until(async () => (await kept(page)).some((each) => each.includes("Not sent yet")), "it is kept");
  await page.reload();
  await page.waitForFunction(() => document.querySelector("#composer")?.value === "Not sent yet");
  await composer(page).press("Enter");
  check((await answer(page)) === "Not sent yet", "it is asked");
  check(await composer(page).inputValue() === "", "and the draft is gone");
}

// Text that is typed right after a question is not lost, and does not appear in the next new chat.
export async function typing_goes_on({ page, context, origin, check, until }) {
  await logIn({ page, origin }, "ana");
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await context.route(/chat\/sessions\/ses_\w+$/, async (route) => { await held; await route.continue(); });
  await ask(page, "First");
  await answer(page);
  await page.keyboard.type("Second"); // While the app still fetches the title of the new session.
  release();
  await session(page, "First").waitFor();
  check(await composer(page).inputValue() === "Second", "all of it is there");
  await page.getByRole("link", { name: "New chat" }).click();
  await page.getByText("What would you like to know?").waitFor();
  check(await composer(page).inputValue() === "", "a new chat is empty");
  await session(page, "First").click();
  await until(async () => await composer(page).inputValue() === "Second", "the draft belongs to its conversation");
}

// The end of a long conversation stays in view until the reader scrolls away.
export async function the_end_stays_in_view({ page, origin, check, until }) {
  const long = Array.from({ length: 30 }, (_, at) => `Paragraph ${at} of **many**.\n`).join("\n");
  const toEnd = () => page.evaluate(() => { const it = document.querySelector(".messages"); return it.scrollHeight - it.scrollTop - it.clientHeight; });
  await logIn({ page, origin }, "ana");
  for (const count of [1, 2, 3]) {
    await ask(page, long);
    await answer(page, count);
    await until(async () => await toEnd() < 5, `answer ${count} is read to its end`);
  }
  await page.reload();
  await answer(page, 3);
  await until(async () => await toEnd() < 5, "so it is after a reload");
  await ask(page, "{words:3000}{delay_ms:10}"); // It still grows at the end of this, also on a slow machine.
  await answers(page).last().getByText("w50 ").waitFor();
  await until(async () => await toEnd() < 120, "and while an answer grows");
  await page.mouse.move(700, 300);
  await page.mouse.wheel(0, -400);
  await until(async () => await toEnd() > 350, "the reader moves away");
  const before = await toEnd();
  await until(async () => await toEnd() > before + 20, "and stays there while it grows");
  await page.getByRole("button", { name: "To the newest message" }).click();
  await until(async () => await toEnd() < 120, "until the end is asked for");
}
