// Runs flows in headless Chromium: run.mjs PACKAGES CHROMIUM PICTURES
//
// Each line of its input names a flow: {"origin", "file", "name", "people"}. A flow is an exported function of a module
// beside this one. For actions that a browser cannot do (start a server, kill it) it sends the test a line of JSON and
// waits for the answer. A flow fails if there is an error on the console or a request to another origin, unless it
// visits that one on purpose. Flows share the browser, not its contexts.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { names } from "./people.mjs";

const [packages, chromium, pictures] = process.argv.slice(2);
const playwright = createRequire(packages + "/")("playwright-core");
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (what) => process.stdout.write(JSON.stringify(what) + "\n");

async function ask(what, ...details) {
  say({ ask: what, details });
  return JSON.parse((await lines.next()).value);
}

// Chromium logs failed requests on the console; the app handles them.
const EXPECTED = /^Failed to load resource/;

function watch(page, origin, others, faults) {
  page.setDefaultTimeout(60_000);
  const isElsewhere = () => [...others].some((other) => page.url().startsWith(`${other}/`)); // Not a page of the app.
  page.on("pageerror", (error) => { if (!isElsewhere()) faults.push(`page error: ${error.message}`); });
  page.on("console", (message) => {
    if (message.type() === "error" && !EXPECTED.test(message.text()) && !isElsewhere()) faults.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    const isKnown = /^(data|blob):$/.test(url.protocol) || url.origin === origin || others.has(url.origin);
    if (!isKnown && !isElsewhere()) faults.push(`request to ${request.url()}`);
  });
  page.on("dialog", (dialog) => { faults.push(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
}

const browser = await playwright.chromium.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

function worldOf(origin, faults, contexts) {
  const others = new Set();
  return {
    origin, packages, ask, browser,
    visits: (other) => others.add(other), // An origin whose pages the flow opens.
    async newContext(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-GB", ...options });
      contexts.push(context);
      context.on("page", (page) => watch(page, origin, others, faults));
      return context;
    },
    picture: (page, title) => page.screenshot({ path: `${pictures}/${title}.png` }),
    check(holds, sentence) { if (!holds) throw new Error(`not so: ${sentence}`); },
    async until(holds, sentence) {
      for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50)))
        if (await holds()) return;
      throw new Error(`never came true: ${sentence}`);
    },
  };
}

async function run({ origin, file, name, people }) {
  Object.assign(names, { ana: "ana", ...people });
  const faults = [];
  const contexts = [];
  const world = worldOf(origin, faults, contexts);
  let result;
  try {
    world.context = await world.newContext();
    world.page = await world.context.newPage();
    result = await (await import(`./${file}`))[name](world);
  } catch (error) {
    faults.push(error.stack ?? String(error));
    for (const [number, page] of contexts.flatMap((context) => context.pages()).entries())
      await page.screenshot({ path: `${pictures}/failed-${name}-${number}.png`, timeout: 5000 }).catch(() => undefined);
  }
  for (const context of contexts) await context.close().catch(() => undefined);
  say({ faults, result: result ?? null });
}

for (let line = await lines.next(); !line.done; line = await lines.next()) await run(JSON.parse(line.value));
await browser.close().catch(() => undefined);
process.exit(0);
