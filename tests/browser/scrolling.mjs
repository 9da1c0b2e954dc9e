// A long conversation: only the messages near the view are on the page, and the text being read stays where it is.
import { answer, answers, ask, logIn, newChat, session } from "./people.mjs";

const onPage = (page) => page.locator(".messages article").count();
const toEnd = (page) => page.evaluate(() => { const it = document.querySelector(".messages"); return it.scrollHeight - it.scrollTop - it.clientHeight; });

async function open({ page, origin, ask: world, until }) {
  await logIn({ page, origin }, "ana");
  await page.goto(`${origin}/#/chat/${await world("session")}`);
  await answers(page).first().waitFor();
  await until(async () => (await toEnd(page)) < 5, "the newest message is in view");
}

// The first message in view, and its distance from the upper edge.
const reading = (page) => page.evaluate(() => {
  const edge = document.querySelector(".messages").getBoundingClientRect().top;
  const first = [...document.querySelectorAll(".messages article")].find((it) => it.getBoundingClientRect().bottom > edge + 1);
  return first && { id: first.dataset.id, offset: first.getBoundingClientRect().top - edge };
});

// The same, after all movement has ended.
async function still(page, until) {
  let last = "";
  let now;
  await until(async () => {
    const before = last;
    now = await reading(page);
    last = JSON.stringify(now);
    return now && last === before;
  }, "nothing moves");
  return now;
}

// Scrolls by steps and returns the largest difference between the movement of a message in view and the step.
const jumps = (page, step, steps) => page.evaluate(async ([by, count]) => {
  const frame = document.querySelector(".messages");
  const middle = () => {
    const { top, height } = frame.getBoundingClientRect();
    return [...document.querySelectorAll(".messages article")].find((it) => it.getBoundingClientRect().bottom > top + height / 2);
  };
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  let largest = 0;
  let most = 0;
  for (let at = 0; at < count && (by > 0 || frame.scrollTop > -by); at++) {
    const row = middle();
    const before = row.getBoundingClientRect().top;
    frame.scrollTop += by;
    await painted();
    largest = Math.max(largest, row.isConnected ? Math.abs(row.getBoundingClientRect().top - before + by) : 1000);
    most = Math.max(most, document.querySelectorAll(".messages article").length);
  }
  return { largest, most };
}, [step, steps]);

export async function only_messages_near_the_view({ page, origin, ask: world, check, until }) {
  await open({ page, origin, ask: world, until });
  const said = (number) => page.locator(".messages").getByText(`Question ${number}:`).first();
  let most = 0;
  for (let rounds = 0; rounds < 60 && !(await said(0).count()); rounds++) {
    const moved = await jumps(page, -150, 60);
    check(moved.largest < 3, `nothing jumps while earlier messages come: ${moved.largest}`);
    most = Math.max(most, moved.most);
    await page.waitForTimeout(100); // Time for the next page of messages.
  }
  await said(0).waitFor();
  check(most < 40, `few are on the page: ${most}`);
  const down = await jumps(page, 150, 60);
  check(down.largest < 3 && down.most < 40, `nor downwards: ${JSON.stringify(down)}`);
  const places = await page.locator(".messages article").evaluateAll((all) => all.map((it) => [Number(it.ariaPosInSet), Number(it.ariaSetSize)]));
  check(places.every(([at, of], index) => of === 120 && at === places[0][0] + index), `each says which it is: ${JSON.stringify(places)}`);
  await page.getByRole("button", { name: "To the newest message" }).click();
  await until(async () => (await toEnd(page)) < 5 && (await said(59).count()) > 0, "the end can be reached at once");
  check(await onPage(page) < 40, "and the rest has left the page");
}

