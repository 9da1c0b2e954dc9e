// The pages of automations, for looks.mjs: the form in several states, dialogs, runs that ended well and badly.
async function fillForm(page, origin, name, message) {
  await page.goto(`${origin}/#/automations/new`);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Message", { exact: true }).fill(message);
}

const link = (page, name) => page.locator(".page-body").getByRole("link", { name }); // Not the conversation of this name.

const previewed = (page) => page.getByRole("region", { name: "Preview" }).getByText(/next: /).waitFor();

async function theForm(page, origin, look) {
  await fillForm(page, origin, "Morning digest", "Good morning, {{reader}}. What is worth knowing on {{run.local_date}}?");
  await page.getByLabel("Default for reader").fill("Ana");
  await page.getByLabel("Time zone").fill("Europe/Berlin");
  await previewed(page);
  await look("automation-form");
  await page.getByLabel("Repeats").selectOption({ label: "On days of the week" });
  await page.getByLabel("Thursday").check();
  await page.getByLabel("Thursday").focus();
  await look("automation-form-days");
  await page.getByLabel("Repeats").selectOption({ label: "Cron expression" });
  await page.getByLabel("Cron expression").fill("0 9 * * FUN");
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator("input[name=cron][aria-invalid=true]").waitFor();
  await look("automation-form-refused"); // With all settings open.
  await page.getByLabel("Repeats").selectOption({ label: "Weekdays" });
  await previewed(page);
  await page.getByRole("region", { name: "Preview" }).scrollIntoViewIfNeeded();
  await look("automation-form-preview");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { level: 1, name: "Morning digest" }).waitFor();
}

async function runsOf(page, look) {
  await page.getByRole("button", { name: "Run now" }).click();
  await page.getByRole("dialog").waitFor();
  await look("automation-run");
  await page.getByRole("dialog").getByRole("button", { name: "Run now" }).click();
  await page.getByText("Completed", { exact: true }).last().waitFor();
  await page.getByText("Message sent").click();
  await page.getByText("Run started.").waitFor({ state: "detached" });
  await look("automation");
}

async function aFailingOne(page, origin) {
  await fillForm(page, origin, "Check of the backup", "{error:overloaded} Did the backup run?");
  await page.getByLabel("Starts").selectOption({ label: "Only by hand" });
  await page.getByText("More settings").click();
  await page.getByLabel("Attempts").fill("1");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { level: 1, name: "Check of the backup" }).waitFor();
  await page.getByRole("button", { name: "Run now" }).click();
  await page.locator(".runs .badge.bad").waitFor();
}

export async function automations(page, origin, look) {
  await page.goto(`${origin}/#/automations`);
  await page.getByText("No automations yet.").waitFor();
  await look("automations-none");
  await theForm(page, origin, look);
  await runsOf(page, look);
  await aFailingOne(page, origin);
  await page.goto(`${origin}/#/automations/runs`);
  await page.locator(".runs > li").nth(1).waitFor();
  await link(page, "Morning digest").waitFor();
  await look("automation-runs");
  await page.goto(`${origin}/#/automations`);
  await link(page, "Morning digest").waitFor();
  await look("automations");
  for (const name of ["Check of the backup", "Morning digest"]) {
    await page.locator(".page-body").getByRole("button", { name: `Actions for “${name}”` }).click();
    await page.getByRole("menu").waitFor();
    if (name === "Morning digest") await look("automation-menu");
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").waitFor();
    if (name === "Morning digest") await look("automation-delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await link(page, name).waitFor({ state: "detached" });
  }
  await page.goto(`${origin}/#/automations/aut_gone`);
  await page.getByText("Automation not found").first().waitFor();
  await look("automation-not-found");
}
