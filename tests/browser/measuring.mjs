// Speed on a processor slowed down four times: the cost of a first visit, and the behaviour of long
// lists, long conversations and long answers. The test sets the limits.
import { answers, ask, composer, logIn } from "./people.mjs";

async function slowed(page, times) {
  const client = await page.context().newCDPSession(page);
  await client.send("Emulation.setCPUThrottlingRate", { rate: times });
}

const SLOW = 4;
const nearly = (times, share = 0.95) => times.sort((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;

// The CPU time of the page during an action, in milliseconds, without other programs: its longest task,
// and the 95th percentile of the work per frame, with the cost of this trace. Both are scaled to a slower processor;
// really slowing it down would count waiting as work.
async function workOf(browser, page, happens, slower = SLOW) {
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
  await happens();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const main = new Set(traceEvents.filter((event) => event.name === "thread_name" && event.args.name === "CrRendererMain").map((event) => `${event.pid} ${event.tid}`));
  const ours = traceEvents.filter((event) => main.has(`${event.pid} ${event.tid}`)).sort((a, b) => a.ts - b.ts);
  const cost = (event) => ((event.tdur ?? 0) / 1000) * slower;
  const frames = [0];
  let end = 0; // Tasks may be nested: the outer one counts.
  let frame = -1; // The end of the task of the last frame: it may have several callbacks.
  for (const event of ours) {
    if (event.name === "FireAnimationFrame" && frame !== end) { frame = end; frames.push(0); }
    if (!/RunTask$/.test(event.name) || event.ts < end) continue;
    end = event.ts + (event.dur ?? 0);
    frames[frames.length - 1] += cost(event);
  }
  const tasks = ours.filter((event) => /RunTask$/.test(event.name)).map(cost);
  return { longest_task_ms: Math.round(Math.max(0, ...tasks)), frame_work_ms: rounded(nearly(frames.slice(1, -1))) };
}

const rounded = (value) => Math.round(value * 10) / 10;

// Scrolls an element for a while, a step per frame; returns the times of the frames by the clock: the machine must be
// idle.
const scroll = (page, selector, step, frames) => page.evaluate(async ([what, by, count]) => {
  const element = document.querySelector(what);
  const times = [];
  let last = await new Promise(requestAnimationFrame);
  for (let at = 0; at < count; at++) {
    element.scrollTop += by;
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  return times;
}, [selector, step, frames]);

const framesOf = (times) => ({
  frame_ms: rounded(nearly([...times])), frames_in_time: rounded((100 * times.filter((time) => time < 20).length) / times.length), longest_frame_ms: rounded(Math.max(...times)),
});

export async function a_first_visit({ page, origin, check }) {
  let bytes = 0;
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  client.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await slowed(page, SLOW);
  await page.goto(origin);
  await page.getByRole("button", { name: "Log in" }).waitFor();
  const ready = await page.evaluate(() => performance.now());
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
  check(bytes > 10_000, "it was counted");
  return { bytes, ready_ms: Math.round(ready), first_paint_ms: Math.round(paint) };
}

export async function ten_thousand_conversations({ page, browser, origin, check, until }) {
  await logIn({ page, origin }, "ana");
  await page.getByRole("listitem").first().waitFor();
  const work = await workOf(browser, page, () => scroll(page, ".session-list", 60, 150));
  await slowed(page, SLOW);
  const frames = framesOf(await scroll(page, ".session-list", -60, 140));
  check(await page.getByRole("listitem").count() < 100, "only what is in view is on the page");
  const rows = () => page.evaluate(() => document.querySelector(".session-space").clientHeight / 38);
  const before = await rows();
  await page.evaluate(() => { const list = document.querySelector(".session-list"); list.scrollTop = list.scrollHeight; });
  await until(async () => (await rows()) > before, "more is loaded as it is scrolled");
  return { ...frames, ...work };
}

export async function two_thousand_messages({ page, browser, origin, ask: world, check, until }) {
  await logIn({ page, origin }, "ana");
  const id = await world("session");
  await slowed(page, SLOW);
  const start = Date.now();
  await page.goto(`${origin}/#/chat/${id}`);
  await answers(page).first().waitFor();
  const painted = Date.now() - start;
  const frames = framesOf(await scroll(page, ".messages", -60, 300));
  await slowed(page, 1);
  const work = await workOf(browser, page, () => scroll(page, ".messages", -60, 200));
  const height = () => page.evaluate(() => document.querySelector(".messages").scrollHeight);
  const before = await height();
  await page.evaluate(() => { document.querySelector(".messages").scrollTop = 0; });
  await until(async () => (await height()) > before + 1000, "earlier messages are loaded");
  check(await page.locator("article").count() < 60, "only those near the view are on the page");
  return { first_paint_ms: painted, ...frames, ...work };
}

export async function twenty_thousand_words({ page, browser, origin, check }) {
  await logIn({ page, origin }, "ana");
  await composer(page).waitFor();
  const { longest_task_ms } = await workOf(browser, page, async () => {
    await ask(page, "{words:20000}");
    await page.waitForFunction(() => document.querySelector("article.answer .markdown")?.textContent?.trim().endsWith("w20000") &&
                                     !document.querySelector("article[aria-busy=true]"), undefined, { timeout: 150_000, polling: 500 });
  }, 1);
  const text = await page.locator("article.answer .markdown").last().evaluate((it) => it.textContent.replace(/\s+/g, " ").trim());
  check(text === Array.from({ length: 20_000 }, (_, at) => `w${at + 1}`).join(" "), "all of it is there, in order");
  return { longest_task_ms };
}
