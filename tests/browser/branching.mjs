// Branches, settings of a conversation, export, files.
import { readFileSync } from "node:fs";
import { answer, answers, ask, choose, composer, logIn, words } from "./people.mjs";

export async function branches({ page, origin, check, until, picture }) {
  await logIn({ page, origin }, "ana");
  await ask(page, "First question");
  await answer(page);
  await ask(page, "Second question");
  await answer(page, 2);
  const question = page.getByRole("article", { name: "You" }).first();
  await question.hover();
  await question.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Edit the question" }).fill("Another question");
  await page.keyboard.press("Enter");
  await answers(page).filter({ hasText: "Another question" }).waitFor();
  check((await answer(page)) === "Another question", "the edited question is answered");
  check(await answers(page).count() === 1, "on a branch of its own");
  await page.getByText("2 of 2").first().waitFor();
  await picture(page, "branches");
  await page.getByRole("button", { name: "Previous version" }).first().click();
  await page.getByText("Second question").first().waitFor(); // The previous branch, to its end.
  check(await answers(page).count() === 2, "the whole former branch is there");
  await answers(page).last().hover();
  await answers(page).last().getByRole("button", { name: "Regenerate" }).click();
  await until(async () => (await answers(page).last().innerText()).includes("2 of 2"), "a second answer");
  await page.reload();
  await answers(page).last().getByText("2 of 2").waitFor();
  await answers(page).last().getByRole("button", { name: "Previous version" }).click();
  await answers(page).last().getByText("1 of 2").waitFor();
}

// While an answer is generated again, its versions can be chosen, and the buttons stay where they are.
export async function versions_of_a_growing_answer({ page, origin, check, until }) {
  const TEXT = "{words:80}{delay_ms:100}"; // Long enough for a slow machine to go back and forth meanwhile.
  const growing = page.locator("article.answer[aria-busy=true]");
  const last = answers(page).last();
  await logIn({ page, origin }, "ana");
  await ask(page, TEXT);
  await answer(page);
  await last.hover();
  await page.route("**/chat/query", async (route) => { await new Promise((resolve) => setTimeout(resolve, 300)); await route.continue(); });
  await last.getByRole("button", { name: "Regenerate" }).click();
  await page.getByText("2 of 2").waitFor();
  check(await page.getByRole("button", { name: "Previous version" }).isDisabled(), "it is there before the server has answered");
  await growing.getByText("w3").waitFor();
  await growing.getByRole("button", { name: "Previous version" }).click();
  await last.getByText("1 of 2").waitFor();
  check((await answer(page)) === words(80), "the former answer is whole");
  await until(() => page.evaluate(() => document.activeElement.closest(".switcher") !== null), "the focus is on the switcher");
  await last.getByRole("button", { name: "Next version" }).click();
  await growing.getByText("2 of 2").waitFor();
  check((await answer(page)) === words(80), "the new one is complete in the end");
  await last.getByText("2 of 2").waitFor();
  check(await answers(page).count() === 1, "in the same place");
}

const SAMPLING = {
  "Top-p": 0.9, "Top-k": 40, "Min-p": 0.05, "Repeat penalty": 1.15, "Presence penalty": -0.5, "Frequency penalty": 0.25, "Seed": 7,
};

export async function settings_of_a_conversation({ page, origin, check }) {
  await logIn({ page, origin }, "ana");
  await page.getByRole("button", { name: "Conversation settings" }).click();
  await page.getByLabel("Instructions").fill("Be brief.");
  await page.getByLabel("Maximum answer length (tokens)").fill("3");
  await page.getByText("More settings").click();
  for (const [label, value] of Object.entries(SAMPLING)) await page.getByLabel(label, { exact: true }).fill(String(value));
  await page.getByRole("button", { name: "Save" }).click();
  const asking = page.waitForRequest((request) => request.url().endsWith("/chat/query"));
  await ask(page, "one two three four five");
  const sent = (await asking).postDataJSON();
  for (const [label, value] of Object.entries(SAMPLING)) check(sent[label.toLowerCase().replace(/[- ]/g, "_")] === value, `${label} is sent: ${JSON.stringify(sent)}`);
  check((await answer(page)) === "one two three", "the length is kept");
  await page.getByText("reached the maximum length").waitFor();
  await page.reload();
  await answer(page);
  await page.getByRole("button", { name: "Conversation settings" }).click();
  check(await page.getByLabel("Instructions").inputValue() === "Be brief.", "the instructions belong to the session");
  check(await page.getByLabel("Maximum answer length (tokens)").inputValue() === "3", "so does the length");
  for (const [label, value] of Object.entries(SAMPLING)) check(await page.getByLabel(label, { exact: true }).inputValue() === String(value), label);
}

