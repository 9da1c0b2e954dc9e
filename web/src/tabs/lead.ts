// What the tab that leads does for all tabs. Other parts of the app say so before they are started.
import { Leadership, type Duty } from "./leader";

const duties: Duty[] = [];
let leadership: Leadership | undefined;

export function onLead(duty: Duty): void {
  duties.push(duty);
}

export function startLeading(): void {
  leadership = new Leadership((over) => duties.forEach((duty) => duty(over)));
}

export const isLeading = (): boolean => leadership?.leading ?? false;

// Takes over from a tab that does not answer.
export const seize = (): void => leadership?.seize();
