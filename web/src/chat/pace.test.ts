import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Pace } from "./pace";

beforeEach(() => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(1000);
  vi.stubGlobal("requestAnimationFrame", (call: () => void) => setTimeout(call, 16));
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("allows one piece of work per frame", () => {
  const pace = new Pace(() => undefined);
  expect([pace.take(), pace.take()]).toEqual([true, false]);
  vi.advanceTimersByTime(1);
  expect(pace.take()).toBe(true);
});

it("waits with the rest until the reader no longer scrolls", () => {
  let steps = 0;
  const pace = new Pace(() => { steps++; });
  pace.moved();
  pace.afterScrolling();
  vi.advanceTimersByTime(100);
  pace.moved();
  vi.advanceTimersByTime(100);
  expect([pace.moving, steps]).toEqual([true, 0]);
  vi.advanceTimersByTime(300);
  expect([pace.moving, steps]).toEqual([false, 1]);
});

it("does nothing after it was stopped", () => {
  let steps = 0;
  const pace = new Pace(() => { steps++; });
  pace.nextFrame();
  pace.moved();
  pace.afterScrolling();
  pace.stop();
  vi.advanceTimersByTime(1000);
  expect(steps).toBe(0);
});
