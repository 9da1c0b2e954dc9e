import { expect, it } from "vitest";
import { instantOf, knowsZone, localOf, placeOf } from "./zoned";

it.each([
  ["2026-11-17T09:00", "Europe/Berlin", "2026-11-17T08:00:00.000Z"],
  ["2026-07-01T09:00", "Europe/Berlin", "2026-07-01T07:00:00.000Z"],
  ["2026-07-01T09:00", "Asia/Kolkata", "2026-07-01T03:30:00.000Z"],
  ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z"], // Comes twice: the first.
  ["2027-03-28T02:30", "Europe/Berlin", "2027-03-28T01:30:00.000Z"], // Does not exist: 03:30.
  ["2026-12-31T23:30", "America/New_York", "2027-01-01T04:30:00.000Z"],
  ["2026-12-31T23:30", "UTC", "2026-12-31T23:30:00.000Z"],
])("finds the instant of %s in %s", (local, zone, instant) => expect(instantOf(local, zone)).toBe(instant));

it("has no instant for an empty field", () => expect(instantOf("", "UTC")).toBe(""));

it("shows an instant in a zone", () => expect(localOf("2026-11-17T08:00:00.000Z", "Europe/Berlin")).toBe("2026-11-17T09:00"));

it("knows which zones the browser has", () => {
  expect(knowsZone("Europe/Berlin")).toBe(true);
  expect(knowsZone("Europe/Nowhere")).toBe(false);
  expect(knowsZone("")).toBe(false);
});

it("names the place of a zone", () => {
  expect(placeOf("America/Argentina/Buenos_Aires")).toBe("Buenos Aires");
  expect(placeOf("UTC")).toBe("UTC");
});
