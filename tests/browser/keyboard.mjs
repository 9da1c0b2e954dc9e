// The whole app by keyboard only: no click in this file. The focus is always visible.
import { answer, answers, nameOf, PASSWORD, session } from "./people.mjs";

const focused = (page) => page.evaluate(() => {
  const it = document.activeElement;
  const ring = it.closest(".composer") && it.id === "composer" ? it.closest(".composer") : it;
  const style = getComputedStyle(ring);
  const seen = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none" || it.matches("[role=menuitem]") ||
    it.matches("[type=time]"); // The browser marks its parts, such as the button of the clock.
  return { name: it.getAttribute("aria-label") ?? it.textContent.trim(), tag: it.localName, seen, nowhere: it === document.body };
});

// A new field gets the focus a moment later.
const fieldHasFocus = (page, until, name) => until(
  () => page.getByRole("textbox", { name }).evaluate((field) => field === document.activeElement), `${name} has the focus`);

// Whether the title of a page has the focus as soon as it exists: a key pressed at once must count from there.
const titleTakesFocus = (page, name) => page.evaluate((text) => new Promise((resolve) => {
  const observer = new MutationObserver(() => {
    const title = document.querySelector("h1");
    if (title?.textContent !== text) return;
    observer.disconnect();
    resolve(document.activeElement === title);
  });
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
}), name);

// Presses a key until the element with the focus has this name.
async function moveTo(page, check, name, key = "Tab") {
  const passed = [];
  for (let steps = 0; steps < 80; steps++) {
    await page.keyboard.press(key);
    const now = await focused(page);
    check(now.nowhere || now.seen, `the focus is seen on ${now.tag} “${now.name}”`);
    if (typeof name === "string" ? now.name === name : name.test(now.name)) return;
    passed.push(now.name.slice(0, 30));
  }
  throw new Error(`${name} cannot be reached: ${passed.join(" | ")}`);
}

