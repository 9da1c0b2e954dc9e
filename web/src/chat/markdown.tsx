// An answer as Markdown. The elements inside belong to MarkdownView, not to the component tree.
import { effect, type ReadonlySignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { MarkdownView } from "../markdown/view";

export function Markdown({ text }: { text: string }) {
  const element = useRef<HTMLDivElement>(null);
  const view = useRef<MarkdownView | null>(null);
  useLayoutEffect(() => {
    view.current ??= new MarkdownView(element.current!);
    view.current.show(text, true);
  }, [text]);
  return <div class="markdown" ref={element} />;
}

// The same while it grows: at most once per frame, however many pieces have come.
export function GrowingMarkdown({ text, grown }: { text: ReadonlySignal<string>; grown: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new MarkdownView(element.current!);
    let frame = 0;
    const draw = () => {
      frame = 0;
      view.show(text.peek(), false);
      grown();
    };
    const stop = effect(() => {
      void text.value;
      frame ||= requestAnimationFrame(draw);
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [text]);
  return <div class="markdown growing" ref={element} />;
}
