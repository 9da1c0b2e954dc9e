// Scrolling of a conversation: the newest text stays in view as long as the reader has not scrolled away,
// and earlier messages appear above without moving what is being read.
import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import type { Chat } from "../sessions/chat";

const NEAR = 60;
const UPWARDS = new Set(["ArrowUp", "PageUp", "Home"]);

// Whether the reader, not the page, moves upwards: by wheel, finger, key or scroll bar.
function readerMovesUp(event: Event, frame: HTMLElement): boolean {
  if (event instanceof WheelEvent) return event.deltaY < 0;
  if (event instanceof KeyboardEvent) return UPWARDS.has(event.key) && event.target === frame;
  if (event instanceof PointerEvent) return event.target === frame && event.offsetX >= frame.clientWidth;
  return true; // A finger.
}

export function useScroll(chat: Chat) {
  const frame = useRef<HTMLDivElement>(null);
  const atEnd = useSignal(true);
  const sticking = useRef(true);
  const fromBottom = useRef<number | null>(null);
  const last = useRef({ top: 0, height: 0, inner: 0 });

  const contentChanged = useCallback(() => {
    const it = frame.current;
    if (it && sticking.current) it.scrollTop = it.scrollHeight;
  }, []);
  const toEnd = useCallback(() => {
    sticking.current = true;
    atEnd.value = true;
    contentChanged();
  }, []);
  const older = useCallback(() => chat.loadOlder(), [chat]);
  const hold = useCallback(() => {
    const it = frame.current;
    if (it) fromBottom.current = it.scrollHeight - it.scrollTop;
  }, []);
  const restore = useCallback(() => {
    const it = frame.current;
    if (!it || fromBottom.current === null) return;
    it.scrollTop = it.scrollHeight - fromBottom.current;
    last.current = { top: it.scrollTop, height: it.scrollHeight, inner: it.clientHeight };
    fromBottom.current = null;
  }, []);
  const onScroll = useCallback(() => {
    const it = frame.current!;
    const now = { top: it.scrollTop, height: it.scrollHeight, inner: it.clientHeight };
    const near = now.height - now.top - now.inner < NEAR;
    const resized = now.height !== last.current.height || now.inner !== last.current.inner;
    if (near) sticking.current = true;
    else if (!resized && now.top < last.current.top - 2) sticking.current = false;
    last.current = now;
    atEnd.value = near || sticking.current;
    if (now.top < now.inner && chat.hasOlder.peek() && !chat.loading.peek() && !sticking.current) void older();
  }, [chat]);

  // Code gets its colours, the message its lines: whatever changes a height, the end stays in view.
  useEffect(() => {
    const it = frame.current;
    if (!it) return undefined;
    const observer = new ResizeObserver(contentChanged);
    observer.observe(it);
    if (it.firstElementChild) observer.observe(it.firstElementChild);
    const onMove = (event: Event) => { if (readerMovesUp(event, it) && it.scrollHeight > it.clientHeight) sticking.current = false; };
    const moves = ["wheel", "touchmove", "keydown", "pointerdown"];
    for (const move of moves) it.addEventListener(move, onMove, { passive: true });
    return () => {
      observer.disconnect();
      for (const move of moves) it.removeEventListener(move, onMove);
    };
  }, [chat]);

  useEffect(() => toEnd(), [chat]);

  return { frame, atEnd, onScroll, toEnd, older, hold, restore, contentChanged };
}
