import { expect, test } from "vitest";
import { penalty, qrCode, type Matrix } from "./qr";

const URI = "otpauth://totp/Parley:ana?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Parley&algorithm=SHA1&digits=6&period=30";
const textOf = (matrix: Matrix) => matrix.map((row) => row.map(Number).join("")).join("\n");

async function hashOf(matrix: Matrix): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(textOf(matrix)));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, 16);
}

// The symbols of another program, Segno.
test("a small symbol", () => {
  expect(textOf(qrCode("otpauth://totp", 0)!)).toBe([
    "111111100011101111111",
    "100000101111001000001",
    "101110100100001011101",
    "101110100110001011101",
    "101110101010101011101",
    "100000100011001000001",
    "111111101010101111111",
    "000000000101000000000",
    "101010100110100010010",
    "011111010100111010001",
    "000101111111100010111",
    "101111011001010100001",
    "110111111001100001010",
    "000000001100101111011",
    "111111100001110110111",
    "100000100000110100011",
    "101110101011000110010",
    "101110100001101011010",
    "101110101111110111101",
    "100000100111000000010",
    "111111101111110111011",
  ].join("\n"));
});

test.each([
  [14, 5, "136a7c26f6b7e578"],
  [26, 1, "2e19fcbc5da912ff"],
  [42, 2, "09f4a6282440be22"],
  [62, 3, "a84f105891d3fa67"],
  [84, 4, "d43430abb311c01c"],
  [106, 5, "2e297419fa4519bf"],
  [122, 6, "369e8dbbfe5c16f2"],
  [152, 7, "b9ec64f4db222072"],
  [180, 0, "c1507c396cea2022"],
  [213, 1, "cfccb6c2576907fa"],
])("%i bytes with mask %i", async (length, mask, hash) => {
  expect(await hashOf(qrCode(URI.repeat(3).slice(0, length), mask)!)).toBe(hash);
});

test("the mask that is easiest to read is taken", () => {
  const points = Array.from({ length: 8 }, (_, mask) => penalty(qrCode(URI, mask)!));
  expect(penalty(qrCode(URI)!)).toBe(Math.min(...points));
});

test("texts that are too long have no symbol", () => {
  expect(qrCode("x".repeat(213))?.length).toBe(57);
  expect(qrCode("x".repeat(214))).toBeNull();
  expect(qrCode("ü".repeat(107))).toBeNull();
});
