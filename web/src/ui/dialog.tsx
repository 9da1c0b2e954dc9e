// A dialog over the page: the browser's own element, which keeps the focus inside and closes on Escape.
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../text";
import { Close } from "./icons";

interface Props {
  title: string;
  close: () => void;
  children: ComponentChildren;
  side?: boolean;
}

export function Dialog({ title, close, children, side }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const former = document.activeElement;
    element.current?.showModal();
    return () => former instanceof HTMLElement && former.isConnected && former.focus();
  }, []);
  return (
    <dialog ref={element} class={side ? "dialog side" : "dialog"} aria-labelledby={id} onClose={close}
            onMouseDown={(event) => event.target === element.current && close()}>
      <div class="dialog-inner">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" class="icon-button" aria-label={words().close} onClick={close}><Close /></button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
