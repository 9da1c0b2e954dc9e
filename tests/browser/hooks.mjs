// Automations that other programs or events start.
import { logIn } from "./people.mjs";

const runs = (page, text) => page.locator(".runs > li").filter({ hasText: text });
const secret = (page) => page.locator(".fresh-secret code");
const hook = (page) => page.getByRole("region", { name: "Hook" });

async function fillForm({ page, origin }, name, message, starts) {
  await logIn({ page, origin }, "ana");
  await page.goto(`${origin}/#/automations/new`);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Message", { exact: true }).fill(message);
  await page.getByLabel("Starts").selectOption({ label: starts });
}

// The example of the page, run by a shell.
async function runExample(page, world) {
  await hook(page).getByText("Example", { exact: true }).click();
  return world("shell", await hook(page).getByRole("region", { name: "Example" }).innerText());
}

export async function a_hook_with_a_token({ page, origin, check, ask: world }) {
  await fillForm({ page, origin }, "Issues", "Answer {{title}} for {{who}}", "When another program calls");
  await page.getByLabel("JSON pointer to title").fill("issue/title");
  await page.getByRole("region", { name: "Preview" }).locator(".fault").waitFor(); // Not a pointer.
  await page.getByLabel("JSON pointer to title").fill("/issue/title");
  await page.getByLabel("Default for who").fill("Ana's team");
  await page.getByRole("region", { name: "Preview" }).getByText("When its hook is called").waitFor();
  await page.getByText(/^The message as it would be sent/).click();
  await page.getByText("Answer [title] for Ana's team").waitFor();
  await page.getByRole("button", { name: "Create" }).click();
  await secret(page).waitFor();
  const token = await secret(page).innerText();
  check(/^plh_[0-9A-Za-z]{38}$/.test(token), token);
  const [stored] = (await world("api", "GET", "/automations")).data;
  check(stored.variables[0].pointer === "/issue/title" && stored.trigger.type === "hook", JSON.stringify(stored));

  const first = await runExample(page, world);
  check(first.message === "Answer [title] for [who]", JSON.stringify(first));
  await runs(page, "called by its hook").getByText("Completed").waitFor();
  await page.reload();
  await hook(page).waitFor();
  check(await secret(page).count() === 0, "the token is shown once");
  check(!(await page.locator(".page-column").innerText()).includes(token), "and not in the example");

  await hook(page).getByRole("button", { name: "New secret" }).click();
  await page.getByLabel("The old secret").selectOption({ label: "Expires at once" });
  await page.getByRole("dialog").getByRole("button", { name: "New secret" }).click();
  await secret(page).waitFor();
  check(await world("call", stored.hook.url, token) === 401, "the old token is refused");
  check(await world("call", stored.hook.url, await secret(page).innerText()) === 422, "the new one works; the title is missing");

  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Message", { exact: true }).fill("Reply to {{title}} for {{who}}");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Reply to {{title}} for {{who}}").waitFor();
  const now = await world("api", "GET", `/automations/${stored.id}`);
  check(now.hook.id === stored.hook.id && now.variables[0].pointer === "/issue/title", `the hook stays: ${JSON.stringify(now)}`);
  await page.getByRole("button", { name: "Run now" }).click(); // A value gets where its pointer leads.
  await page.getByRole("dialog").getByLabel("title").fill("By hand");
  await page.getByRole("dialog").getByRole("button", { name: "Run now" }).click();
  await runs(page, "run by hand").getByText("Completed").waitFor();
  const [last] = (await world("api", "GET", `/automations/${stored.id}/runs`)).data;
  check(last.message === "Reply to By hand for Ana's team", last.message);
}

// A hook whose calls are signed, and then one of another kind.
export async function signed_hooks({ page, origin, check, ask: world }) {
  await fillForm({ page, origin }, "Signed", "About {{text}}", "When another program calls");
  await page.getByLabel("Callers are verified by").selectOption({ label: "A signature (Standard Webhooks)" });
  await page.getByRole("button", { name: "Create" }).click();
  await secret(page).waitFor();
  const first = await secret(page).innerText();
  check(first.startsWith("whsec_"), first);
  check((await runExample(page, world)).message === "About [text]", "the example for Standard Webhooks works");
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Callers are verified by").selectOption({ label: "A signature (GitHub)" });
  await page.getByText("A change creates a new address").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await hook(page).getByText("Payload URL: this address").waitFor();
  await secret(page).waitFor();
  check(await secret(page).innerText() !== first, "another secret");
  check((await runExample(page, world)).message === "About [text]", "the example for GitHub works");
}

export async function after_an_event({ page, origin, check, ask: world }) {
  await fillForm({ page, origin }, "Greeter", "Hello {{id}}", "After an event");
  await page.getByLabel("JSON pointer to id").fill("/data/id");
  await page.getByText("Select at least one event.").waitFor();
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("alert").getByText("Select at least one event.").waitFor();
  await page.getByRole("group", { name: "Conversations" }).getByRole("checkbox", { name: "created" }).check();
  await page.getByRole("region", { name: "Preview" }).getByText("After an event: conversation created").waitFor();
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { level: 1, name: "Greeter" }).waitFor();
  const { id } = await world("api", "POST", "/chat/sessions", { title: "New" });
  await runs(page, "after an event").getByText("Completed").waitFor();
  const [stored] = (await world("api", "GET", "/automations")).data;
  const [row] = (await world("api", "GET", `/automations/${stored.id}/runs`)).data;
  check(row.message === `Hello ${id}`, row.message);
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Only of this conversation").selectOption({ label: "New" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "Greeter" }).waitFor();
  const now = await world("api", "GET", `/automations/${stored.id}`);
  check(now.trigger.session_id === id && now.trigger.event_types.join() === "chat.session.created", JSON.stringify(now.trigger));
}
