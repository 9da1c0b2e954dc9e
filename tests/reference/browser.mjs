// Opens pages in headless Chromium and prints problems as JSON: errors on the console, requests to
// other origins, and pages that scroll sideways on a phone.
import { createRequire } from "node:module";

const [packages, chromium, origin, pictures, token, ...paths] = process.argv.slice(1);
const playwright = createRequire(packages + "/")("playwright-core");
const browser = await playwright.chromium.launch({ executablePath: chromium, args: ["--no-sandbox"] });
const found = { console: [], elsewhere: [], wide: [], tried: [] };

async function open(path, name, options) {
  const page = await browser.newPage(options);
  page.on("console", (message) => message.type() === "error" && found.console.push(path + ": " + message.text()));
  page.on("pageerror", (error) => found.console.push(path + ": " + error.message));
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin) found.elsewhere.push(request.url());
  });
  await page.goto(origin + path, { waitUntil: "networkidle" });
  if (path === "/docs") await page.getByText("Send a message to the assistant").first().waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1);
  if (wide) found.wide.push(path + " " + name);
  await page.screenshot({ path: `${pictures}/${path.slice(1).replace(/#.*/, "").replaceAll("/", "-")}-${name}.png` });
  return page;
}

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, deviceScaleFactor: 2 };
const desk = { viewport: { width: 1280, height: 900 } };
for (const path of paths) {
  await (await open(path, "light", { ...desk, colorScheme: "light" })).close();
  await (await open(path, "phone-dark", { ...phone, colorScheme: "dark" })).close();
}

// Sends a request from the page with a pasted token, and the page's own values otherwise.
const page = await open("/docs", "try", desk);
await page.locator("input[placeholder=Token]:visible").first().fill(token);
for (const [chapter, method, path] of [
  ["account", "get", "/v1/api/me"],
  ["sessions", "get", "/v1/api/chat/sessions"],
  ["sessions", "post", "/v1/api/chat/sessions"],
  ["chat", "post", "/v1/api/chat/query"],
  ["openai-compatible", "post", "/v1/chat/completions"],
  ["tokens", "post", "/v1/api/tokens"],
]) {
  await page.goto(`${origin}/docs#tag/${chapter}/${method.toUpperCase()}${path}`);
  await page.getByRole("button", { name: `Test Request (${method} ${path})` }).first().click();
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().startsWith(origin + path)),
    page.getByRole("button", { name: new RegExp(`Send ${method} request`) }).first().click(),
  ]);
  found.tried.push(answer.status());
  await page.screenshot({ path: `${pictures}/docs-tried.png` });
  await page.keyboard.press("Escape");
}
await browser.close();
console.log(JSON.stringify(found));
