// Search in messages; import, export, and how long conversations are kept.
import { readFileSync } from "node:fs";
import { answer, answers, ask, logIn, nameOf } from "./people.mjs";

const hits = (page) => page.locator(".hit");

const node = (id, parent, role, text) => [id, { id, parent, message: { author: { role }, create_time: 1_690_000_000, content: { content_type: "text", parts: [text] } } }];

// Questions and answers in turn, as ChatGPT exports them.
function conversation(title, texts, more = []) {
  const nodes = texts.map((text, at) => node(`n${at}`, at ? `n${at - 1}` : null, at % 2 ? "assistant" : "user", text));
  return { title, conversation_id: title, create_time: 1_690_000_000, current_node: `n${texts.length - 1}`, mapping: Object.fromEntries([...nodes, ...more]) };
}

const lines = (count) => Array.from({ length: count }, (_, at) => `Message number ${at}`);

async function indexed(world, until, word, count = 1) {
  await until(async () => (await world("api", "GET", `/search?q=${word}`)).data.length >= count, `${word} is in the index`);
}

// From the field of the list to a message in the middle of a long conversation, and back to the hits.
export async function finds_messages({ page, origin, check, until, picture, ask: world }) {
  const texts = lines(300);
  texts[41] = "Where the red **umbrella** stood";
  await world("api", "POST", "/import", { format: "chatgpt", conversation: conversation("A long one", texts) });
  await logIn({ page, origin }, "ana");
  await ask(page, "My blue umbrella <img src=x onerror=alert(1)>");
  await answer(page);
  await indexed(world, until, "umbrella", 3);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("UMBRELLA");
  await page.getByRole("link", { name: "Search messages for “UMBRELLA”" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Search messages" }).waitFor();
  await until(async () => await hits(page).count() === 3, "all three are found");
  check((await page.locator(".hit mark").allInnerTexts()).join() === "umbrella,umbrella,umbrella", "the word is marked");
  check((await hits(page).first().innerText()).includes("<img src=x"), "a text is never HTML");
  await picture(page, "search");
  const field = page.getByRole("searchbox", { name: "Search messages" });
  await field.fill("red umbr*");
  await until(async () => await hits(page).count() === 1, "typing narrows the search");
  await field.press("ArrowDown");
  await until(() => page.evaluate(() => document.activeElement.classList.contains("hit")), "an arrow goes to the first hit");
  await page.keyboard.press("Enter");
  const found = page.getByRole("article").filter({ hasText: "red umbrella stood" });
  await found.waitFor();
  await until(() => found.evaluate((it) => { const { top, bottom } = it.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; }), "the message is in view");
  await page.getByText("Message number 40", { exact: true }).waitFor();
  await page.goBack();
  await until(async () => await hits(page).count() === 1 && await field.inputValue() === "red umbr*", "the hits are there again");
  await field.fill("nothing like this");
  await page.getByText("No messages found.").waitFor();
}

// A message in another branch than the newest one.
export async function finds_messages_in_branches({ page, origin, until, ask: world }) {
  const branch = [node("x", "n0", "assistant", "Another answer"), node("y", "x", "user", "About the lighthouse"), node("z", "y", "assistant", "It is far away")];
  const { session_id } = await world("api", "POST", "/import", { format: "chatgpt", conversation: conversation("Branches", lines(6), branch) });
  await indexed(world, until, "lighthouse");
  await logIn({ page, origin }, "ana");
  await page.goto(`${origin}/#/chat/${session_id}`);
  await page.getByText("Message number 5", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Next version" }).click();
  await page.getByText("It is far away").waitFor(); // To its end, though it belongs to no run.
  await page.getByRole("button", { name: "Previous version" }).click();
  await page.getByText("Message number 5", { exact: true }).waitFor();
  await page.goto(`${origin}/#/search/lighthouse`);
  await hits(page).click();
  await page.getByText("About the lighthouse").waitFor();
  await page.getByText("It is far away").waitFor();
}

async function openData({ page, origin }) {
  await logIn({ page, origin }, "ana");
  await page.getByRole("button", { name: /^Menu/ }).click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
  await page.getByRole("navigation", { name: "Account" }).getByRole("link", { name: "Data" }).click();
  await page.getByRole("heading", { level: 1, name: "Data" }).waitFor();
}

const file = (name, content) => ({ name, mimeType: "application/json", buffer: Buffer.from(typeof content === "string" ? content : JSON.stringify(content)) });

export async function imports_and_exports({ page, origin, check, until, picture, ask: world }) {
  const choose = (...chosen) => page.getByLabel("Choose a file").setInputFiles(file(...chosen));
  await openData({ page, origin });
  await choose("conversations.json", [conversation("One", lines(2)), { title: "Broken", mapping: 7 }, conversation("Two", lines(4))]);
  await page.getByText("2 conversations imported, 1 failed.").waitFor();
  await page.getByText("Broken").waitFor();
  await picture(page, "data");
  await page.getByRole("listitem").filter({ hasText: "Two" }).first().waitFor(); // In the list of conversations.
  await choose("conversations.json", [conversation("One", lines(2)), conversation("Two", lines(4))]);
  await page.getByText("0 conversations imported, 2 imported before.").waitFor();
  await choose("notes.json", { text: "something else" });
  await page.getByText("This file has no conversations of a known format.").waitFor();
  await choose("conversations.json", '[{"mapping": {"a');
  await page.getByText("The file is damaged or not complete.").waitFor();

  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download everything" }).click()]);
  const text = readFileSync(await download.path(), "utf8");
  const objects = text.trim().split("\n").map((line) => JSON.parse(line).object);
  check(objects.filter((each) => each === "chat.session").length === 2 && objects.filter((each) => each === "chat.message").length === 6, objects.join());
  const sessions = (await world("api", "GET", "/chat/sessions")).data;
  for (const { id } of sessions) await world("api", "DELETE", `/chat/sessions/${id}`);
  await choose("export.ndjson", text);
  await page.getByText("2 conversations imported.").waitFor();
  await until(async () => (await world("api", "GET", "/chat/sessions")).data.length === 2, "both are there again");
}

export async function keeps_for_a_time({ page, origin, check, until, ask: world }) {
  await openData({ page, origin });
  await page.getByLabel("Delete after").selectOption({ label: "30 days" });
  await page.getByText("Saved").waitFor();
  check((await world("api", "GET", "/me")).retention_days === 30, "it is stored");
  await page.reload();
  await until(async () => await page.getByLabel("Delete after").inputValue() === "30", "it is shown");
  await page.getByLabel("Delete after").selectOption({ label: "Never" });
  await until(async () => (await world("api", "GET", "/me")).retention_days === null, "and can be taken back");
  await page.getByRole("link", { name: "New chat" }).click();
  await ask(page, `Hello ${nameOf("ana")}`);
  await answer(page);
  await page.getByRole("button", { name: "Conversation settings" }).click();
  await page.getByRole("checkbox", { name: /^Keep this conversation/ }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await until(async () => (await world("api", "GET", "/chat/sessions")).data[0].keep === true, "the conversation is kept");
  check(await answers(page).count() === 1, "the conversation is still shown");
}
