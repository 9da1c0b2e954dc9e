// Images of questions: attached in the composer, and shown in the conversation.
import { useEffect, useState } from "preact/hooks";
import * as calls from "../api/calls";
import type { Message } from "../api/types";
import type { Attached } from "../sessions/chat";
import { words } from "../text";
import { Close } from "../ui/icons";

const TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const LARGEST = 600 * 1024; // Bytes of all images in a message: in base64, with the text, they fit into a request.
const SCALES = [{ edge: 1536, quality: 0.85 }, { edge: 1024, quality: 0.8 }, { edge: 640, quality: 0.7 }];

export const isImage = (file: File): boolean => TYPES.includes(file.type);

const dataOf = (content: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error("unreadable"));
    reader.readAsDataURL(content);
  });

// Models scale images down, too.
async function scaled(content: Blob, edge: number, quality: number): Promise<Blob> {
  const source = await createImageBitmap(content);
  const scale = Math.min(1, edge / Math.max(source.width, source.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(source.width * scale));
  canvas.height = Math.max(1, Math.round(source.height * scale));
  canvas.getContext("2d")!.drawImage(source, 0, 0, canvas.width, canvas.height);
  source.close();
  return new Promise((resolve, reject) =>
    canvas.toBlob((made) => (made ? resolve(made) : reject(new Error("not drawn"))), "image/jpeg", quality));
}

// Null if the file is no image, or does not fit beside these.
export async function readImage(file: File, others: Attached[]): Promise<Attached | null> {
  const room = LARGEST - others.reduce((sum, { size }) => sum + size, 0);
  try {
    let content: Blob = file;
    for (const { edge, quality } of SCALES) if (content.size > room) content = await scaled(file, edge, quality);
    if (content.size > room) return null;
    return { name: file.name, size: content.size, url: await dataOf(content), preview: URL.createObjectURL(content) };
  } catch {
    return null;
  }
}

export function forget(images: Attached[]): void {
  for (const { preview } of images) if (preview) URL.revokeObjectURL(preview);
}

// The images of a stored question, as parts of a new one.
export const imagesOf = (message: Message): Attached[] =>
  message.content.flatMap((part) => (part.type === "image" && part.url ? [{ name: "", size: 0, url: part.url }] : []));

const MOST_KEPT = 30;
const kept = new Map<string, Promise<string>>(); // By path, because messages leave the page and come back.

// One after the other: a server gives one user only a few MiB at a time.
let previous: Promise<unknown> = Promise.resolve();

function load(path: string): Promise<string> {
  const known = kept.get(path);
  if (known) return known;
  const loading = previous.then(() => calls.chat.image(path)).then((content) => URL.createObjectURL(content));
  kept.set(path, loading);
  previous = loading.catch(() => kept.delete(path));
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest) {
    void kept.get(oldest)?.then((url) => URL.revokeObjectURL(url), () => undefined);
    kept.delete(oldest);
  }
  return loading;
}

// The place has the same height before and after, so that nothing moves.
function Picture({ image }: { image: Attached }) {
  const t = words();
  const [source, setSource] = useState<string | null>(image.preview ?? null);
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    if (image.preview) return undefined;
    let current = true;
    load(image.url).then((url) => current && setSource(url), () => current && setMissing(true));
    return () => { current = false; };
  }, [image.url]);
  const name = image.name || t.image;
  if (source) return <img class="picture" src={source} alt={name} />;
  return <span class="picture" role="img" aria-label={missing ? t.imageMissing : name}>{missing && t.imageMissing}</span>;
}

export function Pictures({ images }: { images: Attached[] }) {
  if (!images.length) return null;
  return <div class="pictures">{images.map((image) => <Picture key={image.url.slice(-80)} image={image} />)}</div>;
}

// Those of the next question.
export function AttachedImages({ images, remove }: { images: Attached[]; remove: (image: Attached) => void }) {
  const t = words();
  if (!images.length) return null;
  return (
    <ul class="attached">
      {images.map((image) => (
        <li key={image.preview}>
          <img src={image.preview} alt={image.name} />
          <button type="button" class="icon-button small" aria-label={t.removeImage(image.name)} title={t.removeImage(image.name)} onClick={() => remove(image)}><Close size={14} /></button>
        </li>
      ))}
    </ul>
  );
}
