// Whether the reader, not the page, scrolls upwards: by wheel, touch, key or scroll bar.
const UPWARDS = new Set(["ArrowUp", "PageUp", "Home"]);

export const MOVES = ["wheel", "touchmove", "keydown", "pointerdown"];

export function readerMovesUp(event: Event, frame: HTMLElement): boolean {
  if (event instanceof WheelEvent) return event.deltaY < 0;
  if (event instanceof KeyboardEvent) return UPWARDS.has(event.key) && event.target === frame;
  if (event instanceof PointerEvent) return event.target === frame && event.offsetX >= frame.clientWidth;
  return true; // Touch.
}

// The browser's own search finds only text on the page.
export const looksForText = (event: KeyboardEvent) =>
  event.key === "F3" || ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.code === "KeyF");
