// Follows the event log of the account, over as many connections as necessary. Each begins after the last
// event of the previous one, so that nothing is missed.
import { LoggedOut, Problem } from "../api/problem";
import { FIRST_WAIT, listen, LONGEST_WAIT } from "./listen";
import type { ServerEvent } from "./sse";

export interface LogEvent {
  at: number;
  type: string;
  time: string;
  id: string; // Of the session or the run.
  session: string | null; // Of a run.
  automation: string | null; // The automation that changed, ran, or caused it.
  automationRun: string | null;
  cause: string | null; // The automation that caused it.
}

export interface LogWorld {
  open(after: string, signal: AbortSignal): Promise<Response>;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export interface LogAudience {
  opened(fresh: boolean): void; // Fresh: events before this moment may have been missed.
  closed(): void;
  events(events: LogEvent[]): void;
  missed(): void; // Events have expired: the lists must be fetched again.
}

// An event of the log as the API gives it.
export interface Wire {
  sequence_number: number;
  type: string;
  timestamp: string;
  cause?: { automation_id: string | null; automation_run_id: string | null };
  data: { id: string; session_id?: string; automation_id?: string };
}

// Events of automations name them; other events may be caused by them.
function automationOf({ type, cause, data }: Wire): Pick<LogEvent, "automation" | "automationRun"> {
  if (type.startsWith("automation.run.")) return { automation: data.automation_id ?? null, automationRun: data.id };
  if (type.startsWith("automation.")) return { automation: data.id, automationRun: null };
  return { automation: cause?.automation_id ?? null, automationRun: cause?.automation_run_id ?? null };
}

export function readEvent(wire: Wire): LogEvent {
  const { sequence_number, type, timestamp, data, cause } = wire;
  return { at: sequence_number, type, time: timestamp, id: data.id, session: data.session_id ?? null, cause: cause?.automation_id ?? null, ...automationOf(wire) };
}

export const logEventOf = (event: ServerEvent): LogEvent => readEvent(JSON.parse(event.data) as Wire);

export class LogFollowing {
  #at: number | null; // The number of the last event; null before the first.
  #world: LogWorld;
  #audience: LogAudience;

  constructor(at: number | null, world: LogWorld, audience: LogAudience) {
    this.#at = at;
    this.#world = world;
    this.#audience = audience;
  }

  // Runs until it is aborted, or the user is logged out.
  async go(signal: AbortSignal): Promise<void> {
    for (let wait = FIRST_WAIT; !signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      let heard = false;
      try {
        await listen((stop) => this.#open(stop), signal, (events) => {
          heard = true; // Comments count, too: they show that the server is there.
          if (events.length) this.#take(events.map(logEventOf));
          return false;
        });
      } catch (error) {
        if (error instanceof LoggedOut) break;
        if (error instanceof Problem) wait = this.#refused(error, wait);
      }
      this.#audience.closed();
      if (heard) wait = FIRST_WAIT;
      if (wait && !signal.aborted) await this.#world.wait(wait, signal);
    }
    this.#audience.closed();
  }

  async #open(signal: AbortSignal): Promise<Response> {
    const fresh = this.#at === null;
    const response = await this.#world.open(fresh ? "latest" : String(this.#at), signal);
    this.#audience.opened(fresh);
    return response;
  }

  #take(events: LogEvent[]): void {
    const news = events.filter((event) => event.at > (this.#at ?? 0));
    if (!news.length) return;
    this.#at = news.at(-1)!.at;
    this.#audience.events(news);
  }

  // How long to wait before the next connection.
  #refused(problem: Problem, wait: number): number {
    if (problem.retryAfter) return problem.retryAfter * 1000;
    if (problem.status === 410) {
      this.#at = problem.body.latest ?? null;
      this.#audience.missed();
      return 0;
    }
    if (problem.status === 400) this.#at = null; // The log is shorter now: the server's data was restored from an older state.
    return wait;
  }
}
