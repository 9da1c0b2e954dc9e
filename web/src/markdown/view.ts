// An answer on the page. Final blocks are rendered once; only the last one is rendered again while
// it grows.
import { copyText } from "../ui/copy";
import { words } from "../text";
import { finalBlocks } from "./blocks";
import { render, renderAll } from "./render";

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
    if (ends.length) this.#finish(text, ends);
    if (!whole) this.#grow(text.slice(this.#final));
  }

  // Adds the blocks that end at these positions. The first one may be on the page already, unfinished.
  #finish(text: string, ends: number[]): void {
    const parts = ends.map((end, at) => text.slice(at ? ends[at - 1] : this.#final, end));
    this.#final = ends.at(-1)!;
    const tail = parts[0]!.trim() ? this.#tail : undefined;
    this.#tail = undefined;
    for (const [at, block] of renderAll(parts.filter((part) => part.trim())).entries()) {
      dress(block);
      if (at === 0 && tail) tail.replaceChildren(...block.childNodes);
      else this.#append(block);
    }
  }

  #append(block: HTMLElement): void {
    block.className = "block";
    block.dir = "auto";
    this.element.append(block);
  }

  #reset(): void {
    this.#text = "";
    this.element.replaceChildren();
    this.#tail = undefined;
    this.#final = 0;
  }

  #grow(markdown: string): void {
    if (!markdown.trim()) return;
    if (!this.#tail) {
      this.#tail = document.createElement("div");
      this.#append(this.#tail);
    }
    this.#tail.replaceChildren(render(markdown));
  }
}

// Tables scroll horizontally; code gets a header with its language and a button.
function dress(content: ParentNode): void {
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
