// Icons of this app: 24 units, strokes in the colour of the text. Screen readers ignore them; the
// button has the name.
import type { ComponentChildren } from "preact";

function icon(...paths: string[]) {
  return function Icon({ size = 20, children }: { size?: number; children?: ComponentChildren }) {
    return (
      <svg class="icon" width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75"
           stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">
        {paths.map((d) => <path key={d} d={d} />)}
        {children}
      </svg>
    );
  };
}

export const Plus = icon("M12 5v14", "M5 12h14");
export const Search = icon("M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14z", "M20 20l-4.0-4.0");
export const Send = icon("M12 19V5", "M5.5 11.5 12 5l6.5 6.5");
export const Stop = icon("M8 7h8a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1z");
export const Dots = icon("M5.2 12a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0z", "M11.4 12a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0z", "M17.6 12a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0z");
export const Menu = icon("M4 7h16", "M4 12h16", "M4 17h16");
export const Panel = icon("M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z", "M9.5 4v16");
export const Close = icon("M6 6l12 12", "M18 6 6 18");
export const Copy = icon("M9 9h10a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1z", "M16 9V5a1 1 0 0 0-1-1H5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h3");
export const Check = icon("M5 12.500l4.5 4.500L19 7.5");
export const Again = icon("M20 11a8 8 0 1 0-2.3 6.3", "M20 4.500V11h-6.5");
export const Pencil = icon("M4 20h4L19 9l-4-4L4 16z", "M13.5 6.500l4 4");
export const Left = icon("M14.5 6l-6 6 6 6");
export const Right = icon("M9.5 6l6 6-6 6");
export const Down = icon("M6 9.500l6 6 6-6");
export const ArrowDown = icon("M12 5v14", "M5.5 12.5 12 19l6.5-6.5");
export const Box = icon("M4 5h16v4H4z", "M5.5 9v10h13V9", "M10 13h4");
export const Trash = icon("M4 7h16", "M9 7V4.500h6V7", "M6 7l1 13h10l1-13", "M10 11v5", "M14 11v5");
export const Download = icon("M12 4v11", "M7 10.500l5 5 5-5", "M5 20h14");
export const Sliders = icon("M4 7h10", "M18 7h2", "M16 5v4", "M4 17h4", "M12 17h8", "M10 15v4");
export const Gear = icon("M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z", "M12 3v2.5", "M12 18.500V21", "M3 12h2.5", "M18.5 12H21", "M5.6 5.600l1.8 1.8", "M16.6 16.600l1.8 1.8", "M18.4 5.600l-1.8 1.8", "M7.4 16.600l-1.8 1.8");
export const Person = icon("M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8z", "M4.5 20c.8-3.6 3.8-5.5 7.5-5.500s6.7 1.9 7.5 5.5");
export const Key = icon("M8 12.500a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z", "M10.5 13.5 19 5", "M16 8l2.5 2.5");
export const People = icon("M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z", "M2.5 19.500c.6-3 3.2-4.7 6.5-4.700s5.9 1.7 6.5 4.7", "M16 5.300a3.5 3.5 0 0 1 0 6.4", "M18 15.200c1.8.6 3.1 2.1 3.5 4.3");
export const List = icon("M8 7h12", "M8 12h12", "M8 17h12", "M4 7h.01", "M4 12h.01", "M4 17h.01");
export const Gauge = icon("M4.5 17a8.5 8.5 0 1 1 15 0", "M12 14l3.5-4.5");
export const Keyboard = icon("M4 6.500h16a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1z", "M7 10.500h.01", "M12 10.500h.01", "M17 10.500h.01", "M8.5 14h7");
export const Door = icon("M13 4H6a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h7", "M10 12h10", "M16.5 8.5 20 12l-3.5 3.5");
export const Clip = icon("M19 11.500l-7.2 7.200a4.5 4.5 0 0 1-6.4-6.400l7.5-7.500a3 3 0 0 1 4.3 4.300l-7.5 7.500a1.5 1.5 0 0 1-2.2-2.200l6.7-6.7");
export const Alert = icon("M12 4 2.8 19.500h18.400z", "M12 10v4.5", "M12 17h.01");
export const Info = icon("M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z", "M12 11v5", "M12 8h.01");
export const Clock = icon("M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z", "M12 7.500V12l3 2");
export const Play = icon("M8 5.500v13l10.5-6.500z");
export const Pause = icon("M9 6v12", "M15 6v12");
export const Book = icon("M5 4.500h11a3 3 0 0 1 3 3V20H8a3 3 0 0 1-3-3z", "M5 17a3 3 0 0 1 3-3h11");

export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg class="logo" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="9" fill="var(--accent)" />
      <path d="M8 9.500h16a1.5 1.5 0 0 1 1.5 1.500v8a1.5 1.5 0 0 1-1.5 1.500h-8.500l-4.6 3.800a.6.6 0 0 1-1-.46V20.500H8A1.5 1.5 0 0 1 6.5 19v-8A1.5 1.5 0 0 1 8 9.500z" fill="var(--on-accent)" />
      <path d="M11 15h.01M16 15h.01M21 15h.01" stroke="var(--accent)" stroke-width="2.6" stroke-linecap="round" />
    </svg>
  );
}
