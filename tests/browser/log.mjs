// The page of the event log.
import { logIn } from "./people.mjs";

const rows = (page) => page.locator(".events > li");
const texts = (page) => page.locator(".events > li .row-words > p:first-child").allInnerTexts();

export async function event_log({ page, origin, check, until, ask: world }) {
  const api = (...request) => world("api", ...request);
  const made = await api("POST", "/automations", { name: "Greeting", message: "Hello" });
  for (let number = 0; number < 120; number++) await api("PATCH", `/automations/${made.id}`, { name: `Greeting ${number}` });
  await logIn({ page, origin }, "ana");
  await page.getByRole("link", { name: "Automations" }).click();
  await page.getByRole("link", { name: "Events" }).click();
  await rows(page).first().getByText("Login created").waitFor();
  check((await texts(page))[1] === "Automation changed", "newest first");
  const before = await rows(page).count();
  await page.getByRole("button", { name: "Load more" }).click();
  await until(async () => await rows(page).count() > before, "earlier events are loaded");
  check((await texts(page)).at(-1) !== "Automation changed", "to the first one");
  const numbers = (await page.locator(".events .number").allInnerTexts()).map(Number);
  check(numbers.every((number, at) => at === 0 || number === numbers[at - 1] - 1), `without a gap: ${numbers}`);

  await api("POST", "/chat/query", { message: "Hello" });
  await rows(page).first().getByText("Answer completed").waitFor(); // As it happens.
  await page.getByLabel("Type").selectOption({ label: "Conversation created" });
  await until(async () => (await texts(page)).join() === "Conversation created", "only this type");
  await api("POST", "/chat/sessions", { title: "By a program" });
  await until(async () => (await texts(page)).join() === "Conversation created,Conversation created", "new events of this type");
  await api("POST", "/chat/query", { message: "Hello" });
  await until(async () => (await texts(page)).length === 3, "and no others");
  await page.getByLabel("Type").selectOption({ label: "Automation created" });
  await until(async () => (await texts(page)).join() === "Automation created", "an old event is found");
  await rows(page).getByRole("link", { name: "Automation created" }).click();
  await page.getByRole("heading", { level: 1, name: "Greeting 119" }).waitFor();
}