async function choose(page, check, item) {
  await page.keyboard.press("Enter");
  await page.getByRole("menu").waitFor();
  for (let steps = 0; (await focused(page)).name !== item; steps++) {
    check(steps < 10, `${item} is in the menu`);
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
}

export async function everything_by_keyboard({ page, origin, check, until }) {
  await page.goto(origin);
  await fieldHasFocus(page, until, "User name");
  await page.keyboard.type(nameOf("ana")); // The first field has the focus.
  await moveTo(page, check, "");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await fieldHasFocus(page, until, "Message");
  await page.keyboard.type("First question");
  await page.keyboard.press("Enter");
  await answer(page);
  await page.keyboard.type("two lines:");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("the second");
  await page.keyboard.press("Enter");
  check((await answer(page, 2)).includes("the second"), "a question of two lines");

  await moveTo(page, check, "Regenerate", "Shift+Tab");
  await page.keyboard.press("Enter");
  await answers(page).last().getByText("2 of 2").waitFor();
  await answer(page, 2);
  await page.keyboard.press("/");
  await moveTo(page, check, "Edit", "Shift+Tab");
  await page.keyboard.press("Enter");
  await fieldHasFocus(page, until, "Edit the question");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Put differently");
  await page.keyboard.press("Enter");
  await answers(page).filter({ hasText: "Put differently" }).waitFor();
  await answer(page, 2);

  await page.keyboard.press("/");
  await moveTo(page, check, /^Actions for/, "Shift+Tab"); // Above the conversation.
  await choose(page, check, "Rename");
  await fieldHasFocus(page, until, "Title");
  await page.keyboard.type("By keyboard");
  await page.keyboard.press("Enter");
  await session(page, "By keyboard").waitFor();
  await until(async () => /^Actions for/.test((await focused(page)).name), "the focus is where it was");
  await choose(page, check, "Delete");
  await session(page, "By keyboard").waitFor({ state: "hidden" });
  await page.keyboard.press("Control+z");
  await session(page, "By keyboard").waitFor();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("keyboard");
  await moveTo(page, check, "By keyboard");
  await page.keyboard.press("Enter");
  await answer(page, 2);
  await moveTo(page, check, /^Menu: /, "Shift+Tab");
  await choose(page, check, "Settings");
  await page.getByRole("heading", { name: "Account" }).waitFor();
  await until(async () => (await focused(page)).name === "Account", "the page's title has the focus");
  await moveTo(page, check, "API tokens", "Shift+Tab");
  await page.keyboard.press("Enter");
  await until(async () => { const now = await focused(page); return now.tag === "h1" && now.name === "API tokens"; }, "the next page's, too");
  await moveTo(page, check, "New token");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  check((await focused(page)).name === "New token", "a dialog gives the focus back");
}

// Fields have no text of their own: by the name of the field.
async function moveToField(page, check, field) {
  for (let steps = 0; steps < 80; steps++) {
    await page.keyboard.press("Tab");
    const now = await focused(page);
    check(now.nowhere || now.seen, `the focus is seen on ${now.tag}`);
    if (await page.evaluate((name) => document.activeElement.name === name, field)) return;
  }
  throw new Error(`the field ${field} cannot be reached`);
}

async function openAutomations({ page, origin, check, until }) {
  await page.goto(origin);
  await fieldHasFocus(page, until, "User name");
  await page.keyboard.type(nameOf("ana"));
  await moveTo(page, check, "");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await fieldHasFocus(page, until, "Message");
  await moveTo(page, check, "Automations");
  await page.keyboard.press("Enter");
  await page.getByText("No automations yet.").waitFor();
}

export async function an_automation_by_keyboard({ page, origin, check, until }) {
  await openAutomations({ page, origin, check, until });
  await moveTo(page, check, "New automation");
  const hasFocus = titleTakesFocus(page, "New automation");
  await page.keyboard.press("Enter");
  check(await hasFocus, "the title has the focus as soon as it exists");
  await moveToField(page, check, "name");
  await page.keyboard.type("By keyboard");
  await moveToField(page, check, "message");
  await page.keyboard.type("Hello");
  await moveToField(page, check, "repeat");
  await page.keyboard.type("On days"); // Selects the entry that begins with these letters.
  await moveToField(page, check, "day");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.getByText(/^Mondays and Tuesdays at 09:00/).waitFor();
  await moveTo(page, check, "Create");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "By keyboard" }).waitFor();
  await moveTo(page, check, /^Run now/);
  await page.keyboard.press("Enter");
  await page.getByText("Completed", { exact: true }).last().waitFor();
  await moveTo(page, check, /^Actions for “By keyboard”/);
  await choose(page, check, "Pause");
  await page.getByText("Paused by you").waitFor();
  await moveTo(page, check, /^Open conversation/);
  await page.keyboard.press("Enter");
  check((await answer(page)) === "Hello", "its conversation");
}

export async function a_webhook_by_keyboard({ page, origin, check, until, ask: world }) {
  await openAutomations({ page, origin, check, until });
  await moveTo(page, check, "Webhooks", "Shift+Tab");
  await page.keyboard.press("Enter");
  await page.getByText("No webhooks yet.").waitFor();
  await moveTo(page, check, "New webhook");
  const hasFocus = titleTakesFocus(page, "New webhook");
  await page.keyboard.press("Enter");
  check(await hasFocus, "the title has the focus as soon as it exists");
  await moveToField(page, check, "url");
  await page.keyboard.type(await world("url"));
  await moveTo(page, check, "All of “Answers”");
  await page.keyboard.press("Space");
  await moveTo(page, check, "Create");
  await page.keyboard.press("Enter");
  await page.locator(".fresh-secret").waitFor();
  await moveTo(page, check, "Send a test event");
  await page.keyboard.press("Enter");
  await page.getByText("Delivered", { exact: true }).last().waitFor();
  await moveTo(page, check, /^Send again/);
  await moveTo(page, check, /^Actions for/, "Shift+Tab");
  await choose(page, check, "Delete");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Tab"); // From the button that closes the dialog.
  await moveTo(page, check, "Delete");
  await page.keyboard.press("Enter");
  await page.getByText("No webhooks yet.").waitFor();
}
