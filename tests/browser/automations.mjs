// Automations: created, edited, run, paused, deleted; their runs; and what other clients do with them.
import { answer, answers, logIn } from "./people.mjs";

const ZONE = "Europe/Berlin";
const rows = (page, name) => page.locator(".automations > li").filter({ hasText: name });
const runs = (page, status) => page.locator(".runs > li").filter({ has: page.locator(".badge", { hasText: new RegExp(`^${status}$`) }) });
const preview = (page) => page.getByRole("region", { name: "Preview" });

async function openList({ page, origin }) {
  await logIn({ page, origin }, "ana");
  await page.getByRole("link", { name: "Automations" }).click();
  await page.getByRole("heading", { level: 1, name: "Automations" }).waitFor();
}

async function openForm(page) {
  await page.getByRole("link", { name: "New automation" }).click();
  await page.getByRole("heading", { level: 1, name: "New automation" }).waitFor();
  await page.getByLabel("Time zone").fill(ZONE);
}

async function act(page, name, action) {
  await page.getByRole("button", { name: `Actions for “${name}”` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

// From the empty list to a schedule, with a variable, a preview, and the page of the new automation.
export async function creates_one({ page, origin, check, until, ask: world }) {
  await openList({ page, origin });
  await page.getByText("No automations yet.").waitFor();
  await openForm(page);
  let previews = 0;
  page.on("request", (request) => { if (request.url().endsWith("/automations/preview")) previews++; });
  await page.getByLabel("Name", { exact: true }).fill("Digest");
  await page.getByLabel("Message", { exact: true }).pressSequentially("Good morning, {{reader}}! It is {{run.local_date}}.", { delay: 5 });
  await page.getByLabel("Default for reader").fill("Ana");
  await page.getByLabel("Time", { exact: true }).fill("07:30");
  await preview(page).getByText(/^Weekdays at 07:30 in Berlin; next: \w+day,? \d+ \w+( \d+)? at 07:30$/).waitFor();
  check(await preview(page).getByRole("listitem").count() === 5, "five times");
  await preview(page).getByText(/^The message as it would be sent/).click();
  await preview(page).getByText(/Good morning, Ana! It is 20\d\d-\d\d-\d\d\./).waitFor();
  check(previews < 12, `it does not ask for each key: ${previews}`);
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { level: 1, name: "Digest" }).waitFor();
  await page.getByText("Weekdays at 07:30 in Berlin").waitFor();
  await until(async () => await page.locator(".times li").count() === 5, "the next times are listed");
  await page.getByText("No runs yet.").waitFor();
  const [stored] = (await world("api", "GET", "/automations")).data;
  check(stored.trigger.cron === "30 7 * * MON-FRI" && stored.trigger.time_zone === ZONE, JSON.stringify(stored.trigger));
  check(stored.variables[0].name === "reader" && stored.variables[0].default === "Ana", JSON.stringify(stored.variables));
  await page.getByRole("navigation", { name: "Digest" }).getByRole("link", { name: "Automations" }).click();
  await rows(page, "Digest").getByText(/^Next: \w+day,? \d+ \w+/).waitFor();
  await rows(page, "Digest").getByText("Active").waitFor();
}

// Each kind of schedule, in words, and what the server refuses.
export async function schedules({ page, origin, check, ask: world }) {
  await openList({ page, origin });
  await openForm(page);
  const says = (text) => preview(page).getByText(text).waitFor();
  const repeats = (name) => page.getByLabel("Repeats").selectOption({ label: name });
  await page.getByLabel("Name", { exact: true }).fill("Clockwork");
  await page.getByLabel("Message", { exact: true }).fill("Tick");
  await repeats("Every day");
  await says(/^Every day at 09:00 in Berlin; next: /);
  await repeats("On days of the week");
  await page.getByLabel("Thursday").check();
  await says(/^Mondays and Thursdays at 09:00 in Berlin; next: (Monday|Thursday)/);
  await page.getByLabel("Every … weeks").fill("2");
  await says(/^Mondays and Thursdays at 09:00, every 2 weeks in Berlin; next: /);
  await repeats("Every few hours");
  await page.getByLabel("Hours between runs").selectOption("6");
  await says(/^Every 6 hours at :00 in Berlin; next: /);
  await repeats("Every few minutes");
  await says(/^Every 15 minutes; next: /);
  await repeats("Monthly");
  await page.getByLabel("Day of the month").selectOption({ label: "Last day" });
  await says(/^On the last day of each month at 09:00 in Berlin; next: /);
  await repeats("Cron expression");
  await page.getByLabel("Cron expression").fill("");
  await says("No time yet: the schedule is not complete.");
  await page.getByLabel("Cron expression").fill("0 9 * * FUN");
  await preview(page).locator(".fault").waitFor();
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator("input[name=cron][aria-invalid=true]").waitFor();
  await page.getByLabel("Cron expression").fill("0 9 * * FRI#2");
  await says(/^0 9 \* \* FRI#2 in Berlin; next: Friday/);
  await page.getByLabel("Time zone").fill("Europe/Nowhere");
  await preview(page).locator(".fault").waitFor();
  await page.getByLabel("Time zone").fill(ZONE);
  await page.getByLabel("Starts").selectOption({ label: "Once" });
  await page.getByLabel("Date and time").fill("2031-01-05T09:00");
  await says(/^Once: Sunday,? 5 January 2031 at 09:00 in Berlin$/);
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { level: 1, name: "Clockwork" }).waitFor();
  const [stored] = (await world("api", "GET", "/automations")).data;
  check(stored.trigger.at === "2031-01-05T08:00:00.000Z", stored.trigger.at);
}

// By hand, with a value; its answer is a conversation.
export async function runs_now({ page, origin, check, ask: world }) {
  const made = await world("api", "POST", "/automations", { name: "Greeting", message: "Hello {{reader}}", variables: [{ name: "reader", required: true }] });
  await logIn({ page, origin }, "ana");
  await page.goto(`${origin}/#/automations/${made.id}`);
  await page.getByText("Only when run by hand").waitFor();
  await page.getByRole("button", { name: "Run now" }).click();
  await page.getByRole("dialog").getByLabel("reader").fill("Ben");
  await page.getByRole("dialog").getByRole("button", { name: "Run now" }).click();
  await runs(page, "Completed").waitFor();
  check(await page.locator(".runs > li").count() === 1, "one row, without a reload");
  await runs(page, "Completed").getByText("Message sent").click();
  await page.getByText("Hello Ben", { exact: true }).waitFor();
  await page.getByLabel("Status").selectOption({ label: "Failed" });
  await page.getByText("No runs yet.").waitFor();
  await page.getByLabel("Status").selectOption({ label: "All" });
  await runs(page, "Completed").getByRole("link", { name: "Open conversation" }).click();
  check((await answer(page)) === "Hello Ben", "its conversation");
  check(await answers(page).count() === 1, "with one answer");
  await page.goto(`${origin}/#/automations/runs`);
  await runs(page, "Completed").getByRole("link", { name: "Greeting" }).click();
  await page.getByRole("heading", { level: 1, name: "Greeting" }).waitFor();
}

export async function cancels_and_tries_again({ page, origin, ask: world }) {
  const long = await world("api", "POST", "/automations", { name: "Long", message: "{words:2000}{delay_ms:50}" });
  const failing = await world("api", "POST", "/automations", { name: "Failing", message: "{error:overloaded}", retry: { max_attempts: 1 } });
  await logIn({ page, origin }, "ana");
  await page.goto(`${origin}/#/automations/${long.id}`);
  await page.getByRole("button", { name: "Run now" }).click();
  await runs(page, "Running").waitFor();
  await runs(page, "Running").getByRole("button", { name: "Cancel run" }).click();
  await runs(page, "Cancelled").waitFor();
  await page.goto(`${origin}/#/automations/${failing.id}`);
  await page.getByRole("button", { name: "Run now" }).click();
  await runs(page, "Failed").waitFor();
  await runs(page, "Failed").getByRole("button", { name: "Try again" }).click();
  await runs(page, "Failed").getByText("2 attempts").waitFor();
}

export async function pauses_edits_and_deletes({ page, origin, check, ask: world }) {
  const made = await world("api", "POST", "/automations", {
    name: "Digest", message: "Hi {{who}}", variables: [{ name: "who", pointer: "/a/b", default: "Ana" }],
    trigger: { type: "schedule", cron: "0 9 * * MON", time_zone: ZONE, every_weeks: 2, starts_at: "2026-01-05T00:00:00.000Z" }, session: { policy: "new", keep: null },
  });
  await openList({ page, origin });
  await rows(page, "Digest").getByText("Mondays at 09:00, every 2 weeks in Berlin").waitFor();
  await act(page, "Digest", "Pause");
  await rows(page, "Digest").getByText("Paused by you").waitFor();
  await act(page, "Digest", "Resume");
  await rows(page, "Digest").getByText("Active").waitFor();
  await act(page, "Digest", "Edit");
  await page.getByLabel("Name", { exact: true }).fill("Letter");
  await page.getByLabel("Time", { exact: true }).fill("10:00");
  await page.getByText("More settings").click();
  await page.getByLabel("Attempts").fill("1");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "Letter" }).waitFor();
  await page.getByText("Mondays at 10:00, every 2 weeks in Berlin").waitFor();
  const now = await world("api", "GET", `/automations/${made.id}`);
  check(now.variables[0].pointer === "/a/b" && now.session.keep === null && now.retry.max_attempts === 1 && now.trigger.starts_at === "2026-01-05T00:00:00.000Z",
        `what the form does not show stays: ${JSON.stringify(now)}`);
  await act(page, "Letter", "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No automations yet.").waitFor();
}

