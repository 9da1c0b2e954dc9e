// The pace at which the page changes around the view: one piece of work per frame.
const SCROLLING_MS = 150;

export class Pace {
  #step: () => void;
  #movedAt = -SCROLLING_MS;
  #taken = false;
  #frame = 0;
  #timer = 0;

  constructor(step: () => void) {
    this.#step = step;
  }

  // The reader scrolls.
  moved(): void {
    this.#movedAt = performance.now();
  }

  get moving(): boolean {
    return performance.now() - this.#movedAt < SCROLLING_MS;
  }

  // False if this frame has had its piece of work. A frame ends with its task: an animation frame that is requested
  // by the handler of a scroll event is still the same frame.
  take(): boolean {
    if (this.#taken) return false;
    this.#taken = true;
    setTimeout(() => { this.#taken = false; });
    return true;
  }

  nextFrame(): void {
    this.#frame ||= requestAnimationFrame(() => { this.#frame = 0; this.#step(); });
  }

  afterScrolling(): void {
    if (!this.moving) return this.nextFrame();
    this.#timer ||= setTimeout(() => { this.#timer = 0; this.afterScrolling(); }, SCROLLING_MS);
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#frame = this.#timer = 0;
  }
}
