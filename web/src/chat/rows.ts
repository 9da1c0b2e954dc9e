// The messages on the page, as elements, and the gaps between them that replace the other messages.
import type { Heights } from "./heights";

export class Rows {
  #heights: Heights;
  #observer: ResizeObserver;
  #elements = new Map<string, HTMLElement>();
  #above: { element: HTMLElement; height: number } | null = null; // The gap above the range.

  constructor(heights: Heights, observer: ResizeObserver) {
    this.#heights = heights;
    this.#observer = observer;
  }

  get gapAbove(): number {
    return this.#above?.height ?? 0;
  }

  get(id: string): HTMLElement | undefined {
    return this.#elements.get(id);
  }

  // Adds `surplus` to the gap above the message `first`; false if there is no such gap.
  writeGaps(list: HTMLElement, first: number, surplus: number): boolean {
    const { count } = this.#heights;
    this.#above = null;
    let from = 0;
    for (const element of list.children as Iterable<HTMLElement> & HTMLCollection) {
      if (!element.classList.contains("gap")) {
        from = (this.#indexOf(element) ?? count) + 1;
        continue;
      }
      const next = element.nextElementSibling as HTMLElement | null;
      const to = (next && this.#indexOf(next)) ?? count;
      const height = this.#heights.top(to) - this.#heights.top(Math.min(from, to)) + (to === first ? surplus : 0);
      if (to === first) this.#above = { element, height };
      element.style.height = `${Math.max(0, height)}px`;
    }
    return this.gapAbove > 0;
  }

  growAbove(by: number): void {
    if (!this.#above) return;
    this.#above.height += by;
    this.#above.element.style.height = `${this.#above.height}px`;
  }

  // Measures new messages on the page; later changes are observed.
  sync(list: HTMLElement, complete: boolean): void {
    const present = new Set<string>();
    const { count } = this.#heights;
    for (const element of list.querySelectorAll<HTMLElement>(":scope > article")) {
      const index = this.#indexOf(element) ?? count;
      mark(element, "aria-posinset", index + 1);
      mark(element, "aria-setsize", complete ? Math.max(count, index + 1) : -1);
      const { id } = element.dataset;
      if (!id) continue;
      present.add(id);
      if (this.#elements.get(id) === element) continue;
      this.#elements.set(id, element);
      this.#observer.observe(element);
      this.#heights.measure(id, element.getBoundingClientRect().height);
    }
    for (const [id, element] of this.#elements) {
      if (present.has(id)) continue;
      this.#elements.delete(id);
      this.#observer.unobserve(element);
    }
  }

  // Whether a height has changed.
  measure(entries: ResizeObserverEntry[]): boolean {
    let changed = false;
    for (const { target, borderBoxSize } of entries) {
      const { id } = (target as HTMLElement).dataset;
      if (id && this.#elements.get(id) === target) changed = this.#heights.measure(id, borderBoxSize[0]!.blockSize) || changed;
    }
    return changed;
  }

  measureAll(): void {
    for (const [id, element] of this.#elements) this.#heights.measure(id, element.getBoundingClientRect().height);
  }

  // Messages on the page that hold the focus, a text being edited or selected text.
  inUse(list: HTMLElement): Set<string> {
    const used = new Set<string>();
    for (const part of [document.activeElement, ...list.getElementsByClassName("editor")]) {
      const id = part?.closest<HTMLElement>("article")?.dataset["id"];
      if (id && this.#elements.has(id)) used.add(id);
    }
    const selection = getSelection();
    if (!selection || selection.isCollapsed) return used;
    for (const [id, element] of this.#elements) if (selection.containsNode(element, true)) used.add(id);
    return used;
  }

  #indexOf(element: HTMLElement): number | undefined {
    const { id } = element.dataset;
    return id === undefined ? undefined : this.#heights.indexOf(id);
  }
}

function mark(element: HTMLElement, name: string, value: number): void {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}
