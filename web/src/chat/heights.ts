// The heights of a conversation's messages: measured on the page, or estimated before.
import type { Message } from "../api/types";
import { textOf } from "../streams/events";

const LINE = 27;
const AROUND_TEXT = { user: 80, assistant: 64 }; // Padding and buttons.
const LETTER = 7.6;
const PICTURES = 176; // A row of them.
const COUNTED = 20_000; // The rest of a longer text is estimated from this part.

export function guessHeight(message: Message, width: number): number {
  const text = textOf(message);
  const user = message.role === "user";
  const lettersPerLine = Math.max(10, (user ? width * 0.85 - 32 : width) / LETTER);
  let lines = 0;
  for (const line of text.slice(0, COUNTED).split("\n")) lines += line || user ? Math.ceil(Math.max(1, line.length) / lettersPerLine) : 0.5;
  const pictures = message.content.some((part) => part.type === "image") ? PICTURES : 0;
  return pictures + (user ? AROUND_TEXT.user : AROUND_TEXT.assistant) + lines * Math.max(1, text.length / COUNTED) * LINE;
}

export class Heights {
  #messages: readonly Message[] = [];
  #indices = new Map<string, number>();
  #measured = new Map<string, number>();
  #guessed = new Map<string, number>();
  #tops: number[] = [0];
  #width: number;

  constructor(width: number) {
    this.#width = width;
  }

  get count(): number {
    return this.#messages.length;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  list(messages: readonly Message[]): void {
    if (messages === this.#messages) return;
    this.#messages = messages;
    this.#indices = new Map(messages.map((message, index) => [message.id, index]));
    this.#tops = [0];
  }

  // In another width, lines break elsewhere, so all measured heights are void.
  setWidth(width: number): boolean {
    if (Math.abs(width - this.#width) < 1) return false;
    this.#width = width;
    this.#measured.clear();
    this.#guessed.clear();
    this.#tops = [0];
    return true;
  }

  indexOf(id: string): number | undefined {
    return this.#indices.get(id);
  }

  // Whether the height has changed.
  measure(id: string, height: number): boolean {
    const index = this.#indices.get(id);
    if (index === undefined || Math.abs((this.#measured.get(id) ?? -1) - height) < 0.1) return false;
    this.#measured.set(id, height);
    this.#tops.length = Math.min(this.#tops.length, index + 1);
    return true;
  }

  // The distance of a message from the beginning; for the count of messages, the total height.
  top(index: number): number {
    for (let next = this.#tops.length; next <= index; next++) this.#tops.push(this.#tops[next - 1]! + this.#height(this.#messages[next - 1]!));
    return this.#tops[index]!;
  }

  // The message at a distance from the beginning, or the nearest one.
  at(distance: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.top(middle) <= distance) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #height(message: Message): number {
    const known = this.#measured.get(message.id) ?? this.#guessed.get(message.id);
    if (known !== undefined) return known;
    const guess = guessHeight(message, this.#width);
    this.#guessed.set(message.id, guess);
    return guess;
  }
}
