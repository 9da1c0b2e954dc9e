// The pages of webhooks, hooks and events, for looks.mjs: forms, secrets, deliveries that went well and badly, dialogs.
const menu = async (page, url, action) => {
  await page.getByRole("button", { name: `Actions for “${url}”` }).click();
  await page.getByRole("menu").waitFor();
  await page.getByRole("menuitem", { name: action }).click();
  await page.getByRole("dialog").waitFor();
};

async function theForm(page, origin, look, url) {
  await page.goto(`${origin}/#/webhooks`);
  await page.getByText("No webhooks yet.").waitFor();
  await look("webhooks-none");
  await page.getByRole("link", { name: "New webhook" }).click();
  await page.getByLabel("URL").fill("http://10.1.2.3/parley");
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator("input[name=url][aria-invalid=true]").waitFor();
  await look("webhook-form-refused");
  await page.getByLabel("URL").fill(url);
  await page.getByLabel("Description").fill("Tells the team about failed runs");
  await page.getByRole("checkbox", { name: "All of “Answers”" }).check();
  await look("webhook-form");
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator(".fresh-secret").waitFor();
  await look("webhook-secret");
}

async function theWebhook(page, origin, look, url) {
  await page.getByRole("button", { name: "Send a test event" }).click();
  await page.locator(".runs .badge", { hasText: "Delivered" }).waitFor();
  await page.getByText("Test event queued.").waitFor({ state: "detached" });
  await page.getByText("1 attempt", { exact: true }).click();
  await look("webhook");
  await menu(page, url, "New secret");
  await look("webhook-rotate");
  await page.keyboard.press("Escape");
  await menu(page, url, "Replay events");
  await look("webhook-replay");
  await page.keyboard.press("Escape");
  await page.goto(`${origin}/#/webhooks`);
  await page.getByRole("link", { name: url }).waitFor();
  await look("webhooks");
  await page.getByRole("button", { name: `Actions for “${url}”` }).click();
  await page.getByRole("menu").waitFor();
  await look("webhook-menu");
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").waitFor();
  await look("webhook-delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No webhooks yet.").waitFor();
  await page.goto(`${origin}/#/webhooks/whk_gone`);
  await page.getByText("Webhook not found").first().waitFor();
  await look("webhook-not-found");
}

async function theHook(page, origin, look) {
  await page.goto(`${origin}/#/automations/new`);
  await page.getByLabel("Name", { exact: true }).fill("Issues");
  await page.getByLabel("Message", { exact: true }).fill("Suggest an answer to this issue: {{title}}");
  await page.getByLabel("Starts").selectOption({ label: "After an event" });
  await page.getByRole("group", { name: "Runs of automations" }).getByRole("checkbox", { name: "failed" }).check();
  await page.getByRole("region", { name: "Preview" }).getByText("After an event: run failed").waitFor();
  await page.getByLabel("Starts").scrollIntoViewIfNeeded();
  await look("automation-form-event");
  await page.getByLabel("Starts").selectOption({ label: "When another program calls" });
  await page.getByLabel("JSON pointer to title").fill("/issue/title");
  await page.getByRole("region", { name: "Preview" }).getByText("When its hook is called").waitFor();
  await look("automation-form-hook");
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator(".fresh-secret").waitFor();
  await page.getByText("Example", { exact: true }).click();
  await look("automation-hook");
  await page.locator(".page-title").getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No automations yet.").waitFor();
}

export async function webhooks(page, origin, look, url) {
  await theForm(page, origin, look, url);
  await theWebhook(page, origin, look, url);
  await theHook(page, origin, look);
  await page.goto(`${origin}/#/events`);
  await page.locator(".events > li").first().waitFor();
  await look("events");
}
