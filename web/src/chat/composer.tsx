// The input for questions: grows with its text, keeps a draft, accepts text files, and images if the model sees them.
import { useEffect, useRef, useState } from "preact/hooks";
import { blockedUntil } from "../api/limits";
import { ask, stopSending, type Preset } from "../sessions/ask";
import type { Attached, Chat } from "../sessions/chat";
import { forgetDraft, loadDraft, newKey, saveDraft } from "../sessions/drafts";
import { stopRun } from "../streams/runs";
import { words } from "../text";
import { useCountdown, wordsOf } from "../ui/errors";
import { Clip, Send, Stop } from "../ui/icons";
import { toast } from "../ui/toasts";
import { bytesOf, fenced, LONGEST_MESSAGE, readText } from "./files";
import { AttachedImages, forget, isImage, readImage } from "./images";
import { modelOf, seesImages } from "./models";

interface Props {
  chat: Chat;
  preset: Preset;
  sent: () => void;
}

function useDraft(chat: Chat) {
  const [text, setText] = useState("");
  const key = useRef<string>(newKey());
  const place = useRef(chat.id);
  useEffect(() => {
    let current = true;
    void loadDraft(chat.id).then((draft) => {
      if (!current || !draft) return;
      key.current = draft.key;
      setText(draft.text);
    }, () => undefined);
    return () => { current = false; };
  }, []);
  const change = (next: string) => {
    key.current = newKey();
    setText(next);
    saveDraft(place.current, { text: next, key: key.current });
  };
  // In one step: text that is typed next is a new draft, in the current session.
  const clear = () => {
    const sent = place.current;
    place.current = chat.id;
    key.current = newKey();
    setText("");
    void forgetDraft(sent).catch(() => undefined);
  };
  return { text, key, change, clear };
}

export function Composer({ chat, preset, sent }: Props) {
  const t = words();
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [stopping, setStopping] = useState<string | null>(null);
  const [over, setOver] = useState(false);
  const [images, setImages] = useState<Attached[]>([]);
  const draft = useDraft(chat);
  const run = chat.answering.value;
  const pending = chat.pending.value;
  const wait = useCountdown(blockedUntil.value["chat"] ?? 0);
  const size = draft.text.length > LONGEST_MESSAGE / 4 ? bytesOf(draft.text) : 0;
  const tooLong = size > LONGEST_MESSAGE;
  const sees = seesImages(modelOf(chat, preset));
  const ready = (!!draft.text.trim() || images.length > 0) && !run && !pending && !tooLong && wait === 0;

  // Not on phones, where the keyboard would cover the page.
  const settle = () => (matchMedia("(hover: hover)").matches ? area.current?.focus() : area.current?.blur());
  useEffect(() => { settle(); }, []);
  useEffect(() => {
    const it = area.current!;
    it.style.height = "auto";
    it.style.height = `${it.scrollHeight}px`;
  }, [draft.text, pending]);

  const send = async () => {
    if (!ready) return;
    const asked = draft.text.trim() ? draft.text : "";
    sent();
    if (await ask(chat, asked, images, draft.key.current, preset)) {
      draft.clear();
      forget(images);
      setImages([]);
    }
    settle();
  };
  const stop = () => {
    if (pending) return stopSending();
    if (!run) return undefined;
    setStopping(run.id);
    settle(); // The button disappears, and with it the focus.
    return stopRun(run.id).catch((error) => { setStopping(null); toast(wordsOf(error)); });
  };
  const add = async (files: File[]) => {
    let text = draft.text;
    const shown = [...images];
    for (const file of files) {
      if (sees && isImage(file)) {
        const image = await readImage(file, shown);
        if (image) shown.push(image);
        else toast(t.imageUnusable(file.name));
        continue;
      }
      const read = await readText(file);
      if (read === "notText" || read === "tooLarge") toast(t[read](file.name));
      else text += `${text && !text.endsWith("\n") ? "\n\n" : ""}${fenced(file.name, read)}`;
    }
    if (text !== draft.text || shown.length !== images.length) draft.change(text); // Also for images: another question has another key.
    setImages(shown);
    area.current?.focus();
  };
  const remove = (image: Attached) => {
    forget([image]);
    setImages(images.filter((other) => other !== image));
    draft.change(draft.text);
    area.current?.focus();
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void add([...(event.dataTransfer?.files ?? [])]); // The browser empties its own list, so it is copied.
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!files.length) return;
    event.preventDefault();
    void add(files);
  };
  const hasFiles = (event: DragEvent) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const busy = !!run || !!pending;
  return (
    <form class={over ? "composer over" : "composer"} onSubmit={(event) => { event.preventDefault(); void send(); }}
          onDragOver={(event) => { if (hasFiles(event)) { event.preventDefault(); setOver(true); } }}
          onDragLeave={() => setOver(false)} onDrop={onDrop}>
      {wait > 0 && <p class="composer-note" role="status">{t.limitHit(wait)}</p>}
      {tooLong && <p class="composer-note" role="status">{t.messageTooLong(Math.ceil(size / 1024))}</p>}
      {!pending && <AttachedImages images={images} remove={remove} />}
      <textarea ref={area} id="composer" rows={1} dir="auto" aria-label={t.message} placeholder={over ? (sees ? t.dropAnyHere : t.dropHere) : t.placeholder}
                value={pending?.text != null ? "" : draft.text} readOnly={!!pending} onInput={(event) => draft.change(event.currentTarget.value)} onPaste={onPaste}
                onKeyDown={(event) => {
                  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
                  event.preventDefault();
                  void send();
                }} />
      <div class="composer-row">
        <input ref={picker} type="file" multiple hidden onChange={(event) => { void add([...(event.currentTarget.files ?? [])]); event.currentTarget.value = ""; }} />
        <button type="button" class="icon-button" aria-label={sees ? t.attachAny : t.attach} title={sees ? t.attachAny : t.attach} onClick={() => picker.current?.click()}><Clip /></button>
        <span class="grow" />
        {busy
          ? <button type="button" class="round" aria-label={stopping === run?.id && run ? t.stopping : t.stop} title={t.stop}
                    disabled={!!run && stopping === run.id} onClick={() => void stop()}><Stop /></button>
          : <button class="round" aria-label={t.send} title={t.send} disabled={!ready}><Send /></button>}
      </div>
    </form>
  );
}