// Before the first question and after it; answers show their model.
export async function chooses_a_model({ page, origin, check, until }) {
  const button = (name) => page.getByRole("button", { name: `Model: ${name}` });
  const choose = async (from, to) => {
    await button(from).click();
    check(await page.getByRole("menuitemradio", { name: from }).getAttribute("aria-checked") === "true", "the menu says which it is");
    await page.getByRole("menuitemradio", { name: to }).click();
    await button(to).waitFor();
  };
  await logIn({ page, origin }, "ana");
  await choose("scripted", "second");
  await ask(page, "Hello");
  await answer(page);
  await answers(page).last().getByText("second", { exact: true }).waitFor();
  await choose("second", "scripted");
  await ask(page, "Hello again");
  await answer(page, 2);
  await answers(page).last().getByText("scripted", { exact: true }).waitFor();
  await page.reload();
  await button("scripted").waitFor();
  await until(async () => await answers(page).count() === 2, "both answers are there");
}

async function saved(page, item) {
  await page.locator(".chat-head").getByRole("button", { name: /^Actions for/ }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: item }).click()]);
  return [download.suggestedFilename(), readFileSync(await download.path(), "utf8")];
}

export async function exports_a_conversation({ page, origin, check }) {
  await logIn({ page, origin }, "ana");
  await ask(page, "Hello **you**");
  await answer(page);
  const [name, markdown] = await saved(page, "Export as Markdown");
  check(name === "Hello-you.md", name);
  check(markdown.includes("## You\n\nHello **you**\n\n## scripted\n\nHello **you**"), markdown);
  const [, json] = await saved(page, "Export as JSON");
  check(JSON.parse(json).messages.length === 2, "both messages");
  const [download] = await Promise.all([page.waitForEvent("download"), choose(page, "Hello", "Export as Markdown")]); // In the list.
  check(readFileSync(await download.path(), "utf8") === markdown, "the same file");
}

export async function takes_text_files({ page, origin, check }) {
  await logIn({ page, origin }, "ana");
  await page.locator("input[type=file]").setInputFiles([
    { name: "notes.py", mimeType: "text/x-python", buffer: Buffer.from("print('hi')\n") },
    { name: "picture.png", mimeType: "image/png", buffer: Buffer.from([0x89, 0x50, 0, 0xff, 0xfe]) },
  ]);
  await page.getByText("“picture.png” is not a text file.").waitFor();
  check(await composer(page).inputValue() === "notes.py:\n```py\nprint('hi')\n```\n", "the file is in the message");
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["dropped text"], "drop.txt", { type: "text/plain" }));
    return transfer;
  });
  await page.dispatchEvent(".composer", "drop", { dataTransfer: dropped });
  await page.waitForFunction(() => document.querySelector("#composer").value.includes("dropped text"));
  await composer(page).evaluate((field) => {
    const pasted = new DataTransfer();
    pasted.items.add(new File(["pasted text"], "paste.txt", { type: "text/plain" }));
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: pasted, bubbles: true, cancelable: true }));
  });
  await page.waitForFunction(() => document.querySelector("#composer").value.includes("pasted text"));
}

export async function keys({ page, origin, until, picture }) {
  const hasFocus = (id) => until(() => page.evaluate((name) => document.activeElement.id === name, id), `${id} has the focus`);
  await logIn({ page, origin }, "ana");
  await ask(page, "Hello");
  await answer(page);
  await page.locator("body").click({ position: { x: 700, y: 300 } });
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
  await picture(page, "shortcuts");
  await page.keyboard.press("Control+Shift+o");
  await page.getByText("What would you like to know?").waitFor();
  await hasFocus("composer");
  await page.keyboard.press("Control+k");
  await hasFocus("search");
  await page.keyboard.press("Control+b");
  await page.getByRole("navigation", { name: "Conversations" }).waitFor({ state: "hidden" });
  await page.keyboard.press("Control+b");
  await page.getByRole("navigation", { name: "Conversations" }).waitFor();
  await composer(page).fill("{words:500}{delay_ms:50}");
  await page.keyboard.press("Enter");
  await answers(page).last().getByText("w3").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("Stopped.", { exact: true }).waitFor();
}
