// Every screen: without faults that axe-core finds, no wider than a phone, and as a screenshot in
// light, dark and phone format.
import { readFileSync } from "node:fs";
import { answer, ask, composer, logIn, nameOf, PASSWORD } from "./people.mjs";
import { automations } from "./automation_looks.mjs";
import { webhooks } from "./webhook_looks.mjs";
import { deletion, invitation, menusOfTheList, modelMenu, momentsOfAConversation, newToken, withTwoModels } from "./popovers.mjs";

const DEVICES = {
  wide: { viewport: { width: 1280, height: 860 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};

const SAMPLE = `## Tides in one minute

The **moon's gravity** pulls the water on the near side more than that on the far side: *two high tides a day*.

1. Spring tides: sun and moon in line
2. Neap tides: at right angles

| Port | High | Low |
|---|---:|---:|
| Brest | 6.9 m | 1.1 m |
| Bristol | 12.6 m | 0.9 m |

\`\`\`python
from math import cos, pi

def height(hour: float, mean=4.0) -> float:
    """The height of the water, in metres."""
    return mean + 2.9 * cos(2 * pi * hour / 12.42)
\`\`\`
`;

const PAGES = ["search", "search/tides", "settings", "settings/tokens", "settings/logins", "settings/data", "settings/limits", "admin/users", "admin/audit", "admin/status", "shortcuts"];

// Dialogs about users, a refused request, and a page that cannot be loaded.
async function usersDialogs(page, origin, look) {
  await page.goto(`${origin}/#/admin/users`);
  await page.getByRole("button", { name: "Add user" }).click();
  await look("add-user");
  await page.getByLabel("User name").fill("olga"); // This name is taken.
  await page.getByRole("dialog").locator("button.primary").click();
  await page.locator("dialog [role=alert], dialog [aria-invalid=true]").first().waitFor();
  await look("add-user-refused");
  await page.keyboard.press("Escape");
  for (const [action, name] of [["Limits", "user-limits"], ["Set password", "set-password"], ["Delete", "remove-user"]]) {
    await page.getByRole("button", { name: `Actions for “${nameOf("ana")}”` }).click();
    await page.getByRole("menuitem", { name: action, exact: true }).click();
    await page.getByRole("dialog").waitFor();
    await look(name);
    await page.keyboard.press("Escape");
  }
  await invitation(page, look);
  await page.route("**/api/status", (route) => route.fulfill({ status: 503, contentType: "application/problem+json",
    body: JSON.stringify({ title: "Not ready", status: 503, detail: "The store does not answer.", code: "unavailable", request_id: "req_0000000000" }) }));
  await page.goto(`${origin}/#/admin/status`);
  await page.getByText("The store does not answer.").waitFor();
  await look("error");
}

async function everyScreen({ origin, packages, newContext, picture, check, ask: world }, device) {
  const axe = readFileSync(`${packages}/axe-core/axe.min.js`, "utf8");
  const link = await world("link");
  const found = [];
  const context = await newContext({ ...DEVICES[device], colorScheme: "light", reducedMotion: "reduce", bypassCSP: true }); // Required by axe's own script.
  const page = await context.newPage();
  // As the theme setting does.
  const paint = (theme) => page.evaluate((name) => new Promise((resolve) => {
    document.documentElement.dataset.theme = name;
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  }), theme);
  const look = async (name) => {
    await page.waitForFunction(() => !document.querySelector("button[aria-busy=true]"));
    if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
    const examine = async (title, rules) => {
      const { violations } = await page.evaluate((only) => globalThis.axe.run(document, { resultTypes: ["violations"], ...(only && { runOnly: only }) }), rules);
      for (const { id, nodes } of violations) found.push(`${title}: ${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join(" | ").slice(0, 400)}`);
      await picture(page, title);
    };
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), `${name} fits on ${device}`);
    if (device === "phone") return examine(`${name}-phone`);
    await examine(`${name}-light`);
    await paint("dark"); // Only the colours differ.
    await examine(`${name}-dark`, ["color-contrast"]);
    return paint("light");
  };
  await page.goto(link);
  await page.getByRole("button", { name: "Create operator" }).waitFor();
  await look("setup");
  await page.goto(origin + "/#invite=abcdefghijklmnopqrstuvwx");
  await page.getByRole("button", { name: "Activate account" }).waitFor();
  await look("invitation");
  await page.goto(origin + "/#/chat");
  await page.reload();
  await page.getByRole("button", { name: "Log in" }).waitFor();
  await look("login");
  await withTwoModels(page);
  await logIn({ page, origin }, "olga", PASSWORD);
  await look("new-chat");
  await modelMenu(page, look);
  await ask(page, "Explain tides to me, with a formula in Python.");
  await answer(page);
  await ask(page, SAMPLE);
  await answer(page, 2);
  await page.locator(".hljs-keyword").first().waitFor();
  await look("chat");
  await menusOfTheList(page, look);
  await momentsOfAConversation(page, look);
  await page.getByRole("button", { name: "Conversation settings" }).click();
  await look("chat-settings");
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.locator(".chat-head").getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menu").waitFor();
  await look("menu");
  await page.getByRole("menuitem", { name: "Archive" }).click();
  await page.getByText("This conversation is archived.").waitFor();
  await look("archived");
  await page.locator(".foot").getByRole("button", { name: "Unarchive" }).click();
  await page.getByText("This conversation is archived.").waitFor({ state: "detached" });
  await page.locator(".foot .demo").getByRole("button").click();
  await page.getByRole("dialog").waitFor();
  await look("real-model");
  await page.keyboard.press("Escape");
  await deletion(page, look);
  for (const part of PAGES) {
    await page.goto(`${origin}/#/${part}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForFunction(() => !document.body.innerText.includes("Loading…"));
    await look(part.replaceAll("/", "-"));
  }
  await automations(page, origin, look);
  await webhooks(page, origin, look, await world("url"));
  await page.goto(`${origin}/#/settings/tokens`);
  await page.getByRole("button", { name: "New token" }).click();
  await look("new-token");
  await newToken(page, look);
  await usersDialogs(page, origin, look);
  await page.goto(`${origin}/#/chat/ses_gone`);
  await page.getByText("Conversation not found").first().waitFor();
  await look("not-found");
  await page.goto(`${origin}/#/chat`);
  await composer(page).fill("مرحبا بالعالم");
  await page.keyboard.press("Enter");
  await answer(page);
  check(await page.locator(".bubble").evaluate((it) => getComputedStyle(it).direction) === "rtl", "text runs from right to left");
  await look("right-to-left");
  if (device === "phone") {
    await page.getByRole("button", { name: "Open sidebar" }).click();
    await look("list");
  }
  await context.close();
  check(found.length === 0, `axe finds nothing:\n${found.join("\n")}`);
}

export const every_screen_wide = (world) => everyScreen(world, "wide");
export const every_screen_phone = (world) => everyScreen(world, "phone");

// The other language, by the browser's setting.
export async function in_german({ newContext, origin, picture, check }) {
  const context = await newContext({ locale: "de-DE" });
  const page = await context.newPage();
  await page.goto(origin);
  await page.getByLabel("Benutzername").fill("olga");
  await page.getByLabel("Passwort", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Anmelden" }).click();
  await page.getByText("Was möchten Sie wissen?").waitFor();
  await picture(page, "german");
  await page.goto(`${origin}/#/admin/status`);
  await page.getByText("Arbeitsspeicher").first().waitFor();
  const told = await page.locator(".page-column").innerText();
  check(/Freier Speicherplatz/.test(told) && /Bereit/.test(told), told);
  check(!/Disk free|Writable|Queued|ready/.test(told), `all of it is German: ${told}`);
  await picture(page, "german-status");
  await page.goto(`${origin}/#/automations/new`);
  await page.getByLabel("Zeitzone").fill("Europe/Berlin");
  await page.getByText(/^Montag bis Freitag um 09:00 in Berlin; nächster Termin: \w+, \d+\. \S+ um 09:00$/).waitFor();
  const form = await page.locator(".page-column").innerText();
  check(!/Weekdays|Repeats|Preview|Cancel|Message/.test(form), `all of it is German: ${form}`);
  await picture(page, "german-automation");
  for (const [part, heading] of [["webhooks/new", "Neuer Webhook"], ["events", "Ereignisse"], ["search", "Nachrichten durchsuchen"], ["settings/data", "Daten"]]) {
    await page.goto(`${origin}/#/${part}`);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await page.waitForFunction(() => !document.body.innerText.includes("Wird geladen"));
    const text = await page.locator(".page-column").innerText();
    check(!/(^|[\s“])(Events|Content|created|Conversation|Answers|Type|Number|Words|Download|Delete)/.test(text), `all of it is German: ${text}`);
    await picture(page, `german-${part.replace("/", "-")}`);
  }
}
