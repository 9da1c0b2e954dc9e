// The conversations of a file that the user has chosen, one after another.
import { objectsOf, Unreadable } from "./elements";
import { entriesOf, isZip, streamOf } from "./zip";

export type Format = "parley" | "chatgpt" | "open_webui";

export interface Conversation {
  format: Format;
  title: string;
  conversation: object;
}

export type Fault = "notJson" | "tooLarge";

// A file without conversations of a known format.
export class UnknownFormat extends Error {}

const MOST = (16 << 20) - 1024; // Of a request, with some room for what is around a conversation.

type Json = Record<string, unknown>;

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

export function formatOf(object: Json): Format | undefined {
  if ("mapping" in object) return "chatgpt";
  if ("chat" in object || "history" in object) return "open_webui";
  return "session" in object || text(object["object"]) ? "parley" : undefined;
}

// Exports have other files, too.
const hasConversations = (name: string) => /(^|\/)((conversations|chat-export)[^/]*\.json|[^/]*\.(ndjson|jsonl))$/.test(name);

async function* streams(file: File): AsyncGenerator<ReadableStream<Uint8Array>> {
  if (!(await isZip(file))) return yield file.stream();
  const entries = (await entriesOf(file)).filter(({ name }) => hasConversations(name));
  if (!entries.length) throw new UnknownFormat();
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) yield await streamOf(file, entry);
}

// Lines of an export of Parley: a session, then its messages.
class Lines {
  #session: Json | null = null;
  #messages: Json[] = [];
  #size = 0;

  // A conversation that is complete now.
  add(line: Json, size: number): Conversation | Fault | null {
    if (line["object"] === "chat.message") {
      this.#size += size;
      if (this.#size > MOST) this.#messages = [];
      else this.#messages.push(line);
      return null;
    }
    const before = this.take();
    this.#session = line["object"] === "chat.session" ? line : null;
    this.#messages = [];
    this.#size = size;
    return before;
  }

  take(): Conversation | Fault | null {
    const [session, messages] = [this.#session, this.#messages];
    this.#session = null;
    if (!session) return null;
    return this.#size > MOST ? "tooLarge" : { format: "parley", title: text(session["title"]), conversation: { session, messages } };
  }
}

function parsed(object: string): Json | null {
  try {
    const value: unknown = JSON.parse(object);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

async function* conversationsIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<Conversation | Fault> {
  const lines = new Lines();
  for await (const object of objectsOf(stream, MOST)) {
    const value = object === null ? null : parsed(object);
    if (!value) {
      yield object === null ? "tooLarge" : "notJson";
      continue;
    }
    const format = formatOf(value);
    if (!format) throw new UnknownFormat();
    if (format !== "parley" || "session" in value) {
      const titled = isObject(value["session"]) ? value["session"] : value;
      yield { format, title: text(titled["title"]), conversation: value };
      continue;
    }
    const complete = lines.add(value, object!.length);
    if (complete) yield complete;
  }
  const last = lines.take();
  if (last) yield last;
}

// Throws Unreadable or UnknownFormat; conversations before that were given.
export async function* conversationsOf(file: File): AsyncGenerator<Conversation | Fault> {
  for await (const stream of streams(file)) yield* conversationsIn(stream);
}

export { Unreadable };
