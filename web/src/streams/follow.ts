// Follows one run to its end, over as many connections as necessary: a lost network, a sleeping
// laptop and a killed server are the same case. Each connection requests the events after the last
// one that was seen.
import { LoggedOut, Problem } from "../api/problem";
import { eventOf, type RunEvent } from "./events";
import { FIRST_WAIT, listen, LONGEST_WAIT } from "./listen";

export interface World {
  open(run: string, after: number, signal: AbortSignal): Promise<Response>;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  // The current state of the run, for a stream without further events.
  ended(run: string): Promise<RunEvent | undefined>;
}

export type Outcome = "ended" | "gone" | "stopped";

export class Following {
  after: number;
  readonly run: string;
  #world: World;
  #hear: (events: RunEvent[]) => void;

  constructor(run: string, after: number, world: World, hear: (events: RunEvent[]) => void) {
    this.run = run;
    this.after = after;
    this.#world = world;
    this.#hear = hear;
  }

  // Ends with the run, if the run no longer exists, or when it is aborted.
  async go(signal: AbortSignal): Promise<Outcome> {
    for (let wait = FIRST_WAIT; !signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      const before = this.after;
      try {
        if (await this.#listen(signal)) return "ended";
      } catch (error) {
        if (signal.aborted) break;
        if (error instanceof LoggedOut) return "gone";
        if (error instanceof Problem) {
          if (error.status === 404) return "gone";
          if (error.retryAfter) wait = error.retryAfter * 1000;
        }
      }
      if (this.after > before) wait = FIRST_WAIT;
      if (!signal.aborted) await this.#world.wait(wait, signal);
    }
    return "stopped";
  }

  // One connection. True when the run has ended.
  #listen(signal: AbortSignal): Promise<boolean> {
    const open = (stop: AbortSignal) => this.#world.open(this.run, this.after, stop);
    return listen(open, signal, (events) => this.#take(events.map(eventOf)), async () => {
      const last = await this.#world.ended(this.run);
      return last ? this.#take([last]) : false;
    });
  }

  #take(events: RunEvent[]): boolean {
    const fresh = events.filter((event) => event.at > this.after || event.type === "snapshot" || event.type === "end");
    if (!fresh.length) return false;
    this.after = Math.max(...fresh.map((event) => event.at));
    this.#hear(fresh);
    return fresh.some((event) => event.type === "end");
  }
}
