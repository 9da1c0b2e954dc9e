// Webhooks: created, edited, tested, disabled, deleted; their secrets and deliveries; and what other clients do.
import { logIn } from "./people.mjs";

const rows = (page, text) => page.locator(".webhooks > li").filter({ hasText: text });
const deliveries = (page, status) => page.locator(".runs > li").filter({ has: page.locator(".badge", { hasText: new RegExp(`^${status}$`) }) });
const secret = (page) => page.locator(".fresh-secret code");

async function openList({ page, origin }) {
  await logIn({ page, origin }, "ana");
  await page.getByRole("link", { name: "Automations" }).click();
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
}

async function openOne({ page, origin }, id) {
  await logIn({ page, origin }, "ana");
  await page.goto(`${origin}/#/webhooks/${id}`);
  await page.getByRole("heading", { level: 2, name: "Deliveries" }).waitFor();
}

async function act(page, url, action) {
  await page.getByRole("button", { name: `Actions for “${url}”` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

const create = (world, url, more = {}) => world("api", "POST", "/webhooks", { url, event_types: ["chat.session.created"], ...more });

// From the empty list to a webhook. Its secret is shown once.
export async function creates_a_webhook({ page, origin, check, ask: world }) {
  const url = await world("url");
  await openList({ page, origin });
  await page.getByText("No webhooks yet.").waitFor();
  await page.getByRole("link", { name: "New webhook" }).click();
  await page.getByLabel("URL").fill("http://10.1.2.3/parley");
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator("input[name=url][aria-invalid=true]").waitFor(); // Only public addresses are allowed.
  await page.getByLabel("URL").fill(url);
  for (const box of await page.locator("input[name=event_type]").all()) await box.uncheck();
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("Select at least one event.").waitFor();
  await page.getByRole("checkbox", { name: "All of “Answers”" }).check();
  const single = page.getByRole("group", { name: "Answers" }).getByRole("checkbox", { name: "failed" });
  check(await single.isDisabled(), "all of them include each");
  await page.getByRole("group", { name: "Conversations" }).getByRole("checkbox", { name: "created" }).check();
  await page.getByLabel("Description").fill("Team chat");
  await page.getByRole("button", { name: "Create" }).click();
  await secret(page).waitFor();
  const shown = await secret(page).innerText();
  check(/^whsec_[A-Za-z0-9+/=]{32,}$/.test(shown), shown);
  const [stored] = (await world("api", "GET", "/webhooks")).data;
  check(JSON.stringify(stored.event_types) === '["chat.session.created","chat.run.*"]' && stored.description === "Team chat" && stored.payload === "thin" && !stored.ordered, JSON.stringify(stored));
  await page.getByRole("button", { name: "Send a test event" }).click();
  await deliveries(page, "Delivered").waitFor();
  check(await world("signed_by", shown), "the test event is signed with the secret");
  check(!(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).includes("whsec_"), "the secret is not stored");
  await page.getByRole("navigation", { name: "127.0.0.1" }).getByRole("link", { name: "Webhooks" }).click();
  await rows(page, "Team chat").getByText("Conversation created, all of “Answers”").waitFor();
  await rows(page, "Team chat").getByText(/^Last success: /).waitFor();
  await page.goBack();
  await page.getByText("Team chat").waitFor();
  check(await secret(page).count() === 0, "the secret is gone when its page was left");
}

// What is sent, how it was answered, and sending it again.
export async function shows_deliveries({ page, origin, check, ask: world }) {
  const made = await create(world, await world("url"));
  await openOne({ page, origin }, made.id);
  await page.getByText("No deliveries yet.").waitFor();
  await world("api", "POST", "/chat/sessions", { title: "One" });
  await deliveries(page, "Delivered").getByText("Conversation created").waitFor(); // Without a reload.
  await deliveries(page, "Delivered").getByText(/HTTP 204, \d+ ms/).first().waitFor();
  await page.getByText(/^Last success/).waitFor();
  await world("answer", 500, "<b>out of paper</b>");
  await world("api", "POST", "/chat/sessions", { title: "Two" });
  await deliveries(page, "Pending").getByText(/^Next attempt: /).waitFor();
  await world("answer", 204, "");
  const two = page.locator(".runs > li").first();
  await two.getByText(/^\d attempts?$/).click();
  await two.getByText("<b>out of paper</b>").first().waitFor(); // As text.
  await deliveries(page, "Delivered").nth(1).waitFor(); // The second attempt is after five seconds.
  const before = await world("count");
  await deliveries(page, "Delivered").nth(1).getByRole("button", { name: "Send again" }).click();
  await page.getByText("Queued again.").waitFor();
  await deliveries(page, "Delivered").nth(1).getByText("2 attempts").waitFor();
  check(await world("count") === before + 1, "it was sent once more");
  await page.getByLabel("Status").selectOption({ label: "Failed" });
  await page.getByText("No deliveries yet.").waitFor();
  await page.getByLabel("Status").selectOption({ label: "Delivered" });
  await deliveries(page, "Delivered").nth(1).waitFor();
}

export async function edits_rotates_and_deletes({ page, origin, check, ask: world }) {
  const url = await world("url");
  const made = await create(world, url, { event_types: ["chat.session.created", "chat.*", "automation.run.*"] });
  await openOne({ page, origin }, made.id);
  await page.getByRole("link", { name: "Edit" }).click();
  check(await page.getByRole("checkbox", { name: "chat.*" }).isChecked(), "a pattern that the form does not offer stays");
  await page.getByRole("checkbox", { name: "All of “Runs of automations”" }).uncheck();
  await page.getByLabel("Content").selectOption({ label: "The event with the object it is about" });
  await page.getByLabel("One at a time").check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 2, name: "Deliveries" }).waitFor();
  const now = await world("api", "GET", `/webhooks/${made.id}`);
  check(now.payload === "full" && now.ordered && now.event_types.join() === "chat.session.created,chat.*", JSON.stringify(now));
  await act(page, url, "New secret");
  await page.getByLabel("The old secret").selectOption({ label: "Works for one hour" });
  await page.getByRole("dialog").getByRole("button", { name: "New secret" }).click();
  await secret(page).waitFor();
  const fresh = await secret(page).innerText();
  check(fresh !== made.secret, "it is another secret");
  await page.getByRole("button", { name: "Send a test event" }).click();
  await deliveries(page, "Delivered").waitFor();
  check(await world("signed_by", fresh) && await world("signed_by", made.secret), "for an hour both secrets sign");
  await page.goto(`${origin}/#/webhooks`);
  await act(page, url, "Disable");
  await rows(page, url).getByText("Disabled by you").waitFor();
  await act(page, url, "Enable");
  await rows(page, url).getByText("Active").waitFor();
  await act(page, url, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No webhooks yet.").waitFor();
}

// Events from while it was disabled are sent on request.
export async function replays({ page, origin, check, ask: world }) {
  const url = await world("url");
  const made = await create(world, url);
  await openOne({ page, origin }, made.id);
  await act(page, url, "Disable");
  await page.getByText("Disabled by you").waitFor();
  check(await page.getByRole("button", { name: "Send a test event" }).isDisabled(), "it sends nothing now");
  for (const title of ["One", "Two"]) await world("api", "POST", "/chat/sessions", { title });
  await act(page, url, "Enable");
  await page.getByText("Webhook enabled.").waitFor();
  check(await world("count") === 0, "nothing was sent");
  await act(page, url, "Replay events");
  await page.getByRole("dialog").getByRole("button", { name: "Replay events" }).click();
  await page.getByText("2 events queued.").waitFor();
  await deliveries(page, "Delivered").nth(1).waitFor();
}

// Another client creates, changes, edits meanwhile, and deletes: the open pages show it.
export async function another_client({ page, origin, check, ask: world }) {
  const url = await world("url");
  await openList({ page, origin });
  await page.getByText("No webhooks yet.").waitFor();
  const made = await create(world, url);
  await rows(page, url).getByText("Conversation created").waitFor();
  await world("api", "PATCH", `/webhooks/${made.id}`, { event_types: ["login.*"] });
  await rows(page, url).getByText("All of “Logins”").waitFor();
  await rows(page, url).getByRole("link", { name: url }).click();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Description").fill("Mine");
  await world("api", "PATCH", `/webhooks/${made.id}`, { description: "Theirs" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").waitFor();
  check((await world("api", "GET", `/webhooks/${made.id}`)).description === "Theirs", "nothing is overwritten");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Theirs").waitFor();
  await world("api", "DELETE", `/webhooks/${made.id}`);
  await page.getByRole("heading", { name: "Webhook not found" }).waitFor();
}
