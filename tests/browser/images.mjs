// Images in questions, for a model that sees them.
import { answer, composer, logIn } from "./people.mjs";

// A PNG of one pixel.
const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=", "base64");

const shown = (page) => page.locator(".question img.picture");
const loaded = (page, count) => page.waitForFunction((wanted) => {
  const pictures = [...document.querySelectorAll(".question img.picture")];
  return pictures.length === wanted && pictures.every((picture) => picture.complete && picture.naturalWidth === 1);
}, count);

export async function shows_images({ page, origin, check, until, ask, picture }) {
  await logIn({ page, origin }, "ana");
  const attach = page.getByRole("button", { name: "Add an image or a text file" });
  await attach.waitFor();
  await page.locator("input[type=file]").setInputFiles([
    { name: "one.png", mimeType: "image/png", buffer: PIXEL },
    { name: "two.png", mimeType: "image/png", buffer: PIXEL },
  ]);
  await page.getByRole("button", { name: "Remove two.png" }).click();
  await until(async () => await page.locator(".attached li").count() === 1, "one image is attached");
  await composer(page).evaluate((field, bytes) => {
    const pasted = new DataTransfer();
    pasted.items.add(new File([new Uint8Array(bytes)], "pasted.png", { type: "image/png" }));
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: pasted, bubbles: true, cancelable: true }));
  }, [...PIXEL]);
  await page.getByRole("img", { name: "pasted.png" }).waitFor();
  await composer(page).fill("What is this?");
  await picture(page, "attached-image");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await answer(page);
  await loaded(page, 2);
  check(await page.locator(".attached li").count() === 0, "the composer is empty");
  const url = `data:image/png;base64,${PIXEL.toString("base64")}`;
  const image = { type: "image_url", image_url: { url } };
  const said = async () => JSON.stringify((await ask("asked")).at(-1).content);
  check(await said() === JSON.stringify([image, image, { type: "text", text: "What is this?" }]), await said());
  await picture(page, "image");

  await page.reload();
  await loaded(page, 2);
  check(await shown(page).first().getAttribute("alt") === "Image", "an image has a text");

  // An edited question has the same images.
  await page.locator(".question").hover();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("textbox", { name: "Edit the question" }).fill("And this?");
  await page.keyboard.press("Enter");
  await until(async () => (await said()).includes("And this?"), "the edited question was asked");
  check(await said() === JSON.stringify([image, image, { type: "text", text: "And this?" }]), await said());
  await loaded(page, 2);
}
