// One tab, which has the lock, holds the streams for all. When it closes, the browser gives the lock
// to the next one. A tab that gets no answer from it (a phone may have frozen it) takes the lock.

export type Duty = (signal: AbortSignal) => void; // Begins to lead; ends when the signal is aborted.

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
        if (this.leading) return undefined; // This tab waited twice, and already has the lock.
        this.leading = true;
        this.#duty(end.signal);
        return new Promise<never>(() => undefined); // Held until this tab is closed, or the lock is taken.
      })
      .catch(() => {
        this.leading = false;
        end.abort();
        this.#wait({});
      });
  }
}
