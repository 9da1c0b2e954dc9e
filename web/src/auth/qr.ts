// QR codes (ISO/IEC 18004) of short texts: bytes, error correction level M, versions 1 to 10.

export type Matrix = boolean[][]; // Rows; true is dark.

const LEVEL_M = 0; // As format information writes it.
const CODEWORDS = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346]; // By version, with those of error correction.
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26]; // For each block.
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5];
const ALIGNMENT = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
const MASKS: ((row: number, column: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0, (r) => r % 2 === 0, (_, c) => c % 3 === 0, (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0, (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0, (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

// Multiplication in GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1.
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}

function correctionOf(data: number[], count: number): number[] {
  let generator = [1];
  for (let i = 0, root = 1; i < count; i++, root = times(root, 2)) {
    const next = [...generator, 0];
    generator.forEach((factor, at) => (next[at + 1]! ^= times(factor, root)));
    generator = next;
  }
  const rest = [...data, ...Array<number>(count).fill(0)];
  for (let at = 0; at < data.length; at++) {
    const factor = rest[at]!;
    generator.forEach((each, offset) => (rest[at + offset]! ^= times(each, factor)));
  }
  return rest.slice(data.length);
}

// The remainder of a BCH code, appended to its data.
function withRemainder(data: number, generator: number, bits: number): number {
  let rest = data << bits;
  for (let at = 31 - Math.clz32(rest); at >= bits; at = 31 - Math.clz32(rest)) {
    rest ^= generator << (at - bits);
    if (rest === 0) break;
  }
  return (data << bits) | rest;
}

function dataCodewords(bytes: Uint8Array, version: number, count: number): number[] {
  const bits: number[] = [];
  const append = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  append(4, 4); // Bytes.
  append(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((byte) => append(byte, 8));
  append(0, Math.min(4, count * 8 - bits.length));
  append(0, (8 - (bits.length % 8)) % 8);
  const words = Array.from({ length: bits.length / 8 }, (_, at) => parseInt(bits.slice(at * 8, at * 8 + 8).join(""), 2));
  for (let pad = 0xec; words.length < count; pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

// All codewords in the order of the symbol: the blocks interleaved.
function codewords(bytes: Uint8Array, version: number): number[] {
  const [total, each, blocks] = [CODEWORDS[version - 1]!, CORRECTION[version - 1]!, BLOCKS[version - 1]!];
  const words = dataCodewords(bytes, version, total - each * blocks);
  const short = Math.floor(total / blocks) - each;
  const parts: number[][] = [];
  for (let i = 0, at = 0; i < blocks; i++) {
    const size = short + (i >= blocks - (total % blocks) ? 1 : 0);
    parts.push(words.slice(at, at + size));
    at += size;
  }
  const corrections = parts.map((part) => correctionOf(part, each));
  const interleaved = (lists: number[][], length: number) =>
    Array.from({ length }, (_, at) => lists.flatMap((list) => (at < list.length ? [list[at]!] : []))).flat();
  return [...interleaved(parts, short + 1), ...interleaved(corrections, each)];
}

class Symbol {
  readonly size: number;
  readonly dark: Matrix;
  readonly fixed: Matrix; // Patterns that hold no data.

  constructor(readonly version: number) {
    this.size = 17 + 4 * version;
    const empty = () => Array.from({ length: this.size }, () => Array<boolean>(this.size).fill(false));
    [this.dark, this.fixed] = [empty(), empty()];
    for (let i = 0; i < this.size; i++) [[6, i], [i, 6]].forEach(([r, c]) => this.set(r!, c!, i % 2 === 0));
    for (const [r, c] of [[3, 3], [3, this.size - 4], [this.size - 4, 3]]) this.rings(r!, c!, 4);
    const places = ALIGNMENT[version - 1]!;
    const last = places.at(-1);
    for (const r of places)
      for (const c of places) if (!((r === 6 && (c === 6 || c === last)) || (r === last && c === 6))) this.rings(r, c, 2);
    this.format(0); // Reserves its place.
    if (version >= 7) this.versionInformation();
  }

  set(row: number, column: number, dark: boolean): void {
    if (row < 0 || column < 0 || row >= this.size || column >= this.size) return;
    this.dark[row]![column] = dark;
    this.fixed[row]![column] = true;
  }

  // A finder pattern with its border, or an alignment pattern.
  rings(row: number, column: number, radius: number): void {
    for (let r = -radius; r <= radius; r++)
      for (let c = -radius; c <= radius; c++) {
        const distance = Math.max(Math.abs(r), Math.abs(c));
        this.set(row + r, column + c, radius === 4 ? distance !== 2 && distance !== 4 : distance !== 1);
      }
  }

  format(mask: number): void {
    const bits = withRemainder((LEVEL_M << 3) | mask, 0x537, 10) ^ 0x5412;
    const bit = (at: number) => ((bits >> at) & 1) === 1;
    for (let i = 0; i < 8; i++) this.set(8, this.size - 1 - i, bit(i));
    for (let i = 8; i < 15; i++) this.set(this.size - 15 + i, 8, bit(i));
    for (let i = 0; i < 15; i++) {
      const near = i < 6 ? i : i < 8 ? i + 1 : 14 - i + (i === 8 ? 1 : 0); // The timing pattern is in between.
      if (i < 8) this.set(near, 8, bit(i));
      else this.set(8, near, bit(i));
    }
    this.set(this.size - 8, 8, true);
  }

  versionInformation(): void {
    const bits = withRemainder(this.version, 0x1f25, 12);
    for (let i = 0; i < 18; i++) {
      const [a, b] = [this.size - 11 + (i % 3), Math.floor(i / 3)];
      this.set(a, b, ((bits >> i) & 1) === 1);
      this.set(b, a, ((bits >> i) & 1) === 1);
    }
  }

  // In pairs of columns from the right, upwards and downwards in turn.
  fill(words: number[]): void {
    let at = 0;
    for (let right = this.size - 1, upwards = true; right > 0; right -= right === 8 ? 3 : 2, upwards = !upwards)
      for (let i = 0; i < this.size; i++)
        for (const column of [right, right - 1]) {
          const row = upwards ? this.size - 1 - i : i;
          if (this.fixed[row]![column]) continue;
          this.dark[row]![column] = (((words[at >> 3] ?? 0) >> (7 - (at & 7))) & 1) === 1;
          at++;
        }
  }

  masked(mask: number): Matrix {
    this.format(mask);
    return this.dark.map((row, r) => row.map((dark, c) => dark !== (!this.fixed[r]![c] && MASKS[mask]!(r, c))));
  }
}

// How hard a symbol is to read, by the rules of the standard.
export function penalty(matrix: Matrix): number {
  const columns = matrix.map((_, c) => matrix.map((row) => row[c]!));
  let points = 0;
  for (const line of [...matrix, ...columns]) {
    const text = line.map(Number).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) points += run.length - 2;
    for (const pattern of ["00001011101", "10111010000"])
      for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) points += 40;
  }
  for (let r = 1; r < matrix.length; r++)
    for (let c = 1; c < matrix.length; c++) {
      const [now, before] = [matrix[r]!, matrix[r - 1]!];
      if (now[c] === now[c - 1] && now[c] === before[c] && now[c] === before[c - 1]) points += 3;
    }
  const share = matrix.flat().filter(Boolean).length / matrix.length ** 2;
  return points + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}

// Null if the text is too long. `mask`: instead of the one that is easiest to read.
export function qrCode(text: string, mask?: number): Matrix | null {
  const bytes = new TextEncoder().encode(text);
  const fits = (_: number, at: number) =>
    4 + (at + 1 < 10 ? 8 : 16) + bytes.length * 8 <= (CODEWORDS[at]! - CORRECTION[at]! * BLOCKS[at]!) * 8;
  const at = CODEWORDS.findIndex(fits);
  if (at < 0) return null;
  const symbol = new Symbol(at + 1);
  symbol.fill(codewords(bytes, at + 1));
  if (mask !== undefined) return symbol.masked(mask);
  const all = MASKS.map((_, each) => symbol.masked(each));
  return all.reduce((best, next) => (penalty(next) < penalty(best) ? next : best));
}
