// Marks are positions in bytes of UTF-8; texts of the browser are counted otherwise.
export interface Part {
  text: string;
  marked: boolean;
}

export function partsOf(snippet: string, marks: number[][]): Part[] {
  const bytes = new TextEncoder().encode(snippet);
  const cut = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));
  const parts: Part[] = [];
  let at = 0;
  for (const [begin = 0, end = 0] of marks) {
    if (begin < at || end <= begin || end > bytes.length) continue;
    if (begin > at) parts.push({ text: cut(at, begin), marked: false });
    parts.push({ text: cut(begin, end), marked: true });
    at = end;
  }
  if (at < bytes.length) parts.push({ text: cut(at, bytes.length), marked: false });
  return parts;
}
