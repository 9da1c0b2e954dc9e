// A second factor in the web app: set up, log in with a code and with a recovery code, turn off.
import { createHmac } from "node:crypto";
import { logIn, nameOf, PASSWORD } from "./people.mjs";

// The code of an authenticator app (RFC 6238), `later` steps from now.
function codeOf(secret, later = 0) {
  const bits = [...secret].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later));
  const hash = createHmac("sha1", key).update(counter).digest();
  const number = hash.readUInt32BE(hash[19] & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

async function logOut(page) {
  await page.getByRole("button", { name: /^Menu/ }).click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await page.getByRole("button", { name: "Log in" }).waitFor();
}

const inside = (page) => page.getByRole("button", { name: /^Menu/ }).waitFor(); // On the page that was left.

async function enter(page, code) {
  await page.getByLabel("User name").fill(nameOf("ana"));
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: "Log in" }).click();
}

export async function from_set_up_to_the_end({ page, origin, check, picture }) {
  await logIn({ page, origin }, "ana");
  await page.goto(`${origin}/#/settings`);
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Current password", { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Continue" }).click();
  const secret = (await dialog.locator(".secret code").innerText()).trim();
  check(/^[A-Z2-7]{32}$/.test(secret), secret);
  check((await dialog.getByRole("link").getAttribute("href")).startsWith("otpauth://totp/"), "there is a link for apps");
  await dialog.getByRole("img", { name: "QR code" }).waitFor();
  await picture(page, "second-factor");
  await dialog.getByLabel("Code", { exact: true }).fill("wrong");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await dialog.locator(".fault").waitFor();
  await dialog.getByLabel("Code", { exact: true }).fill(codeOf(secret));
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await dialog.getByRole("heading", { name: "Recovery codes" }).waitFor();
  const codes = (await dialog.locator(".secret code").innerText()).trim().split("\n");
  check(codes.length === 10, `${codes.length} recovery codes`);
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByText("Logging in needs your password and a code").waitFor();

  await logOut(page);
  await enter(page, "wrong");
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Code", { exact: true }).fill(codes[0]);
  await page.getByRole("button", { name: "Log in" }).click();
  await inside(page);
  await logOut(page);
  await enter(page, codeOf(secret, 1));
  await inside(page);

  await page.goto(`${origin}/#/settings`);
  await page.getByRole("button", { name: "Turn off" }).click();
  await dialog.getByLabel("Current password", { exact: true }).fill(PASSWORD);
  await dialog.getByLabel("Code", { exact: true }).fill(codes[1]);
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("button", { name: "Set up authenticator app" }).waitFor();
  await logOut(page);
  await logIn({ page, origin }, "ana");
}
