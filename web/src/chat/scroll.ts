// Scrolling of a conversation: the newest text stays in view as long as the reader has not scrolled away,
// and earlier messages appear above without moving what is being read.
import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Message } from "../api/types";
import type { Chat } from "../sessions/chat";

const NEAR = 60;

export function useScroll(chat: Chat, path: Message[]) {
  const frame = useRef<HTMLDivElement>(null);
  const atEnd = useSignal(true);
  const sticking = useRef(true);
  const fromBottom = useRef<number | null>(null);
  const lastTop = useRef(0);

  const contentChanged = useCallback(() => {
    const it = frame.current;
    if (it && sticking.current) it.scrollTop = it.scrollHeight;
  }, []);
  const toEnd = useCallback(() => {
    sticking.current = true;
    atEnd.value = true;
    contentChanged();
    requestAnimationFrame(contentChanged);
  }, []);
  const older = useCallback(async () => {
    const it = frame.current;
    if (!it || chat.loadingOlder.peek()) return;
    fromBottom.current = it.scrollHeight - it.scrollTop;
    await chat.loadOlder();
  }, [chat]);
  const onScroll = useCallback(() => {
    const it = frame.current!;
    const near = it.scrollHeight - it.scrollTop - it.clientHeight < NEAR;
    // Only a move upwards by the reader lets go: content that grows moves the end away, too.
    if (near) sticking.current = true;
    else if (it.scrollTop < lastTop.current - 2) sticking.current = false;
    lastTop.current = it.scrollTop;
    atEnd.value = near || sticking.current;
    if (it.scrollTop < it.clientHeight && chat.hasOlder.peek() && !chat.loading.peek() && !sticking.current) void older();
  }, [chat]);

  const first = path[0]?.id;
  useLayoutEffect(() => {
    const it = frame.current;
    if (!it || fromBottom.current === null) return;
    it.scrollTop = it.scrollHeight - fromBottom.current;
    lastTop.current = it.scrollTop;
    fromBottom.current = null;
  }, [first]);
  useEffect(() => toEnd(), [chat]);

  return { frame, atEnd, onScroll, toEnd, older, contentChanged };
}
