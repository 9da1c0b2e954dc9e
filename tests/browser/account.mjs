// The user's own account, and the pages of operators.
import { answer, ask, composer, logIn, PASSWORD } from "./people.mjs";

const row = (page, text) => page.locator(".rows > li").filter({ hasText: text });

export async function tokens_and_logins({ page, origin, check, ask: world }) {
  await logIn({ page, origin }, "ana");
  await page.goto(`${origin}/#/settings/tokens`);
  await page.getByRole("button", { name: "New token" }).click();
  await page.getByLabel("Name").fill("backup script");
  await page.getByRole("button", { name: "Create" }).click();
  const token = (await page.locator(".secret code").innerText()).trim();
  check(/^plp_/.test(token), token);
  check(await world("works", token), "the token works");
  await page.getByRole("button", { name: "Done" }).click();
  check(!(await page.content()).includes(token), "it is shown once");
  await row(page, "backup script").getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await row(page, "backup script").waitFor({ state: "hidden" });
  check(!(await world("works", token)), "and no longer when it is revoked");
  await page.goto(`${origin}/#/settings/logins`);
  await page.getByText("Chrome · Linux").first().waitFor();
  check(await row(page, "This browser").count() === 1, "one of the logins is this one");
}

export async function password_and_limits({ page, origin, check, picture }) {
  await logIn({ page, origin }, "ana");
  await page.goto(`${origin}/#/settings`);
  await page.getByLabel("Display name").fill("Ana Maria");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Menu: Ana Maria" }).waitFor();
  await page.getByLabel("Current password", { exact: true }).fill("wrong one");
  await page.getByLabel("New password", { exact: true }).fill("seven lantern quarry otters");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.locator(".fault").waitFor();
  await page.getByLabel("Current password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("New password", { exact: true }).fill("seven lantern quarry otters");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Password changed.").waitFor();
  await page.goto(`${origin}/#/settings/limits`);
  await page.getByText("Questions and conversation lists").waitFor();
  check(/of 10000 left/.test(await page.locator(".limit").first().innerText()), "what is left is said");
  await page.getByRole("button", { name: /^Menu/ }).click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await page.getByRole("button", { name: "Log in" }).waitFor();
  await logIn({ page, origin }, "ana", "seven lantern quarry otters");
  await picture(page, "after-login");
}

export async function users_and_invitations({ page, origin, newContext, check, picture, ask: world }) {
  await logIn({ page, origin }, "olga");
  await page.goto(`${origin}/#/admin/users`);
  await page.getByRole("button", { name: "Add user" }).click();
  await page.getByLabel("User name").fill("ben");
  await page.getByRole("button", { name: "Create" }).click();
  const link = (await page.locator(".secret code").innerText()).trim();
  await picture(page, "invitation-link");
  const other = await (await newContext()).newPage();
  await other.goto(link);
  await other.getByLabel("New password", { exact: true }).fill(PASSWORD);
  await other.getByRole("button", { name: "Activate account" }).click();
  await composer(other).waitFor();
  check(!other.url().includes("invite"), "the code has left the address");
  await ask(other, "Hello from Ben");
  await answer(other);
  await page.getByRole("button", { name: "Done" }).click();
  const menu = async (action) => {
    await row(page, "ben").getByRole("button").click();
    await page.getByRole("menuitem", { name: action, exact: true }).click();
  };
  await menu("Limits");
  await page.getByLabel("Questions and conversation lists").fill("5");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await menu("Password reset link");
  const reset = (await page.locator(".secret code").innerText()).trim();
  await page.getByRole("button", { name: "Done" }).click();
  const another = await (await newContext()).newPage();
  await another.goto(reset);
  await another.getByLabel("New password", { exact: true }).fill("seven lantern quarry otters");
  await another.getByRole("button", { name: "Set password" }).click();
  await composer(another).waitFor();
  check(!another.url().includes("reset"), "the code of the reset has left the address");
  await other.getByRole("button", { name: "Log in" }).waitFor(); // Its stream of events was cut.
  await logIn({ page: other, origin }, "ben", "seven lantern quarry otters");
  await menu("Password reset link");
  const third = (await page.locator(".secret code").innerText()).trim();
  await page.getByRole("button", { name: "Done" }).click();
  const shared = await (await newContext()).newPage();
  await logIn({ page: shared, origin }, "olga");
  await composer(shared).fill("A draft of Olga");
  await shared.waitForTimeout(500); // Drafts are stored after a moment.
  const stored = await shared.evaluate(() => new Promise((done) => {
    indexedDB.open("parley").onsuccess = (event) => {
      event.target.result.transaction("kept").objectStore("kept").get("login").onsuccess = (found) => done(found.target.result.access_token);
    };
  }));
  await shared.goto(third);
  await shared.getByLabel("New password", { exact: true }).fill("seven lantern quarry otters");
  await shared.getByRole("button", { name: "Set password" }).click();
  await composer(shared).waitFor();
  check((await composer(shared).inputValue()) === "", "a draft of the former user is gone");
  check(!(await world("works", stored)), "the former login has ended");
  await other.getByRole("button", { name: "Log in" }).waitFor();
  await logIn({ page: other, origin }, "ben", "seven lantern quarry otters");
  await menu("Disable");
  await row(page, "ben").getByText("Disabled").waitFor();
  await other.getByRole("button", { name: "Log in" }).waitFor(); // Without a reload.
  await menu("Delete");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("conversations, answers, tokens and logins").waitFor();
  await dialog.getByLabel("Type ben to confirm").fill("ben");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await row(page, "ben").waitFor({ state: "hidden" });
}

export async function audit_and_status({ page, origin, check }) {
  await logIn({ page, origin }, "olga");
  await page.goto(`${origin}/#/admin/audit`);
  await page.locator("table tbody tr").first().waitFor();
  const action = (await page.locator("table tbody tr code").first().innerText()).trim();
  await page.getByLabel("Action", { exact: true }).fill(action);
  await page.getByRole("button", { name: "Apply" }).click();
  await page.waitForFunction((only) => [...document.querySelectorAll("tbody code")].every((code) => code.textContent === only), action);
  await page.getByLabel("Action", { exact: true }).fill("");
  await page.getByLabel("User", { exact: true }).fill("Olga"); // By name instead of id.
  await page.getByRole("button", { name: "Apply" }).click();
  await page.waitForFunction(() => {
    const by = [...document.querySelectorAll("tbody td:nth-child(2)")].map((cell) => cell.textContent);
    return by.length > 1 && by.every((name) => name === "olga");
  });
  await page.goto(`${origin}/#/admin/status`);
  await page.getByText("scripted", { exact: true }).waitFor();
  const told = await page.locator(".page-column").innerText();
  check(/Database/.test(told) && /Memory\n+[\d.,]+ [kMG]B/.test(told), "storage and memory are told");
}

export async function members_see_no_administration({ page, origin, check }) {
  await logIn({ page, origin }, "ana");
  await page.getByRole("button", { name: /^Menu/ }).click();
  await page.getByRole("menuitem", { name: "Settings" }).waitFor();
  check(await page.getByRole("menuitem", { name: "Users" }).count() === 0, "no way there");
  await page.keyboard.press("Escape");
  await page.goto(`${origin}/#/admin/users`);
  await page.getByRole("heading", { name: "Account" }).waitFor();
}
