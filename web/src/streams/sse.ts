// Parses server-sent events, however the network divides them.

export interface ServerEvent {
  id: string;
  type: string;
  data: string;
}

export class EventParser {
  #rest = "";
  #id = "";
  #type = "";
  #data: string[] = [];

  // The events that are complete with this piece.
  push(piece: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    const text = this.#rest + piece;
    let from = 0;
    for (;;) {
      const end = endOfLine(text, from);
      if (!end) break;
      const event = this.#line(text.slice(from, end.at));
      if (event) events.push(event);
      from = end.next;
    }
    this.#rest = text.slice(from);
    return events;
  }

  #line(line: string): ServerEvent | undefined {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return undefined; // A comment: the server is still there.
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "id") this.#id = value;
    else if (name === "event") this.#type = value;
    else if (name === "data") this.#data.push(value);
    return undefined;
  }

  #dispatch(): ServerEvent | undefined {
    const { length } = this.#data;
    const event = { id: this.#id, type: this.#type || "message", data: this.#data.join("\n") };
    this.#type = "";
    this.#data = [];
    return length ? event : undefined;
  }
}

function endOfLine(text: string, from: number): { at: number; next: number } | undefined {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\n") return { at, next: at + 1 };
    if (text[at] !== "\r") continue;
    if (at + 1 === text.length) return undefined; // A line feed may follow in the next piece.
    return { at, next: text[at + 1] === "\n" ? at + 2 : at + 1 };
  }
  return undefined;
}
