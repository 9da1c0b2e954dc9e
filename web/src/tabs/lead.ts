// The duties of the leading tab. Other parts of the app register theirs before it starts.
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
