// Which messages of a conversation are on the page. The newest come first, so that something is there at
// once; earlier ones are added above, a page at a time: to add a few in each frame costs as much for each.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Message } from "../api/types";
import type { Chat } from "../sessions/chat";
import { Answer, Question } from "./message";

const FIRST = 4; // About a screen.
const STEP = 20;

// The messages to draw now. `hold` is called before some are added above, to keep the place of the others.
export function useDrawn(chat: Chat, path: Message[], hold: () => void): Message[] {
  const from = useMemo(() => signal<string | null>(null), [chat]);
  const known = path.findIndex((message) => message.id === from.value);
  const at = known >= 0 ? known : Math.max(0, path.length - FIRST);
  useEffect(() => {
    if (at === 0) from.value = path[0]?.id ?? null;
    if (at === 0) return undefined;
    const frame = requestAnimationFrame(() => {
      hold();
      from.value = path[Math.max(0, at - STEP)]!.id;
    });
    return () => cancelAnimationFrame(frame);
  }, [path, at]);
  return at === 0 ? path : path.slice(at);
}

interface Props {
  chat: Chat;
  messages: Message[];
  idle: boolean; // No answer is being written.
  last: string | undefined; // The message whose tools are always seen.
}

interface Drawn {
  message: Message;
  idle: boolean;
  last: boolean;
  versions: number;
  element: JSX.Element;
}

// Messages that stay as they are are the same elements as before, at which Preact does not even look.
export function Messages({ chat, messages, idle, last }: Props) {
  const drawn = useRef(new Map<string, Drawn>());
  drawn.current = new Map(messages.map((message) => {
    const known = drawn.current.get(message.id);
    const now = { message, idle, last: message.id === last, versions: chat.tree.siblings(message).length };
    if (known && known.message === message && known.idle === idle && known.last === now.last && known.versions === now.versions) return [message.id, known];
    const element = message.role === "user"
      ? <Question key={message.id} chat={chat} message={message} idle={idle} />
      : <Answer key={message.id} chat={chat} message={message} idle={idle} last={now.last} />;
    return [message.id, { ...now, element }];
  }));
  return <>{[...drawn.current.values()].map((each) => each.element)}</>;
}
