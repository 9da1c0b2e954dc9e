// The event log in the API: it is read forwards, after a number.
import { PAGE, type Piece } from "../events/backwards";
import { readEvent, type Wire } from "../streams/log";
import { call, open } from "./http";
import { Problem } from "./problem";
import type { List } from "./types";

const EVENTS = "v1/api/events";

const list = (after: number, types: string) => call<List<Wire>>("GET", EVENTS, { query: { after: String(after), types, limit: PAGE } });

const pieceOf = ({ data, next_cursor }: List<Wire>, isOldest: boolean): Piece =>
  ({ events: data.map(readEvent), readTo: next_cursor === null ? Infinity : Number(next_cursor), isOldest });

export const events = {
  // `types`: empty for all.
  async after(number: number, types: string): Promise<Piece> {
    try {
      return pieceOf(await list(number, types), false);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 410 || !error.body.oldest) throw error;
      return pieceOf(await list(error.body.oldest - 1, types), true);
    }
  },

  // The number of the newest event: a stream of the events to come begins with it.
  async latest(): Promise<number> {
    const stop = new AbortController();
    try {
      const response = await open("GET", EVENTS, { query: { after: "latest" }, headers: { Accept: "text/event-stream" }, signal: stop.signal });
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ""; ;) {
        const { done, value } = await reader.read();
        text += value ?? "";
        const found = /^id: ?(\d+)\r?\n/m.exec(text);
        if (found || done) return Number(found?.[1] ?? 0);
      }
    } finally {
      stop.abort();
    }
  },
};
