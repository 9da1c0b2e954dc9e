// A button that opens a list of actions: arrow keys move, Escape and a click elsewhere close.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Check } from "./icons";

export interface Action {
  name: string;
  icon?: ComponentChildren;
  danger?: boolean;
  checked?: boolean; // For one of several alternatives.
  run: () => void;
}

interface Props {
  label: string;
  actions: Action[];
  children: ComponentChildren;
  class?: string;
  up?: boolean;
}

export function MenuButton({ label, actions, children, class: name = "icon-button", up }: Props) {
  const [place, setPlace] = useState<DOMRect | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = (refocus: boolean) => {
    setPlace(null);
    if (refocus) button.current?.focus();
  };
  return (
    <>
      <button type="button" ref={button} class={name} aria-label={label} aria-haspopup="menu" aria-expanded={!!place}
              onClick={() => setPlace(place ? null : button.current!.getBoundingClientRect())}>{children}</button>
      {place && <Menu label={label} actions={actions} place={place} close={close} up={up ?? false} />}
    </>
  );
}

const ITEM = "[role^=menuitem]";

interface OpenMenu {
  label: string;
  actions: Action[];
  place: DOMRect; // The position of its button.
  close: (refocus: boolean) => void;
  up: boolean;
}

export function Menu({ label, actions, place, close, up }: OpenMenu) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const menu = element.current!;
    menu.showPopover?.(); // Above everything, even if the button is clipped or moved.
    const { width, height } = menu.getBoundingClientRect();
    const below = up ? place.top - height - 6 : place.bottom + 6;
    const top = below + height > innerHeight - 8 ? place.top - height - 6 : below;
    const rtl = getComputedStyle(menu).direction === "rtl";
    const left = rtl || place.left + width < innerWidth - 8 ? place.left : place.right - width;
    menu.style.top = `${Math.max(8, top)}px`;
    menu.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
    menu.style.visibility = "visible";
    (menu.querySelector<HTMLElement>("[aria-checked=true]") ?? menu.querySelector<HTMLElement>(ITEM))?.focus();
    const outside = (event: Event) => !menu.contains(event.target as Node) && close(false);
    const away = () => close(false);
    addEventListener("pointerdown", outside, true);
    addEventListener("resize", away);
    return () => {
      removeEventListener("pointerdown", outside, true);
      removeEventListener("resize", away);
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...element.current!.querySelectorAll<HTMLElement>(ITEM)];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      items[to % items.length]?.focus();
    } else if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      event.stopPropagation();
      close(true);
    }
  };
  return (
    <div ref={element} class="menu" popover="manual" role="menu" aria-label={label} onKeyDown={onKeyDown}>
      {actions.map((action) => (
        <button type="button" role={action.checked === undefined ? "menuitem" : "menuitemradio"} aria-checked={action.checked} tabIndex={-1} key={action.name} class={action.danger ? "danger" : ""}
                onClick={(event) => { event.stopPropagation(); close(true); action.run(); }}>
          {action.icon}<span class="grow clip">{action.name}</span>{action.checked && <Check />}
        </button>
      ))}
    </div>
  );
}
