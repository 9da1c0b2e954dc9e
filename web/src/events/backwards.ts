// Reads the event log from its end. The API reads it forwards, after a number: so a piece of the log before a number is
// read, and then the piece before that, each twice as long, until there are enough events.
import type { LogEvent } from "../streams/log";

export const PAGE = 100; // Events of one request.
const ENOUGH = 50;

export interface Piece {
  events: LogEvent[]; // Oldest first.
  readTo: number; // All matching events up to this number are there.
  isOldest: boolean; // Earlier events are no longer stored.
}

// Newest first; `rest` is the number up to which the log is still to be read.
export async function readBackwards(end: number, read: (after: number) => Promise<Piece>): Promise<{ events: LogEvent[]; rest: number }> {
  const events: LogEvent[] = [];
  for (let size = PAGE; end > 0 && events.length < ENOUGH; size *= 2) {
    const start = Math.max(0, end - size);
    const last = end;
    const piece = await read(start);
    if (piece.readTo < end && size > PAGE) {
      size /= 4; // More events than one request returns: half of this piece.
      continue;
    }
    events.push(...piece.events.filter(({ at }) => at <= last).reverse());
    end = piece.isOldest ? 0 : start;
  }
  return { events, rest: end };
}
