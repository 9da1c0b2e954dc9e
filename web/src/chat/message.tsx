// One message: a question or an answer, with its actions.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import * as calls from "../api/calls";
import { Problem } from "../api/problem";
import type { Message, ProblemBody } from "../api/types";
import type { Chat } from "../sessions/chat";
import { askAgain, askDifferently } from "../sessions/ask";
import { textOf } from "../streams/events";
import { formatMoment, words } from "../text";
import { copyText } from "../ui/copy";
import { ErrorNote } from "../ui/errors";
import { Again, Check, Copy, Left, Pencil, Right } from "../ui/icons";
import { imagesOf, Pictures } from "./images";
import { Markdown } from "./markdown";
import { scrollOf } from "./scroll";

const LONG = 1_600; // A longer question is folded.

function CopyButton({ text }: { text: string }) {
  const t = words();
  const [done, setDone] = useState(false);
  const copy = async () => {
    setDone(await copyText(text));
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <button type="button" class="icon-button small" aria-label={done ? t.copied : t.copyMessage} title={t.copyMessage}
            onClick={() => void copy()}>{done ? <Check size={17} /> : <Copy size={17} />}</button>
  );
}

// The pressed button is now part of another message.
function refocus(id: string, label: string): void {
  requestAnimationFrame(() => {
    const buttons = document.querySelectorAll<HTMLButtonElement>(`.switcher[data-version="${CSS.escape(id)}"] button`);
    ([...buttons].find((button) => button.ariaLabel === label && !button.disabled) ?? [...buttons].find((button) => !button.disabled))?.focus();
  });
}

// Switches between several questions or answers in the same place. Nothing can be chosen before the server has
// stored the next version (`busy`).
export function Switcher({ chat, id, versions: all, busy = false }: { chat: Chat; id: string; versions: string[]; busy?: boolean }) {
  const t = words();
  const at = all.indexOf(id);
  const step = (by: number) => () => {
    const to = all[at + by];
    if (!to) return;
    scrollOf(chat).stay();
    void chat.choose(to).then(() => refocus(to, by < 0 ? t.previousVersion : t.nextVersion));
  };
  return (
    <span class="switcher" data-version={id}>
      <button type="button" class="icon-button small" aria-label={t.previousVersion} disabled={busy || at <= 0} onClick={step(-1)}><Left size={16} /></button>
      <span>{t.version(at + 1, all.length)}</span>
      <button type="button" class="icon-button small" aria-label={t.nextVersion} disabled={at >= all.length - 1} onClick={step(1)}><Right size={16} /></button>
    </span>
  );
}

interface Props {
  chat: Chat;
  message: Message;
  versions: string[]; // All messages in its place. Given, so that not each message listens to the signals of the chat.
  tools: boolean; // If not, their place is empty.
  idle: boolean;
}

// The buttons of a message with several versions are always visible.
const toolsOf = (versions: string[]): string => (versions.length > 1 ? "tools versions" : "tools");

function Editor({ chat, message, close }: { chat: Chat; message: Message; close: () => void }) {
  const t = words();
  const area = useRef<HTMLTextAreaElement>(null);
  const fit = () => { const it = area.current!; it.style.height = "auto"; it.style.height = `${it.scrollHeight + 2}px`; };
  useLayoutEffect(() => { fit(); area.current!.focus(); }, []);
  const send = () => {
    const text = area.current!.value.trim();
    const images = imagesOf(message);
    if (!text && !images.length) return;
    close();
    void askDifferently(chat, message.parent_id, text, images);
  };
  return (
    <div class="editor">
      <textarea ref={area} rows={1} aria-label={t.editQuestion} dir="auto" onInput={fit} defaultValue={textOf(message)}
                onKeyDown={(event) => {
                  if (event.key === "Escape") { event.stopPropagation(); close(); }
                  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); send(); }
                }} />
      <div class="buttons">
        <button type="button" class="quiet" onClick={close}>{t.cancel}</button>
        <button type="button" class="primary" onClick={send}>{t.sendEdited}</button>
      </div>
    </div>
  );
}

export function QuestionText({ text }: { text: string }) {
  const t = words();
  const [open, setOpen] = useState(false);
  const long = text.length > LONG;
  return (
    <>
      <div class="bubble" dir="auto">{long && !open ? `${text.slice(0, LONG)}…` : text}</div>
      {long && <button type="button" class="link" onClick={() => setOpen(!open)}>{open ? t.showLess : t.showAll}</button>}
    </>
  );
}

export function Question({ chat, message, versions, tools, idle }: Props) {
  const t = words();
  const [editing, setEditing] = useState(false);
  const text = textOf(message);
  return (
    <article class="message question" data-id={message.id} aria-label={t.you}>
      {editing ? <Editor chat={chat} message={message} close={() => setEditing(false)} /> : <>
        <Pictures images={imagesOf(message)} />
        {text && <QuestionText text={text} />}
        <div class={toolsOf(versions)}>
          {versions.length > 1 && <Switcher chat={chat} id={message.id} versions={versions} />}
          {tools && <CopyButton text={text} />}
          {tools && idle && <button type="button" class="icon-button small" aria-label={t.edit} title={t.edit} onClick={() => setEditing(true)}><Pencil size={17} /></button>}
        </div>
      </>}
    </article>
  );
}

const failures = new Map<string, Problem>(); // By run, because messages leave the page and come back.

// The reason why an answer failed, from its run.
function Failure({ message }: { message: Message }) {
  const id = message.run_id;
  const [error, setError] = useState<unknown>((id && failures.get(id)) || null);
  useEffect(() => {
    if (!id || failures.has(id)) return;
    calls.chat.run(id).then((run) => {
      if (!run.error) return;
      failures.set(id, new Problem(run.error as ProblemBody));
      setError(failures.get(id));
    }, () => undefined);
  }, [id]);
  return error ? <ErrorNote error={error} /> : <p class="ending bad">{words().failedHere}</p>;
}

function Ending({ message, empty }: { message: Message; empty: boolean }) {
  const t = words();
  switch (message.stop_reason) {
    case "cancelled": return <p class="ending">{t.stoppedHere}</p>;
    case "interrupted": return <p class="ending">{t.interruptedHere}</p>;
    case "max_tokens": return <p class="ending">{t.tooLongHere}</p>;
    case "error": return <Failure message={message} />;
    default: return empty ? <p class="ending">{t.emptyAnswer}</p> : null;
  }
}

function AnswerTools({ chat, message, text, idle }: { chat: Chat; message: Message; text: string; idle: boolean }) {
  const t = words();
  return (
    <>
      {text && <CopyButton text={text} />}
      {idle && message.parent_id && (
        <button type="button" class="icon-button small" aria-label={t.askAgain} title={t.askAgain}
                onClick={() => void askAgain(chat, message.parent_id!)}><Again size={17} /></button>
      )}
      {message.model && <span class="fine model">{message.model}</span>}
      <time class="fine" dateTime={message.created_at}>{formatMoment(message.created_at)}</time>
    </>
  );
}

export function Answer({ chat, message, versions, tools, idle, last }: Props & { last: boolean }) {
  const t = words();
  const text = textOf(message);
  return (
    <article class={last ? "message answer last" : "message answer"} data-id={message.id} aria-label={t.assistant}>
      {text && <Markdown text={text} run={message.run_id} />}
      <Ending message={message} empty={!text} />
      <div class={toolsOf(versions)}>
        {versions.length > 1 && <Switcher chat={chat} id={message.id} versions={versions} />}
        {tools && <AnswerTools chat={chat} message={message} text={text} idle={idle} />}
      </div>
    </article>
  );
}
