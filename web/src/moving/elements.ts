// Takes a long JSON text apart while it is read: the objects of a list, of one line each, or a single object. Only the
// object in hand is in memory.

// The file ends inside of an object, or has something else than objects.
export class Unreadable extends Error {}

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d];
const BETWEEN = new Set([..." \t\r\n,[]"].map((character) => character.charCodeAt(0)));

// Finds the end of an object.
class ObjectEnd {
  #depth = 0;
  #inText = false;
  #escaped = false;

  get inside(): boolean {
    return this.#depth > 0;
  }

  // True at the last byte of an object.
  read(byte: number): boolean {
    if (this.#escaped) this.#escaped = false;
    else if (this.#inText && byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inText = !this.#inText;
    else if (this.#inText) return false;
    else if (byte === OPEN) this.#depth++;
    else if (byte === CLOSE) return --this.#depth === 0;
    return false;
  }
}

// The texts of the objects; null for one of more than `most` bytes.
export async function* objectsOf(stream: ReadableStream<Uint8Array>, most: number): AsyncGenerator<string | null> {
  const end = new ObjectEnd();
  let parts: Uint8Array[] = [];
  let size = 0;
  const add = (part: Uint8Array) => {
    size += part.length;
    if (size > most) parts = [];
    else parts.push(part);
  };
  for await (const chunk of chunksOf(stream)) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (!end.inside) {
        if (BETWEEN.has(byte)) continue;
        if (byte !== OPEN) throw new Unreadable();
        from = at;
      }
      if (!end.read(byte)) continue;
      add(chunk.subarray(from, at + 1));
      yield size > most ? null : await new Blob(parts as BlobPart[]).text();
      parts = [];
      size = 0;
    }
    if (end.inside) add(chunk.subarray(from));
  }
  if (end.inside) throw new Unreadable();
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch {
    throw new Unreadable(); // A damaged archive.
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
