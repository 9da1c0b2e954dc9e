import { describe, expect, it } from "vitest";
import { Leadership } from "./leader";

// The part of the browser's locks that leadership uses: one holder, a queue, and stealing.
class Locks {
  holder: { reject: (reason: Error) => void } | undefined;
  queue: (() => void)[] = [];
  request(_name: string, options: LockOptions, callback: (lock: unknown) => unknown): Promise<unknown> {
    return new Promise((_resolve, reject) => {
      const grant = () => {
        const me = { reject };
        this.holder = me;
        const result = callback({});
        if (result === undefined) this.release(me);
      };
      if (options.steal) {
        const robbed = this.holder;
        this.holder = undefined;
        robbed?.reject(new Error("AbortError"));
        grant();
      } else if (this.holder) this.queue.push(grant);
      else grant();
    });
  }
  release(who: unknown): void {
    if (this.holder !== who) return;
    this.holder = undefined;
    this.queue.shift()?.();
  }
  close(): void { this.release(this.holder); }
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

function tab(locks: Locks) {
  const log: string[] = [];
  const it = new Leadership((over) => {
    log.push("leads");
    over.addEventListener("abort", () => log.push("leads no more"));
  }, locks as unknown as LockManager);
  return { it, log };
}

describe("Leadership", () => {
  it("is one tab's, and the next one's when that is closed", async () => {
    const locks = new Locks();
    const [a, b] = [tab(locks), tab(locks)];
    expect([a.it.leading, b.it.leading]).toEqual([true, false]);
    locks.close();
    await settle();
    expect(b.it.leading).toBe(true);
  });

  it("can be taken from a tab that does not answer, which waits for it again", async () => {
    const locks = new Locks();
    const [a, b] = [tab(locks), tab(locks)];
    b.it.seize();
    await settle();
    expect(b.it.leading).toBe(true);
    expect(a.it.leading).toBe(false);
    expect(a.log).toEqual(["leads", "leads no more"]);
    locks.close();
    await settle();
    expect(a.it.leading || b.it.leading).toBe(true);
  });

  it("is not taken by the tab that has it", () => {
    const locks = new Locks();
    const a = tab(locks);
    a.it.seize();
    expect(a.log).toEqual(["leads"]);
  });
});
