// Scrolling of a conversation, of which only the messages near the view are on the page. The newest text stays
// in view until the reader scrolls away. Otherwise the text being read keeps its position when an estimated
// height was wrong, earlier messages are loaded, or the window gets narrower.
import { signal } from "@preact/signals";
import type { Message } from "../api/types";
import type { Chat } from "../sessions/chat";
import { textOf } from "../streams/events";
import { findAnchor, shiftOf, type Anchor } from "./anchor";
import { Heights } from "./heights";
import { LateTools } from "./late_tools";
import { prepare } from "./markdown";
import { Pace } from "./pace";
import { covers, nextRange, type Range } from "./range";
import { looksForText, MOVES, readerMovesUp } from "./reader";
import { Rows } from "./rows";

const NEAR = 60;
const WHOLE = 40; // Up to this many messages are all on the page, so that the browser's own search finds them.
const STEPS = 3; // Messages that are added in a frame beyond those in view; one while the reader scrolls.
const NONE: Range = { first: 0, last: 0 };

// State that exists while a conversation is shown.
interface Shown {
  frame: HTMLElement;
  rows: Rows;
  observer: ResizeObserver;
  list: HTMLElement | null;
  height: number; // Of the frame.
  listTop: number;
}

export class ConversationScroll {
  readonly atEnd = signal(true);
  readonly changed = signal(0); // The set of messages on the page must change.
  range = NONE;
  #strays = new Set<string>(); // Messages outside of the range that are in use.
  #chat: Chat;
  #heights = new Heights(720);
  #shown: Shown | null = null;
  #sticking = true;
  #whole = false;
  #anchor: Anchor | null = null;
  #place: Anchor | null = null; // The reading position to return to.
  #lastTop = 0;
  #pace = new Pace(() => this.#update());
  #tools = new LateTools();
  #cameAbove = false;
  #reflowed = false;
  // The amount by which the gap above the range exceeds the messages that it replaces. A wrong estimate changes
  // this gap, because a change of the scroll position would stop a wheel or touch gesture.
  #surplus = 0;

  constructor(chat: Chat) {
    this.#chat = chat;
  }

  // For the scrolled element.
  readonly ref = (frame: HTMLElement | null): void => {
    this.#detach();
    if (frame) this.#attach(frame);
  };

  // Sets the current messages; called while they are drawn.
  setMessages(messages: readonly Message[]): void {
    const before = this.#heights.messages;
    const { first, last } = this.range;
    if (messages === before && last > first) return;
    const head = before[first]?.id;
    this.#heights.list(messages);
    const now = head === undefined || first === last ? undefined : this.#heights.indexOf(head);
    if (now === undefined) return this.#begin();
    if (now > first) this.#cameAbove = true;
    this.range = { first: now, last: last === before.length ? messages.length : Math.min(messages.length, last + now - first) };
  }