// An automation that was changed after the form was opened is not overwritten.
export async function edited_twice({ page, origin, check, ask: world }) {
  const made = await world("api", "POST", "/automations", { name: "Digest", message: "Hi" });
  await logIn({ page, origin }, "ana");
  await page.goto(`${origin}/#/automations/${made.id}/edit`);
  await page.getByLabel("Message", { exact: true }).fill("Mine");
  await world("api", "PATCH", `/automations/${made.id}`, { message: "Theirs" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The automation has changed since you fetched it").waitFor();
  check(await page.getByLabel("Message", { exact: true }).inputValue() === "Mine", "what was typed is there");
  check((await world("api", "GET", `/automations/${made.id}`)).message === "Theirs", "and nothing is overwritten");
}

// Another client creates, changes, runs and deletes: the open pages show it.
export async function another_client({ page, context, origin, check, ask: world }) {
  const api = (...request) => world("api", ...request);
  const seen = { lists: 0 };
  context.on("request", (request) => { if (/\/api\/automations\?/.test(request.url())) seen.lists++; });
  await openList({ page, origin });
  await page.getByText("No automations yet.").waitFor();
  const made = await api("POST", "/automations", { name: "By a program", message: "Hello" });
  await rows(page, "By a program").waitFor();
  await api("PATCH", `/automations/${made.id}`, { name: "By a client", trigger: { type: "schedule", cron: "0 9 * * *", time_zone: "UTC" } });
  await rows(page, "By a client").getByText("Every day at 09:00 UTC").waitFor();
  await api("PATCH", `/automations/${made.id}`, { paused: true });
  await rows(page, "By a client").getByText("Paused by you").waitFor();
  const tab = await context.newPage(); // It uses the connection of the first.
  await tab.goto(`${origin}/#/automations/${made.id}`);
  await tab.getByText("No runs yet.").waitFor();
  await api("POST", `/automations/${made.id}/runs`, {});
  await runs(tab, "Completed").waitFor();
  await context.setOffline(true);
  await page.getByText("You are offline").waitFor();
  await api("PATCH", `/automations/${made.id}`, { paused: false });
  await api("POST", `/automations/${made.id}/runs`, {});
  await context.setOffline(false);
  await rows(page, "By a client").getByText("Active").waitFor();
  await runs(tab, "Completed").nth(1).waitFor();
  await api("DELETE", `/automations/${made.id}`);
  await rows(page, "By a client").waitFor({ state: "detached" });
  await tab.getByRole("heading", { name: "Automation not found" }).waitFor();
  check(seen.lists === 1, `the list was fetched once, not ${seen.lists} times`);
}

// A due time comes while the page is open.
export async function comes_due({ page, origin, ask: world }) {
  const at = new Date(Date.now() + 6_000).toISOString(); // Not yet over when it is stored, also on a slow machine.
  const made = await world("api", "POST", "/automations", { name: "Soon", message: "Now", trigger: { type: "schedule", at, time_zone: "UTC" } });
  await logIn({ page, origin }, "ana");
  await page.goto(`${origin}/#/automations/${made.id}`);
  await runs(page, "Completed").getByText("scheduled").waitFor();
  await page.getByText("Ended", { exact: true }).waitFor();
}