// Messages that come onto the page while the reader scrolls get their buttons after that, and do not move then.
export async function buttons_come_after_scrolling({ page, origin, ask: world, check, until }) {
  await open({ page, origin, ask: world, until });
  const without = await page.evaluate(async () => {
    const frame = document.querySelector(".messages");
    let heights = [];
    // On a busy machine, a pause between two frames is an end of the scrolling.
    for (let at = 0; at < 60 || (at < 600 && heights.length === 0); at++) {
      frame.scrollTop += at % 200 < 100 ? -60 : 60;
      await new Promise(requestAnimationFrame);
      heights = [...document.querySelectorAll(".messages article:not(:has(button.icon-button))")].map((it) => [it.dataset.id, it.offsetHeight]);
    }
    return Object.fromEntries(heights);
  });
  check(Object.keys(without).length > 0, `they have no buttons yet: ${JSON.stringify(without)}`);
  const before = await reading(page);
  const bare = page.locator(".messages article:not(:has(button.icon-button))");
  await until(async () => (await bare.count()) === 0, "all messages on the page have buttons");
  const after = await reading(page);
  check(after.id === before.id && Math.abs(after.offset - before.offset) < 1, `nothing moves: ${JSON.stringify([before, after])}`);
  const heights = await page.locator(".messages article").evaluateAll((all) => all.map((it) => [it.dataset.id, it.offsetHeight]));
  const changed = heights.filter(([id, height]) => id in without && without[id] !== height);
  check(changed.length === 0, `their place was kept free: ${JSON.stringify(changed)}`);
}

export async function the_window_gets_narrower({ page, origin, ask: world, check, until }) {
  await open({ page, origin, ask: world, until });
  await jumps(page, -150, 25);
  const before = await still(page, until);
  await page.setViewportSize({ width: 700, height: 860 });
  await until(() => page.evaluate(() => innerWidth === 700), "it is narrower");
  const after = await still(page, until);
  check(after.id === before.id && Math.abs(after.offset - before.offset) < 60, `the same text is read: ${JSON.stringify([before, after])}`);
}

export async function the_place_is_kept({ page, origin, ask: world, check, until }) {
  await open({ page, origin, ask: world, until });
  await jumps(page, -150, 40);
  const before = await reading(page);
  const address = page.url();
  await newChat(page);
  await ask(page, "Elsewhere");
  await answer(page);
  await page.goto(address);
  await until(async () => {
    const now = await reading(page);
    return now?.id === before.id && Math.abs(now.offset - before.offset) < 3;
  }, "the reader comes back to the same text");
  await page.getByRole("button", { name: "To the newest message" }).click();
  await until(async () => (await toEnd(page)) < 5, "the end");
  await session(page, "Elsewhere").click();
  await answers(page).filter({ hasText: "Elsewhere" }).waitFor();
  await page.goto(address);
  await answers(page).first().waitFor();
  await until(async () => (await toEnd(page)) < 5, "who was at the end is there again");
}

// A message with the focus or a text being edited does not leave the page; the browser's search finds all loaded
// messages.
export async function messages_in_use_stay({ page, origin, ask: world, check, until }) {
  await open({ page, origin, ask: world, until });
  const last = page.getByRole("article", { name: "You" }).last();
  await last.hover();
  await last.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Edit the question" }).fill("Half a thought");
  await page.locator(".messages").focus();
  const moved = await jumps(page, -150, 60);
  check(moved.largest < 3, `nothing jumps: ${moved.largest}`);
  check(await page.getByRole("textbox", { name: "Edit the question" }).inputValue() === "Half a thought", "what was typed is there");
  await page.getByRole("button", { name: "To the newest message" }).click();
  await until(async () => (await toEnd(page)) < 5, "the end");
  await page.getByRole("textbox", { name: "Edit the question" }).press("Escape");
  await page.keyboard.press("Control+f");
  await until(async () => (await onPage(page)) >= 60, "all loaded messages are on the page");
}

// Versions of a question far up: the chosen one is shown in the place of the previous one.
export async function a_version_is_chosen_in_its_place({ page, origin, check, until }) {
  await logIn({ page, origin }, "ana");
  const long = Array.from({ length: 25 }, (_, at) => `Paragraph ${at}.\n`).join("\n");
  await ask(page, `First ${long}`);
  await answer(page);
  await ask(page, `Second ${long}`);
  await answer(page, 2);
  const question = page.getByRole("article", { name: "You" }).first();
  await question.hover();
  await question.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Edit the question" }).fill(`Other ${long}`);
  await page.keyboard.press("Enter");
  await page.getByText("2 of 2").first().waitFor();
  await answer(page);
  const button = page.getByRole("button", { name: "Previous version" }).first();
  await button.scrollIntoViewIfNeeded();
  const before = (await button.boundingBox()).y;
  await button.click();
  await page.getByText("1 of 2").first().waitFor();
  await until(async () => Math.abs((await page.getByText("1 of 2").first().boundingBox()).y - before) < 20, "it is where the other one was");
  await until(() => page.evaluate(() => document.activeElement.closest(".switcher") !== null), "the focus is on the switcher");
}
