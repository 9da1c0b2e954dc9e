// Runs one flow in headless Chromium: run.mjs PACKAGES CHROMIUM ORIGIN PICTURES FILE FLOW
//
// A flow is an exported function of a module beside this one. It asks the test for what a browser
// cannot do (start a server, kill it) by a line of JSON and waits for the answer. Whatever it does,
// nothing may be wrong on the console and no request may leave for another origin.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [packages, chromium, origin, pictures, file, name] = process.argv.slice(2);
const playwright = createRequire(packages + "/")("playwright-core");
const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const faults = [];

async function ask(what, ...details) {
  process.stdout.write(JSON.stringify({ ask: what, details }) + "\n");
  return JSON.parse((await answers.next()).value);
}

// Chromium says on the console what every script sees as a failed request; the app is to handle it.
const EXPECTED = /^Failed to load resource/;

function watch(page) {
  page.setDefaultTimeout(60_000);
  page.on("pageerror", (error) => faults.push(`page error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !EXPECTED.test(message.text())) faults.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!/^(data|blob):$/.test(url.protocol) && url.origin !== origin) faults.push(`request to ${request.url()}`);
  });
  page.on("dialog", (dialog) => { faults.push(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
  return page;
}

const browser = await playwright.chromium.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
const contexts = [];

async function newContext(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-GB", ...options });
  contexts.push(context);
  context.on("page", watch);
  return context;
}

const world = {
  origin, packages, ask, newContext, browser,
  picture: (page, title) => page.screenshot({ path: `${pictures}/${title}.png` }),
  check(holds, sentence) { if (!holds) throw new Error(`not so: ${sentence}`); },
  async until(holds, sentence) {
    for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50)))
      if (await holds()) return;
    throw new Error(`never came true: ${sentence}`);
  },
};
world.context = await newContext();
world.page = await world.context.newPage();

let result;
try {
  result = await (await import(`./${file}`))[name](world);
} catch (error) {
  faults.push(error.stack ?? String(error));
  for (const [number, page] of contexts.flatMap((context) => context.pages()).entries())
    await page.screenshot({ path: `${pictures}/failed-${name}-${number}.png`, timeout: 5000 }).catch(() => undefined);
}
await browser.close().catch(() => undefined);
process.stdout.write(JSON.stringify({ faults, result: result ?? null }) + "\n");
process.exit(0);
