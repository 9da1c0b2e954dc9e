// Reads one connection of a stream of events.
import { EventParser, type ServerEvent } from "./sse";

const SILENCE = 40_000; // The server sends something every 15 s.

// How long to wait before the next connection: `FIRST_WAIT`, then twice as long each time.
export const FIRST_WAIT = 250;
export const LONGEST_WAIT = 5_000;

type Open = (signal: AbortSignal) => Promise<Response>;

// True if `hear` needs no more events, false if the connection has ended. `nothing` is called instead if there is no
// stream.
export async function listen(open: Open, signal: AbortSignal, hear: (events: ServerEvent[]) => boolean,
                             nothing: () => Promise<boolean> = () => Promise.resolve(false)): Promise<boolean> {
  const silence = new AbortController();
  const response = await open(AbortSignal.any([signal, silence.signal]));
  if (response.status === 204 || !response.body) return nothing();
  const parser = new EventParser();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let timer = setTimeout(() => silence.abort(), SILENCE);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return false;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE);
      if (hear(parser.push(value))) return true;
    }
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => undefined);
  }
}
