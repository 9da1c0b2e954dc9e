// Set-up, login, logout, and the place of tokens.
import { answer, ask, composer, kept, logIn, nameOf, PASSWORD } from "./people.mjs";

export async function set_up_by_the_link({ page, ask: world, check, picture }) {
  const link = await world("link");
  await page.goto(new URL("/", link).href);
  await page.getByText("This server has no operator yet.").waitFor();
  await page.getByRole("button", { name: "I already have an account" }).click(); // A member that the command line has made.
  await page.getByRole("button", { name: "Log in" }).waitFor();
  await page.goto(link);
  await page.getByRole("button", { name: "Create operator" }).waitFor();
  await page.waitForLoadState("networkidle");
  check(await page.getByText("Log in instead").count() === 0, "there is no other operator");
  await picture(page, "setup");
  await page.getByLabel("User name").fill("olga");
  await page.getByLabel("Password", { exact: true }).fill("12345678");
  await page.getByRole("button", { name: "Create operator" }).click();
  await page.locator(".fault").waitFor(); // A weak password is reported at its field.
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create operator" }).click();
  await composer(page).waitFor();
  check(!page.url().includes("setup"), "the code has left the address");
  await page.getByText("Demonstration model").waitFor(); // The note explains how to get a real model.
  await page.getByRole("button", { name: "How to add a real model" }).click();
  await page.getByRole("dialog").getByText("parley model add").waitFor();
  await page.keyboard.press("Escape");
  await ask(page, "Hello there");
  check((await answer(page)) === "Hello there", "the first answer is on the screen");
}

export async function log_in_and_out({ page, origin, until, picture, check }) {
  await page.goto(origin);
  await page.getByText("ops@example.org").waitFor();
  await picture(page, "login");
  await page.getByLabel("User name").fill(nameOf("ana"));
  await page.getByLabel("Password", { exact: true }).fill("not the one");
  await page.getByRole("button", { name: "Log in" }).click();
  const alert = page.getByRole("alert");
  await alert.waitFor();
  check(/req_/.test(await alert.innerText()), "an error has its request id");
  await logIn({ page, origin }, "ana");
  await page.reload();
  await composer(page).waitFor();
  const other = await page.context().newPage();
  await other.goto(origin);
  await composer(other).waitFor();
  await page.getByRole("button", { name: "Menu: Ana" }).click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await page.getByRole("button", { name: "Log in" }).waitFor();
  await other.getByRole("button", { name: "Log in" }).waitFor(); // All tabs at once.
  await until(async () => (await kept(page)).length === 0, "nothing of the login is kept");
}

// Tokens are in IndexedDB, and the password nowhere.
export async function tokens_lie_in_one_place({ page, context, origin, check }) {
  const addresses = [];
  context.on("request", (request) => addresses.push(request.url()));
  await logIn({ page, origin }, "ana");
  await ask(page, "Hello");
  await answer(page);
  const token = /pl[sr]_[0-9A-Za-z]{38}/;
  const inside = (await kept(page)).join();
  check(token.test(inside), "the tokens are in IndexedDB");
  const places = await page.evaluate(() => [
    JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie, location.href,
    document.documentElement.outerHTML,
  ]);
  places.push(JSON.stringify(await context.cookies()), ...addresses, await (await context.request.get(origin)).text());
  for (const place of places) check(!/pl[psrcth]_[0-9A-Za-z]{38}/.test(place), `no token in ${place.slice(0, 200)}`);
  for (const place of [...places, inside]) check(!place.includes(PASSWORD), "the password is nowhere");
}

// The access token expires after twelve seconds: the user does not notice, and one tab refreshes for all.
export async function stays_logged_in({ page, context, origin, check }) {
  await logIn({ page, origin }, "ana");
  const tabs = [page, await context.newPage(), await context.newPage()];
  for (const tab of tabs.slice(1)) { await tab.goto(origin); await composer(tab).waitFor(); }
  let refreshes = 0;
  context.on("response", (response) => { if (response.url().endsWith("/auth/refresh") && response.ok()) refreshes++; });
  await page.waitForTimeout(12_500);
  refreshes = 0;
  const start = Date.now();
  await Promise.all(tabs.map(async (tab) => {
    await tab.goto(`${origin}/#/settings/limits`);
    await tab.getByText("All other requests").waitFor();
  }));
  const lives = 1 + Math.floor((Date.now() - start) / 12_000); // More than one only on a machine that was paused.
  check(refreshes >= 1 && refreshes <= lives, `refreshed once, not ${refreshes} times`);
}
