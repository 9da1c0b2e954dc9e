// Part of the leading tab: holds the streams that any tab requests, a few connections at a time, and
// passes on their events. A browser has six connections to a server; some must stay free for other
// requests. If there are more runs, they take turns.
import type { RunEvent } from "./events";
import { Following, type World } from "./follow";

export const PLACES = 3; // One more is used by the event log.
const TURN = 5_000;

export interface Audience {
  events(run: string, events: RunEvent[]): void;
  gone(run: string): void;
}

interface Held {
  run: string;
  from: number; // The stream was requested from here; `past` has all events since.
  past: RunEvent[];
  following: Following;
  stop: AbortController | undefined; // Present while it has a connection.
}

export class Holder {
  #held = new Map<string, Held>();
  #waiting: Held[] = [];
  #open = 0;
  #world: World;
  #audience: Audience;
  #over: AbortSignal;

  constructor(world: World, audience: Audience, over: AbortSignal) {
    this.#world = world;
    this.#audience = audience;
    this.#over = over;
    over.addEventListener("abort", () => {
      for (const held of this.#held.values()) held.stop?.abort();
      this.#held.clear();
      this.#waiting = [];
    });
  }

  // A tab wants all events of a run after a number.
  follow(run: string, after: number): void {
    if (this.#over.aborted) return;
    const known = this.#held.get(run);
    if (known && known.from <= after) {
      const missed = known.past.filter((event) => event.at > after);
      if (missed.length) this.#audience.events(run, missed);
      return;
    }
    if (known) this.#drop(known); // It started too late for this tab, so it starts again from the tab's position.
    this.#begin(run, after);
  }

  #begin(run: string, after: number): void {
    const held: Held = { run, from: after, past: [], stop: undefined, following: undefined as never };
    held.following = new Following(run, after, this.#world, (events) => {
      held.past.push(...events);
      this.#audience.events(run, events);
    });
    this.#held.set(run, held);
    this.#waiting.push(held);
    this.#fill();
  }

  #fill(): void {
    while (this.#open < PLACES && this.#waiting.length) void this.#serve(this.#waiting.shift()!);
  }

  async #serve(held: Held): Promise<void> {
    this.#open++;
    const stop = new AbortController();
    held.stop = stop;
    // Its turn ends after a while if another run waits.
    const turn = setInterval(() => this.#waiting.length && stop.abort(), TURN);
    const outcome = await held.following.go(stop.signal);
    clearInterval(turn);
    held.stop = undefined;
    this.#open--;
    if (this.#held.get(held.run) === held) {
      if (outcome === "stopped") this.#waiting.push(held);
      else if (outcome === "gone") this.#audience.gone(held.run);
    }
    this.#fill();
  }

  #drop(held: Held): void {
    this.#held.delete(held.run);
    this.#waiting = this.#waiting.filter((other) => other !== held);
    held.stop?.abort();
  }
}
