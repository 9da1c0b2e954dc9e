// Reads files of a ZIP archive without unpacking it, as far as exports need it: stored or deflated, below 4 GB.
import { Unreadable } from "./elements";

export interface Entry {
  name: string;
  deflated: boolean;
  packed: number; // Bytes.
  header: number; // Its position.
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const IN_EXTRA = 0xffffffff;
const LONGEST_END = 22 + 0xffff;

const view = async (blob: Blob) => new DataView(await blob.arrayBuffer());

export async function isZip(file: Blob): Promise<boolean> {
  return file.size >= 4 && [LOCAL, END].includes((await view(file.slice(0, 4))).getUint32(0, true));
}

function entryAt(bytes: DataView, at: number): Entry & { next: number } {
  if (at + 46 > bytes.byteLength || bytes.getUint32(at, true) !== ENTRY) throw new Unreadable();
  const [flags, method] = [bytes.getUint16(at + 8, true), bytes.getUint16(at + 10, true)];
  const [packed, header] = [bytes.getUint32(at + 20, true), bytes.getUint32(at + 42, true)];
  const length = bytes.getUint16(at + 28, true);
  const next = at + 46 + length + bytes.getUint16(at + 30, true) + bytes.getUint16(at + 32, true);
  if (next > bytes.byteLength) throw new Unreadable();
  const name = new TextDecoder().decode(new Uint8Array(bytes.buffer, at + 46, length));
  const readable = (flags & 1) === 0 && (method === 0 || method === 8) && packed !== IN_EXTRA && header !== IN_EXTRA;
  return { name: readable ? name : "", deflated: method === 8, packed, header, next };
}

// Those that can be read.
export async function entriesOf(file: Blob): Promise<Entry[]> {
  const start = Math.max(0, file.size - LONGEST_END);
  const tail = await view(file.slice(start));
  let at = tail.byteLength - 22;
  while (at >= 0 && tail.getUint32(at, true) !== END) at--;
  if (at < 0) throw new Unreadable();
  const [size, begin] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
  if (begin + size > file.size) throw new Unreadable();
  const directory = await view(file.slice(begin, begin + size));
  const entries: Entry[] = [];
  for (let next = 0; next < directory.byteLength; ) {
    const entry = entryAt(directory, next);
    if (entry.name) entries.push(entry);
    next = entry.next;
  }
  return entries;
}

export async function streamOf(file: Blob, entry: Entry): Promise<ReadableStream<Uint8Array>> {
  const header = await view(file.slice(entry.header, entry.header + 30));
  if (header.byteLength < 30 || header.getUint32(0, true) !== LOCAL) throw new Unreadable();
  const begin = entry.header + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  const packed = file.slice(begin, begin + entry.packed).stream();
  return entry.deflated ? packed.pipeThrough(new DecompressionStream("deflate-raw")) : packed;
}
