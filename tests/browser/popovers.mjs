// Menus, dialogs and notices that are open only for a moment: looks.mjs examines them as well.
import { answers, composer, nameOf } from "./people.mjs";

// The server of these flows has one model; the menu needs two.
export const withTwoModels = (page) => page.route("**/v1/models", async (route) => {
  const response = await route.fetch();
  const { data, ...rest } = await response.json();
  await route.fulfill({ response, json: { ...rest, data: [...data, { ...data[0], id: "second" }] } });
});

export async function modelMenu(page, look) {
  await page.getByRole("button", { name: /^Model: / }).click();
  await page.getByRole("menuitemradio", { name: "second" }).waitFor();
  await look("model-menu");
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
}

// On a phone the list covers the conversation.
async function openList(page) {
  const button = page.getByRole("button", { name: "Open sidebar" });
  if (await button.count()) await button.click();
  await page.getByRole("navigation", { name: "Conversations" }).waitFor();
}

async function closeList(page, wasOpen) {
  if (!wasOpen) await page.getByRole("button", { name: "Close sidebar" }).click();
}

export async function menusOfTheList(page, look) {
  const wasOpen = !(await page.getByRole("button", { name: "Open sidebar" }).count());
  await openList(page);
  await page.getByRole("button", { name: /^Menu: / }).click();
  await page.getByRole("menu").waitFor();
  await look("user-menu");
  await page.keyboard.press("Escape");
  const row = page.getByRole("listitem").first();
  await row.hover();
  await row.getByRole("button", { name: /^Actions/ }).click();
  await page.getByRole("menu").waitFor();
  await look("row-menu");
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Title" }).waitFor();
  await look("rename");
  await page.keyboard.press("Escape");
  await page.getByRole("searchbox", { name: "Search conversations" }).fill("no such conversation");
  await page.getByText("No conversations match.").waitFor();
  await look("search");
  await page.getByRole("button", { name: "Clear" }).click();
  await closeList(page, wasOpen);
}

// A question being edited, an answer with versions, a deleted conversation that can be restored.
export async function momentsOfAConversation(page, look) {
  const question = page.getByRole("article", { name: "You" }).last();
  await question.hover();
  await question.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Edit the question" }).waitFor();
  await look("edit");
  await page.keyboard.press("Escape");
  const last = answers(page).last();
  await last.hover();
  await last.getByRole("button", { name: "Regenerate" }).click();
  await last.getByText("2 of 2").waitFor();
  await page.waitForFunction(() => !document.querySelector("article[aria-busy=true]"));
  await look("versions");
}

export async function deletion(page, look) {
  await page.locator(".chat-head").getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor();
  await look("undo");
  await page.getByRole("button", { name: "Undo" }).click();
  await composer(page).waitFor();
}

// On the page of tokens, with the dialog for a new one open.
export async function newToken(page, look) {
  await page.getByLabel("Name").fill("to be revoked");
  await page.getByRole("dialog").locator("button.primary").click();
  await page.getByRole("button", { name: "Copy" }).waitFor();
  await look("token-made");
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("listitem").filter({ hasText: "to be revoked" }).getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").waitFor();
  await look("revoke");
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("listitem").filter({ hasText: "to be revoked" }).waitFor({ state: "detached" });
}

export async function invitation(page, look) {
  await page.getByRole("button", { name: `Actions for “${nameOf("ana")}”` }).click();
  await page.getByRole("menu").waitFor();
  await look("menu-of-a-user");
  await page.getByRole("menuitem", { name: "New invitation link" }).click();
  await page.getByRole("dialog").waitFor();
  await look("invitation-link");
  await page.keyboard.press("Escape");
}
