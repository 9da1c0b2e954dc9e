// The messages of a conversation near the view, between gaps that replace the others.
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Message } from "../api/types";
import type { Chat } from "../sessions/chat";
import { Answer, Question } from "./message";
import type { ConversationScroll } from "./scroll";

interface Props {
  chat: Chat;
  scroll: ConversationScroll;
  messages: Message[];
  idle: boolean; // No answer is being written.
  last: string | undefined; // The message whose actions are always visible.
  children: ComponentChildren; // Content below the messages, for questions and answers that are not messages yet.
}

interface Drawn {
  message: Message;
  idle: boolean;
  last: boolean;
  tools: boolean;
  versions: string;
  element: JSX.Element;
}

// Unchanged messages keep their elements, which Preact then skips.
function draw({ chat, scroll, idle, last }: Props, message: Message, known: Drawn | undefined): Drawn {
  const versions = chat.versions(message);
  const now = { message, idle, last: message.id === last, tools: scroll.hasTools(message), versions: versions.join() };
  if (known && known.message === message && known.idle === idle && known.last === now.last && known.tools === now.tools && known.versions === now.versions) return known;
  const element = message.role === "user"
    ? <Question key={message.id} chat={chat} message={message} versions={versions} tools={now.tools} idle={idle} />
    : <Answer key={message.id} chat={chat} message={message} versions={versions} tools={now.tools} idle={idle} last={now.last} />;
  return { ...now, element };
}

export function MessageList(props: Props) {
  const { chat, scroll, messages, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const drawn = useRef(new Map<string, Drawn>());
  void scroll.changed.value;
  scroll.setMessages(messages);
  useLayoutEffect(() => scroll.settle(list.current));
  const former = drawn.current;
  drawn.current = new Map();
  const parts: JSX.Element[] = [];
  let next = 0;
  for (const index of scroll.mounted()) {
    if (index > next) parts.push(<div key={index === scroll.range.first ? "gap" : `gap ${index}`} class="gap" aria-hidden="true" />);
    const message = messages[index]!;
    const each = draw(props, message, former.get(message.id));
    drawn.current.set(message.id, each);
    parts.push(each.element);
    next = index + 1;
  }
  if (next < messages.length) parts.push(<div key="rest" class="gap" aria-hidden="true" />);
  return <div ref={list} role={messages.length ? "feed" : undefined} aria-busy={chat.loadingOlder.value}>{parts}{children}</div>;
}