  // The messages to draw, by their indices.
  mounted(): number[] {
    const { first, last } = this.range;
    const strays = [...this.#strays].map((id) => this.#heights.indexOf(id) ?? first).filter((index) => index < first || index >= last);
    return [...strays, ...Array.from({ length: last - first }, (_, at) => first + at)].sort((a, b) => a - b);
  }

  // Whether a message is drawn with its tools.
  hasTools(message: Message): boolean {
    return this.#tools.has(message.id);
  }

  // After each change of the page: measures new messages and restores all positions.
  settle(list: HTMLElement | null): void {
    const shown = this.#shown;
    if (!shown || !list) return;
    if (shown.list !== list) this.#measure(shown, list);
    const byScrolling = this.#writeGaps(shown.rows, list) || this.#cameAbove;
    this.#cameAbove = false;
    shown.rows.sync(list, !this.#chat.hasOlder.peek());
    this.#hold(byScrolling);
    const { needed, wanted } = this.#ranges(shown);
    if (!covers(this.range, needed)) this.#update();
    else if (!covers(this.range, wanted)) this.#pace.nextFrame();
    else if (this.#tools.missing) this.#pace.afterScrolling();
  }

  readonly onScroll = (): void => {
    const shown = this.#shown;
    if (!shown) return;
    const { frame } = shown;
    const top = frame.scrollTop;
    if (shown.list) this.#measure(shown, shown.list);
    const near = frame.scrollHeight - top - shown.height < NEAR;
    if (near) this.#sticking = true;
    else if (top < this.#lastTop - 2) this.#sticking = false;
    if (top !== this.#lastTop) this.#pace.moved();
    this.#lastTop = top;
    this.atEnd.value = near || this.#sticking;
    this.#remember();
    this.#update();
    if (top < 2 * shown.height && this.#chat.hasOlder.peek() && !this.#chat.loading.peek() && !this.#sticking) void this.#chat.loadOlder();
  };

  readonly contentChanged = (): void => this.#hold(false);

  readonly toEnd = (): void => {
    this.#sticking = true;
    this.#whole = false;
    this.atEnd.value = true;
    this.#hold(false);
    this.#update();
  };

  // Shows the beginning of one of the messages.
  readonly goTo = (message: string): void => {
    const frame = this.#shown?.frame;
    if (!frame || this.#heights.indexOf(message) === undefined) return;
    this.#sticking = false;
    this.atEnd.value = false;
    this.#place = { element: frame, y: 0, message, offset: frame.clientHeight / 5 };
    this.#begin();
    this.changed.value++;
  };

  // Another version of a message replaces the one being read.
  readonly stay = (): void => { this.#sticking = false; };

  #attach(frame: HTMLElement): void {
    const observer = new ResizeObserver((entries) => this.#resized(entries));
    observer.observe(frame);
    if (frame.firstElementChild) observer.observe(frame.firstElementChild);
    for (const move of MOVES) frame.addEventListener(move, this.#onMove, { passive: true });
    addEventListener("keydown", this.#onKey);
    this.#shown = { frame, observer, rows: new Rows(this.#heights, observer), list: null, height: 0, listTop: 0 };
  }

  #detach(): void {
    if (!this.#shown) return;
    for (const move of MOVES) this.#shown.frame.removeEventListener(move, this.#onMove);
    removeEventListener("keydown", this.#onKey);
    this.#shown.observer.disconnect();
    this.#pace.stop();
    this.#tools.clear();
    this.#place = this.#anchor?.message === undefined ? null : this.#anchor;
    this.#whole = false;
    this.#strays.clear();
    this.range = NONE;
    this.#anchor = this.#shown = null;
  }

  #resized(entries: ResizeObserverEntry[]): void {
    const shown = this.#shown;
    if (!shown?.list) return;
    const narrower = this.#measure(shown, shown.list);
    if (narrower) shown.rows.measureAll();
    if (shown.rows.measure(entries) || narrower) this.settle(shown.list);
    else if (this.#sticking) this.#hold(false);
  }

  // Reads the layout at a moment when it is valid anyway. True if the width, and so the line breaks, changed.
  #measure(shown: Shown, list: HTMLElement): boolean {
    shown.list = list;
    shown.height = shown.frame.clientHeight;
    shown.listTop = list.offsetTop;
    const other = this.#heights.setWidth(list.clientWidth);
    if (other) this.#reflowed = true;
    return other;
  }

  readonly #onMove = (event: Event): void => {
    const { frame } = this.#shown!;
    if (readerMovesUp(event, frame) && frame.scrollHeight > frame.clientHeight) this.#sticking = false;
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (!looksForText(event)) return;
    this.#whole = true;
    this.#update();
  };

  #begin(): void {
    const { count } = this.#heights;
    const at = this.#place ? this.#heights.indexOf(this.#place.message!) : undefined;
    this.#surplus = 0;
    if (at === undefined) this.#place = null;
    const height = this.#shown?.frame.clientHeight || innerHeight;
    this.range = at === undefined
      ? { first: count && this.#heights.at(this.#heights.top(count) - height), last: count }
      : { first: at, last: Math.min(count, at + 2) };
  }

  #update(): void {
    const shown = this.#shown;
    if (!shown?.list || !this.#heights.count) return;
    const { needed, wanted, kept } = this.#ranges(shown);
    const { moving } = this.#pace;
    const next = nextRange(this.range, needed, wanted, kept, moving ? 1 : STEPS);
    if (next.first === this.range.first && next.last === this.range.last) return this.#addTools(needed);
    // An answer outside of the view is rendered in one frame and shown in a later one.
    const waits = covers(this.range, needed);
    if (!this.#pace.take() && waits) return this.#pace.nextFrame();
    if (moving && waits && this.#prepares(next)) return this.#pace.nextFrame();
    if (moving) this.#tools.omit(this.#heights.messages, this.range, next);
    this.range = next;
    this.#strays = shown.rows.inUse(shown.list);
    this.changed.value++;
  }

  #addTools(needed: Range): void {
    if (!this.#tools.missing) return;
    if (this.#pace.moving || !this.#pace.take()) return this.#pace.afterScrolling();
    this.#tools.add(this.#heights.messages, this.range, needed, STEPS);
    this.changed.value++;
  }

  #prepares({ first, last }: Range): boolean {
    const added = first < this.range.first ? first : last > this.range.last ? last - 1 : undefined;
    const message = added === undefined ? undefined : this.#heights.messages[added];
    return message?.role === "assistant" && prepare(textOf(message), message.run_id);
  }

  // True if the gap above no longer has its surplus.
  #writeGaps(rows: Rows, list: HTMLElement): boolean {
    const anew = this.#reflowed;
    this.#reflowed = false;
    if (anew) this.#surplus = 0;
    if (rows.writeGaps(list, this.range.first, this.#surplus) || !this.#surplus) return anew;
    this.#surplus = 0;
    rows.writeGaps(list, this.range.first, 0);
    return true;
  }

  #ranges({ height, listTop }: Shown): { needed: Range; wanted: Range; kept: Range } {
    const { count } = this.#heights;
    const top = this.#lastTop - listTop - this.#surplus;
    const within = (margin: number): Range => ({ first: this.#heights.at(top - margin), last: Math.min(count, this.#heights.at(top + height + margin) + 1) });
    const all = { first: 0, last: count };
    if (this.#whole || count <= WHOLE) return { needed: within(0), wanted: all, kept: all };
    return { needed: within(0), wanted: within(height), kept: within(2 * height) };
  }

  // Keeps the text being read in view: the end, or the text at the upper edge.
  #hold(byScrolling: boolean): void {
    const shown = this.#shown;
    if (!shown?.list) return;
    if (this.#place) this.#goBack(shown);
    else if (this.#sticking) this.#scrollTo(shown, shown.frame.scrollHeight);
    else if (this.#anchor) this.#undo(shown, this.#anchor, byScrolling);
  }

  #undo(shown: Shown, anchor: Anchor, byScrolling: boolean): void {
    const { frame, rows } = shown;
    const shift = shiftOf(anchor, frame);
    if (Math.abs(shift) < 0.5) return;
    if (byScrolling || !rows.gapAbove || rows.gapAbove - shift <= 0) {
      anchor.y += shift;
      this.#scrollTo(shown, frame.scrollTop + shift);
    } else {
      this.#surplus -= shift;
      rows.growAbove(-shift);
    }
  }

  #goBack(shown: Shown): void {
    const { frame, rows } = shown;
    const { message, offset } = this.#place!;
    const row = rows.get(message!);
    this.#place = null;
    this.#sticking = false;
    if (row) this.#scrollTo(shown, frame.scrollTop + row.getBoundingClientRect().top - frame.getBoundingClientRect().top - offset);
    this.#remember();
  }

  #scrollTo({ frame }: Shown, top: number): void {
    frame.scrollTop = top;
    this.#lastTop = frame.scrollTop;
  }

  #remember(): void {
    const shown = this.#shown;
    this.#anchor = this.#sticking || !shown?.list ? null : findAnchor(shown.frame, shown.list);
  }
}

const known = new WeakMap<Chat, ConversationScroll>();

// Returns the same object for a conversation that is opened again.
export function scrollOf(chat: Chat): ConversationScroll {
  const found = known.get(chat) ?? new ConversationScroll(chat);
  known.set(chat, found);
  return found;
}
