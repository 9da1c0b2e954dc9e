// An answer as Markdown. The elements inside belong to MarkdownView, not to the component tree: those shown while
// the answer grew stay on the page.
import { effect, type ReadonlySignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { MarkdownView } from "../markdown/view";

const STEP = 8_000; // Characters that are rendered per frame at most.

// Views of answers that have just ended or have left the page, by run, for reuse; the oldest first.
const kept = new Map<string, MarkdownView>();
const MOST_KEPT = 300_000; // Characters.
let keptLength = 0;

function drop(run: string): MarkdownView | undefined {
  const view = kept.get(run);
  if (view && kept.delete(run)) keptLength -= view.length;
  return view;
}

function keep(run: string, view: MarkdownView): void {
  drop(run);
  kept.set(run, view);
  keptLength += view.length;
  for (const oldest of kept.keys()) {
    if (keptLength <= MOST_KEPT || oldest === run) break;
    drop(oldest);
  }
}

const take = (run: string | null | undefined): MarkdownView => (run && drop(run)) || new MarkdownView();

// Shows a text gradually, frame by frame; returns a function that stops it.
function reveal(view: MarkdownView, text: () => string, whole: () => boolean, drawn: () => void): { more: () => void; stop: () => void } {
  let frame = 0;
  const draw = () => {
    frame = 0;
    const all = text();
    const upTo = Math.min(all.length, view.length + STEP);
    view.show(upTo < all.length ? all.slice(0, upTo) : all, upTo === all.length && whole());
    drawn();
    if (upTo < all.length) more();
  };
  const more = () => { frame ||= requestAnimationFrame(draw); };
  return { more, stop: () => cancelAnimationFrame(frame) };
}

// Renders an answer before it is on the page; false if it is already done.
export function prepare(text: string, run: string | null | undefined): boolean {
  if (!run || !text || text.length > STEP || kept.has(run)) return false;
  const view = new MarkdownView();
  view.show(text, true);
  keep(run, view);
  return true;
}

export function Markdown({ text, run }: { text: string; run: string | null | undefined }) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<MarkdownView | null>(null);
  useLayoutEffect(() => {
    if (!view.current) {
      view.current = take(run);
      host.current!.append(view.current.element);
    }
    const shown = view.current;
    if (text.length - shown.length <= STEP) {
      shown.show(text, true); // At once, so that the page has its final height.
      return undefined;
    }
    const { more, stop } = reveal(shown, () => text, () => true, () => undefined);
    more();
    return stop;
  }, [text]);
  useLayoutEffect(() => () => { if (run) keep(run, view.current!); }, [run]);
  return <div ref={host} />;
}

// The same for a growing answer: at most once per frame, however many deltas have arrived.
export function GrowingMarkdown({ text, run, grown }: { text: ReadonlySignal<string>; run: string; grown: () => void }) {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const view = new MarkdownView();
    host.current!.append(view.element);
    const { more, stop } = reveal(view, () => text.peek(), () => false, grown);
    const end = effect(() => {
      void text.value;
      more();
    });
    return () => {
      end();
      stop();
      keep(run, view);
    };
  }, [text]);
  return <div ref={host} />;
}
