// One tab holds the streams for all: the one that has the lock. When it closes, the browser gives the
// lock to the next. A tab that gets no answer from it (a phone may have frozen it) takes the lock.

export type Duty = (signal: AbortSignal) => void; // Begins to lead; ends when the signal says so.

const LOCK = "parley-leader";

export class Leadership {
  leading = false;
  #duty: Duty;
  #locks: LockManager;

  constructor(duty: Duty, locks: LockManager = navigator.locks) {
    this.#duty = duty;
    this.#locks = locks;
    this.#wait({});
  }

  // Takes the lock from a tab that does not answer.
  seize(): void {
    if (!this.leading) this.#wait({ steal: true });
  }

  #wait(options: LockOptions): void {
    const end = new AbortController();
    this.#locks
      .request(LOCK, options, () => {
        if (this.leading) return undefined; // Of two waits of this tab one was served already.
        this.leading = true;
        this.#duty(end.signal);
        return new Promise<never>(() => undefined); // Held until this tab is gone, or it is taken.
      })
      .catch(() => {
        this.leading = false;
        end.abort();
        this.#wait({});
      });
  }
}
