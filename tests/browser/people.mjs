// Common actions of a user in these flows.

export const PASSWORD = "otter lantern quarry seven";

// Flows that share a server have their own users: Ana may be called ana7 there.
export const names = { ana: "ana" };
export const nameOf = (name) => names[name] ?? name;

export async function logIn({ page, origin }, name, password = PASSWORD) {
  await page.goto(origin);
  await page.getByLabel("User name").fill(nameOf(name));
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await composer(page).waitFor();
}

export const composer = (page) => page.getByRole("textbox", { name: "Message" });

export async function ask(page, text) {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

// By its link; returns when the new chat is there, so that typed text goes into it.
export async function newChat(page) {
  await page.getByRole("link", { name: "New chat" }).click();
  await page.getByText("What would you like to know?").waitFor();
}

export const answers = (page) => page.getByRole("article", { name: "Assistant" });

// Waits until the last answer is complete, and returns its text.
export async function answer(page, count = 1) {
  const last = answers(page).nth(count - 1);
  await last.waitFor();
  await page.waitForFunction(
    (at) => {
      const found = document.querySelectorAll("article.answer")[at];
      return found && found.getAttribute("aria-busy") !== "true";
    }, count - 1, { timeout: 60_000 });
  return (await last.locator(".markdown").innerText()).trim();
}

export const words = (count) => Array.from({ length: count }, (_, at) => `w${at + 1}`).join(" ");

// A row of the list of conversations, and the entries of its menu.
export const session = (page, title) => page.getByRole("listitem").filter({ hasText: title });

export async function choose(page, title, action) {
  await session(page, title).hover();
  await session(page, title).getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

// All data of the app in the browser.
export const kept = (page) => page.evaluate(() => new Promise((resolve, reject) => {
  const request = indexedDB.open("parley");
  request.onerror = () => reject(request.error);
  request.onsuccess = () => {
    const all = request.result.transaction("kept").objectStore("kept").getAll();
    all.onsuccess = () => resolve(all.result.map((each) => JSON.stringify(each)));
  };
}));
