// The tools of a message (its buttons, its model and its time) are half of its elements. Messages that come into view
// while the reader scrolls are drawn without them; they are added a few per frame after the scrolling has ended.
import type { Message } from "../api/types";
import type { Range } from "./range";

export class LateTools {
  #without = new Set<string>();

  get missing(): boolean {
    return this.#without.size > 0;
  }

  has(id: string): boolean {
    return !this.#without.has(id);
  }

  // For the messages of the range `next` that are not in `now`.
  omit(messages: readonly Message[], now: Range, next: Range): void {
    for (let index = next.first; index < next.last; index++)
      if (index < now.first || index >= now.last) this.#without.add(messages[index]!.id);
  }

  // Adds those of up to `count` messages on the page, first of those in view.
  add(messages: readonly Message[], onPage: Range, inView: Range, count: number): void {
    const ids = ({ first, last }: Range) => messages.slice(first, last).map(({ id }) => id).filter((id) => this.#without.has(id));
    this.#without = new Set([...new Set([...ids(inView), ...ids(onPage)])].slice(count));
  }

  clear(): void {
    this.#without.clear();
  }
}
