// Hostile texts never run, and limits are shown correctly.
import { answer, ask, choose, composer, logIn, newChat, session } from "./people.mjs";

const HOSTILE = [
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(2)><script>alert(3)</script></svg>",
  "[click](javascript:alert(4)) and [data](data:text/html,<script>alert(5)</script>)",
  "<style>body{display:none}</style><link rel=stylesheet href=https://evil.example/x.css>",
  "<iframe srcdoc='<script>parent.alert(6)</script>'></iframe>",
  "![x](https://evil.example/p.png) ![y](javascript:alert(7))",
  "<a href='jav&#x09;ascript:alert(8)'>x</a> <form action=https://evil.example><button>go</button></form>",
  "```html\n<img src=x onerror=alert(9)>\n```",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(10)></style></mglyph></table></mtext></math>",
  "[a]: javascript:alert(11)\n\n[a]",
];

export async function hostile_texts_never_run({ page, origin, check }) {
  await logIn({ page, origin }, "ana");
  const alerts = [];
  await page.exposeFunction("heard", (what) => alerts.push(what));
  await page.evaluate(() => { window.alert = (what) => window.heard(String(what)); });
  await ask(page, HOSTILE.join("\n\n"));
  await answer(page);
  for (const link of await page.locator(".answer a").all()) {
    const address = await link.getAttribute("href");
    check(address === null || /^(https?|mailto):/.test(address), `a harmless address: ${address}`);
  }
  check(await page.locator(".answer :is(script, style, iframe, svg:not(.icon), img, form, link, math)").count() === 0, "no such elements");
  await newChat(page);
  await ask(page, "<u onclick=alert(15)>x</u>");
  await answer(page);
  await choose(page, "<u onclick", "Rename");
  await page.getByRole("textbox", { name: "Title" }).fill("<b onmouseover=alert(12)>**title**</b>");
  await page.keyboard.press("Enter");
  await session(page, "**title**").hover();
  await page.locator("input[type=file]").setInputFiles({ name: "<img src=x onerror=alert(13)>.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
  await page.locator("input[type=file]").setInputFiles({ name: "<img src=x onerror=alert(14)>.png", mimeType: "image/png", buffer: Buffer.from([0, 255]) });
  await page.getByText("is not a text file").waitFor();
  await choose(page, "**title**", "Delete");
  await page.getByRole("button", { name: "Undo" }).waitFor();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 200)))); // By now the script would have run.
  check(alerts.length === 0, `nothing ran: ${alerts}`);
}

// Two questions a minute: the third is refused, counted down, and then sent.
export async function a_limit_is_counted_down({ page, origin, check, picture, until }) {
  await logIn({ page, origin }, "ana"); // Fetching the list, and then the archived ones, count as the first two of four.
  await ask(page, "one");
  await answer(page);
  await ask(page, "two");
  await answer(page, 2);
  await ask(page, "three");
  const note = page.locator(".composer-note");
  await note.waitFor();
  await picture(page, "limit");
  const seconds = async () => Number(/(\d+) s/.exec(await note.innerText())[1]);
  const first = await seconds();
  check(first > 0 && first <= 30, `${first} s`);
  check(await page.getByRole("button", { name: "Send" }).isDisabled(), "sending waits");
  check(await composer(page).inputValue() === "three", "the question is not lost");
  await until(async () => await seconds() < first, "it counts down");
  await note.waitFor({ state: "hidden", timeout: 60_000 });
  await composer(page).press("Enter");
  check((await answer(page, 3)) === "three", "and then it is asked");
}
