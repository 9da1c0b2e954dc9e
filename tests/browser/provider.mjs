// Logging in at an OpenID provider, on its own pages. The server and the provider are those of test_provider_pages.py.
import { answer, ask, composer, kept, nameOf, PASSWORD } from "./people.mjs";

const wayThere = (page) => page.getByRole("button", { name: "Log in with Team" });
const menuOf = (page, name) => page.getByRole("button", { name: `Menu: ${name}` });

// The pages of the provider name a font of another server, which is not asked for it.
async function knowProvider({ context, origin, ask: world, visits }) {
  const provider = await world("provider");
  visits(provider);
  const isForeign = (url) => /^https?:$/.test(url.protocol) && url.origin !== origin && url.origin !== provider;
  await context.route(isForeign, (route) => route.abort());
}

async function logInThere(page, subject) {
  await page.locator("input[name=login]").fill(subject);
  await page.locator("input[name=password]").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
}

export async function there_and_back(world) {
  const { page, context, origin, check, until, picture } = world;
  await knowProvider(world);
  let codes = 0;
  context.on("request", (request) => { if (request.url().endsWith("/auth/oidc/callback")) codes++; });
  const isClean = () => !page.url().includes("?");
  await page.goto(origin);
  await wayThere(page).waitFor();
  await picture(page, "provider");

  await wayThere(page).click();
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.getByText("The provider refused the login: access_denied").waitFor();
  check(isClean(), `${page.url()} has nothing of the provider`);

  // A code that another person has sent as a link.
  await page.goto(`${origin}/?code=of-another&state=${"s".repeat(32)}`);
  await until(isClean, "the code leaves the address");
  await wayThere(page).waitFor();
  await page.waitForLoadState("networkidle");
  check(codes === 0, "it begins no login");

  await wayThere(page).click();
  await logInThere(page, "1");
  await menuOf(page, "Bob B.").waitFor();
  check(codes === 1 && isClean(), `one code was sent, and is not in ${page.url()}`);
  check((await page.evaluate(() => sessionStorage.length)) === 0, "the attempt is used up");
  await ask(page, "Hello");
  check((await answer(page)) === "Hello", "Bob gets an answer");

  await menuOf(page, "Bob B.").click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await wayThere(page).click(); // The provider still knows him.
  await menuOf(page, "Bob B.").waitFor();
}

// Another person logs in, in another tab, while this one is at the provider.
export async function replaces_another_login(world) {
  const { page, context, origin, ask: asked, check, until } = world;
  await knowProvider(world);
  await page.goto(origin);
  await wayThere(page).click();
  await page.locator("input[name=login]").waitFor();

  const other = await context.newPage();
  await other.goto(origin);
  await other.getByLabel("User name").fill(nameOf("ana"));
  await other.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await other.getByRole("button", { name: "Log in", exact: true }).click();
  await composer(other).fill("A text of Ana");
  await until(async () => (await kept(other)).some((each) => each.includes("A text of Ana")), "it is kept");
  const token = /pls_[0-9A-Za-z]{38}/.exec((await kept(other)).join())[0];
  check(await asked("works", token), "Ana is logged in");
  await other.close();

  await logInThere(page, "2");
  await menuOf(page, "Cleo C.").waitFor();
  check(!(await asked("works", token)), "the login of Ana has ended");
  check(!(await kept(page)).some((each) => each.includes("A text of Ana")), "Cleo does not get her text");
}
