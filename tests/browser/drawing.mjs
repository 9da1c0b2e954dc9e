// The picture in the README: the real page, drawn as SVG text. Boxes, icons and words have the
// positions of the browser's layout.
import { answer, ask, logIn, newChat } from "./people.mjs";

const SIZE = { width: 1080, height: 780 };
const EARLIER = ["A packing list for two weeks in Norway", "Why does bread rise?", "Regular expressions, explained"];
const QUESTION = "How high is the water in Bristol six hours after high tide?";

// Runs in the page.
function drawing({ width, height }) {
  const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const at = (number) => String(Math.round(number * 10) / 10);
  const seen = (colour) => colour !== "transparent" && !/, 0\)$/.test(colour);
  const out = [];
  const box = (element, style) => {
    const place = element.getBoundingClientRect();
    const line = parseFloat(style.borderTopWidth) && parseFloat(style.borderLeftWidth) ? style.borderTopColor : "none";
    if (!seen(style.backgroundColor) && (line === "none" || !seen(line))) return;
    const round = Math.min(parseFloat(style.borderTopLeftRadius) || 0, place.width / 2, place.height / 2);
    out.push(`<rect x="${at(place.x)}" y="${at(place.y)}" width="${at(place.width)}" height="${at(place.height)}" rx="${at(round)}" fill="${seen(style.backgroundColor) ? style.backgroundColor : "none"}" stroke="${line}"/>`);
  };
  const lines = (node) => { // A text node, line by line, clipped to its visible part.
    const found = [];
    const range = document.createRange();
    const clip = node.parentElement.closest(".clip");
    const edge = clip && clip.scrollWidth > clip.clientWidth ? clip.getBoundingClientRect().right : Infinity;
    for (let from = 0; from < node.length; from++) {
      range.setStart(node, from);
      range.setEnd(node, from + 1);
      const place = range.getClientRects()[0];
      if (!place?.width) continue;
      const last = found.at(-1);
      if (last && place.right > edge - 8) {
        last.text = `${last.text.trimEnd()}…`;
        last.right += 8;
        break;
      }
      if (!last || Math.abs(last.y - place.y) > 2) found.push({ x: place.x, y: place.y, height: place.height, right: place.right, text: node.data[from] });
      else last.text += node.data[from];
      if (node.data[from].trim()) found.at(-1).right = place.right;
    }
    return found;
  };
  const words = (node, style) => {
    for (const { x, y, height: high, right, text } of lines(node)) {
      if (!text.trim()) continue;
      out.push(`<text x="${at(x)}" y="${at(y + high * 0.77)}" textLength="${at(right - x)}" font-size="${at(parseFloat(style.fontSize))}" font-weight="${style.fontWeight}" fill="${style.color}"${/mono/i.test(style.fontFamily.split(",")[0]) ? ' class="code"' : ""}>${escaped(text.trimEnd())}</text>`);
    }
  };
  const icon = (element, style) => {
    const place = element.getBoundingClientRect();
    const inside = element.innerHTML.replaceAll("var(--accent)", "#2f5d8f").replaceAll("var(--on-accent)", "#fff");
    out.push(`<svg x="${at(place.x)}" y="${at(place.y)}" width="${at(place.width)}" height="${at(place.height)}" viewBox="${element.getAttribute("viewBox")}" fill="none" stroke="${element.matches(".logo") ? "none" : style.color}" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">${inside}</svg>`);
  };
  const visit = (element) => {
    const style = getComputedStyle(element);
    const place = element.getBoundingClientRect();
    if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0" || element.matches(".unseen, .skip, option, time") || (place.width <= 1 && place.height <= 1)) return;
    if (element.localName === "svg") return icon(element, style);
    box(element, style);
    if (element.matches("textarea, input") && !element.value && element.placeholder) {
      const hint = element.getBoundingClientRect();
      out.push(`<text x="${at(hint.x + parseFloat(style.paddingLeft))}" y="${at(hint.y + parseFloat(style.paddingTop) + 17)}" font-size="${at(parseFloat(style.fontSize))}" fill="#5f646d">${escaped(element.placeholder)}</text>`);
    }
    if (element.dataset.letter) out.push(`<text x="${at(place.x + place.width / 2)}" y="${at(place.y + place.height * 0.66)}" text-anchor="middle" font-size="13" font-weight="620" fill="#fff">${escaped(element.dataset.letter)}</text>`);
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) words(child, style);
      else if (child.nodeType === Node.ELEMENT_NODE) visit(child);
    }
  };
  visit(document.body);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif" role="img" aria-label="A conversation in Parley's web app">
<style>.code { font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre }</style>
${out.join("\n")}
</svg>
`;
}

export async function a_conversation({ newContext, origin }) {
  const context = await newContext({ viewport: SIZE, colorScheme: "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  await logIn({ page, origin }, "ana");
  for (const title of EARLIER) {
    await newChat(page);
    await ask(page, title);
    await answer(page);
  }
  await newChat(page);
  await ask(page, QUESTION);
  await answer(page);
  await page.locator(".hljs-keyword").first().waitFor();
  await page.evaluate(() => document.activeElement.blur());
  await page.mouse.move(1, 1);
  await page.waitForTimeout(300);
  return page.evaluate(drawing, SIZE);
}
