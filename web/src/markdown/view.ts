// An answer on the page. Final blocks are rendered once; only the last one is rendered again while
// it grows.
import { copyText } from "../ui/copy";
import { words } from "../text";
import { finalBlocks } from "./blocks";
import { render } from "./render";

const LONGEST_COLOURED = 60_000;

export class MarkdownView {
  readonly element = document.createElement("div");
  #text = "";
  #final = 0; // The text before this position is final.
  #tail: HTMLElement | undefined;

  constructor() {
    this.element.className = "markdown";
  }

  // The length of the shown text.
  get length(): number {
    return this.#text.length;
  }

  show(text: string, whole: boolean): void {
    if (!text.startsWith(this.#text)) this.#reset();
    this.#text = text;
    this.element.classList.toggle("growing", !whole);
    const ends = finalBlocks(text, this.#final);
    if (whole && (ends.at(-1) ?? this.#final) < text.length) ends.push(text.length);
    for (const end of ends) {
      this.#put(text.slice(this.#final, end), true);
      this.#tail = undefined;
      this.#final = end;
    }
    if (!whole) this.#put(text.slice(this.#final), false);
  }

  #reset(): void {
    this.#text = "";
    this.element.replaceChildren();
    this.#tail = undefined;
    this.#final = 0;
  }

  #put(markdown: string, final: boolean): void {
    if (!markdown.trim()) return;
    if (!this.#tail) {
      this.#tail = document.createElement("div");
      this.#tail.className = "block";
      this.#tail.dir = "auto";
      this.element.append(this.#tail);
    }
    const content = render(markdown);
    if (final) dress(content);
    this.#tail.replaceChildren(content);
  }
}

// Tables scroll horizontally; code gets a header with its language and a button.
function dress(content: DocumentFragment): void {
  for (const table of content.querySelectorAll("table")) {
    const frame = document.createElement("div");
    frame.className = "table-frame";
    frame.tabIndex = 0;
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", words().table);
    table.replaceWith(frame);
    frame.append(table);
  }
  for (const code of content.querySelectorAll<HTMLElement>("pre > code")) dressCode(code);
}

function dressCode(code: HTMLElement): void {
  const text = code.textContent ?? "";
  const language = /language-(\S+)/.exec(code.className)?.[1] ?? "";
  const pre = code.parentElement!;
  const frame = document.createElement("div");
  frame.className = "code-frame";
  frame.dir = "ltr";
  const head = document.createElement("div");
  head.className = "code-head";
  const name = document.createElement("span");
  name.textContent = language;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "code-copy";
  button.textContent = words().copy;
  button.addEventListener("click", () => void copyText(text.replace(/\n$/, ""), button));
  head.append(name, button);
  pre.tabIndex = 0; // So that long lines can be scrolled by keyboard.
  pre.setAttribute("role", "group");
  pre.setAttribute("aria-label", words().codeBlock(language));
  pre.replaceWith(frame);
  frame.append(head, pre);
  if (language && text.length < LONGEST_COLOURED) void colour(code, text, language);
}

async function colour(code: HTMLElement, text: string, language: string): Promise<void> {
  const { highlighted } = await import("./highlight");
  const coloured = highlighted(text, language.toLowerCase());
  if (coloured) code.replaceChildren(coloured);
}
