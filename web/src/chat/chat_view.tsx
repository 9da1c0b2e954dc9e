// One conversation: its messages, the answer being written, and the composer below.
import { signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { reachable } from "../api/http";
import { user } from "../auth/login";
import { chatFor, type Chat } from "../sessions/chat";
import { askAgain, type Preset } from "../sessions/ask";
import { find } from "../sessions/list";
import type { LiveRun } from "../streams/runs";
import { words } from "../text";
import { ErrorNote } from "../ui/errors";
import { ArrowDown } from "../ui/icons";
import { chatLink, replace } from "../ui/route";
import { toast } from "../ui/toasts";
import { ArchivedNote } from "./archived";
import { ChatHead, isMissing } from "./chat_head";
import { Composer } from "./composer";
import { DemoNote } from "./demo";
import { Pictures } from "./images";
import { GrowingMarkdown } from "./markdown";
import { QuestionText, Switcher } from "./message";
import { MessageList } from "./message_list";
import { scrollOf } from "./scroll";

// Where the finished answer has its buttons, so that nothing moves when it is generated again.
function Versions({ chat, id, question, busy = false }: { chat: Chat; id: string; question: string; busy?: boolean }) {
  const known = chat.versions({ id, parent_id: question });
  const versions = known.includes(id) ? known : [...known, id];
  return versions.length > 1 ? <div class="tools versions"><Switcher chat={chat} id={id} versions={versions} busy={busy} /></div> : null;
}

function BeingWritten({ chat, live, grown }: { chat: Chat; live: LiveRun; grown: () => void }) {
  const t = words();
  const place = live.run.value?.status === "queued" ? live.run.value.queue_position : null;
  const begun = live.messageId.value !== null;
  const question = live.run.value?.user_message.id;
  return (
    <article class="message answer last" aria-label={t.assistant} aria-busy="true">
      {!begun && <p class="thinking"><span class="pulse" aria-hidden="true" />{place && place > 1 ? t.queued(place) : t.thinking}</p>}
      <GrowingMarkdown text={live.text} run={live.id} grown={grown} />
      {question && <Versions chat={chat} id={chat.versionOf(live)} question={question} />}
    </article>
  );
}

function Greeting() {
  const t = words();
  const name = user.value?.display_name || user.value?.username || "";
  return <div class="greeting"><h1>{t.greeting(name)}</h1><p class="lead">{t.greetingLead}</p></div>;
}

// For screen readers: announces the beginning and the end of an answer, not each word.
function Announcer({ chat }: { chat: Chat }) {
  const t = words();
  const said = useSignal("");
  const run = chat.answering.value;
  const last = useRef<LiveRun | null>(null);
  useEffect(() => {
    if (run && run !== last.current) said.value = t.answerBegun;
    else if (!run && last.current) said.value = last.current.run.value?.status === "cancelled" ? t.answerStopped : t.answerComplete;
    last.current = run;
  }, [run]);
  return <div class="unseen" role="status" aria-live="polite">{said.value}</div>;
}

function useChat(id: string | null): Chat {
  const chat = useMemo(() => chatFor(id), [id]);
  // Another tab or device may have asked in this session.
  const session = chat.session.value?.id;
  const active = session ? find(session)?.active_run_ids : undefined;
  useEffect(() => active?.forEach((run) => chat.knows(run) || chat.follow(run)), [chat, active?.join()]);
  return chat;
}

const MARKED_FOR = 3_000;

// Scrolls to the message of the address, once the conversation is loaded.
function useFound(chat: Chat, message: string | null): void {
  const loaded = !chat.loading.value && chat.path.value.length > 0;
  useEffect(() => {
    if (!message || !loaded) return;
    let current = true;
    void chat.reveal(message).then((found) => {
      if (!current) return;
      if (!found) return void toast(words().data.gone);
      scrollOf(chat).goTo(message);
      requestAnimationFrame(() => mark(message));
    });
    return () => { current = false; };
  }, [chat, message, loaded]);
}

function mark(message: string): void {
  const element = document.querySelector<HTMLElement>(`article[data-id="${CSS.escape(message)}"]`);
  if (!element) return;
  element.classList.add("found");
  setTimeout(() => element.classList.remove("found"), MARKED_FOR);
  document.querySelector<HTMLElement>(".messages")?.focus({ preventScroll: true });
}

export function ChatView({ id, message }: { id: string | null; message: string | null }) {
  const t = words();
  const chat = useChat(id);
  useFound(chat, message);
  const preset = useMemo(() => signal<Preset>({ instructions: "", model: "", sampling: {} }), [chat]);
  const created = chat.address.value;
  useEffect(() => {
    if (id === null && created) replace(chatLink(created));
  }, [created, id]);

  const path = chat.path.value;
  const live = chat.answering.value;
  const pending = chat.pending.value;
  const scroll = scrollOf(chat);
  useLayoutEffect(() => scroll.contentChanged(), [path.length, pending, live]);

  const title = chat.session.value?.title;
  useEffect(() => { document.title = title ? `${title} · Parley` : "Parley"; }, [title]);

  if (chat.error.value) {
    return (
      <div class="chat"><ChatHead chat={chat} preset={preset} />
        <div class="column padded">{isMissing(chat) ? <><h1>{t.chatNotFound}</h1><p class="lead">{t.chatNotFoundLead}</p><p class="padded"><a href={chatLink(null)}>{t.newChat}</a></p></> : <ErrorNote error={chat.error.value} retry={() => void chat.load()} />}</div>
      </div>
    );
  }
  const empty = !path.length && !pending && !live && !chat.loading.value;
  const idle = !live && !pending;
  const failed = chat.sendError.value;
  const question = path.at(-1)?.role === "user" && idle && !chat.loading.value ? path.at(-1) : undefined;
  return (
    <div class={empty ? "chat empty" : "chat"}>
      <ChatHead chat={chat} preset={preset} />
      <div class="messages" ref={scroll.ref} onScroll={scroll.onScroll} tabIndex={0} role="region" aria-label={t.conversation}>
        <div class="column conversation">
          {empty && <Greeting />}
          {chat.loading.value && !path.length && <Skeleton />}
          {chat.hasOlder.value && (
            <p class="center"><button type="button" class="quiet" disabled={chat.loadingOlder.value} onClick={() => void chat.loadOlder()}>{chat.loadingOlder.value ? t.loading : t.olderMessages}</button></p>
          )}
          <MessageList key={chat.serial} chat={chat} scroll={scroll} messages={path} idle={idle} last={pending ? undefined : path.at(-1)?.id}>
            {pending?.text != null && <article class="message question" aria-label={t.you}><Pictures images={pending.images ?? []} />{pending.text && <QuestionText text={pending.text} />}</article>}
            {live && <BeingWritten key={live.id} chat={chat} live={live} grown={scroll.contentChanged} />}
          </MessageList>
          {pending && <p class="thinking"><span class="pulse" aria-hidden="true" />{reachable.value ? t.thinking : t.sendingAgain}</p>}
          {pending?.text === null && pending.parent && <Versions chat={chat} id="next" question={pending.parent} busy />}
          {question && !failed && <p><button type="button" class="quiet" onClick={() => void askAgain(chat, question.id)}>{t.askAgain}</button></p>}
        </div>
      </div>
      <div class="foot">
        {!scroll.atEnd.value && !empty && <button type="button" class="to-bottom" aria-label={t.toBottom} onClick={scroll.toEnd}><ArrowDown size={18} /></button>}
        <div class="column">
          <ErrorNote error={failed} dismiss={() => (chat.sendError.value = null)} />
          <ArchivedNote chat={chat} />
          <DemoNote chat={chat} preset={preset.value} />
          <Composer key={chat.serial} chat={chat} preset={preset.value} sent={scroll.toEnd} />
        </div>
      </div>
      <Announcer chat={chat} />
    </div>
  );
}

function Skeleton() {
  return <div class="skeleton" role="status" aria-label={words().loading}><span /><span /><span /></div>;
}
