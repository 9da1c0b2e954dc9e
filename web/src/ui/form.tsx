// Fields and forms; faults of a field are shown beside it.
import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Problem } from "../api/problem";
import { words } from "../text";
import { ErrorNote } from "./errors";

interface InputProps {
  name: string;
  type?: "text" | "url" | "password" | "number" | "date" | "time" | "datetime-local" | "search" | undefined;
  autocomplete?: string;
  autocapitalize?: "off";
  spellcheck?: boolean;
  inputMode?: "decimal" | "numeric";
  required?: boolean;
  autofocus?: boolean;
  minLength?: number;
  maxLength?: number;
  min?: number;
  max?: number;
  step?: number | "any";
  placeholder?: string;
  defaultValue?: string | number | undefined;
  pattern?: string | undefined;
  list?: string | undefined;
}

interface SelectProps {
  label: string;
  name: string;
  options: [string, string][];
  value?: string | undefined;
  onChange?: (value: string) => void;
}

// The server's message does not name the field, as in "is too long".
const sentence = (label: string, fault: string): string =>
  /^[a-z]/.test(fault) ? `${label} ${fault}${/[.!?]$/.test(fault) ? "" : "."}` : fault;

export function Field({ label, hint, error, ...input }: InputProps & { label: string; hint?: string | undefined; error?: string | undefined }) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} dir="auto" {...(input as JSX.IntrinsicElements["input"])} {...(described && { "aria-describedby": described })} aria-invalid={error ? "true" : undefined} />
      {hint && <p class="hint" id={`${id}-hint`}>{hint}</p>}
      {error && <p class="fault" id={`${id}-error`}>{sentence(label, error)}</p>}
    </div>
  );
}

export function PasswordField(props: InputProps & { label: string; hint?: string; error?: string | undefined }) {
  const [shown, setShown] = useState(false);
  const t = words();
  return (
    <div class="password">
      <Field {...props} type={shown ? "text" : "password"} spellcheck={false} autocapitalize="off" />
      <button type="button" class="link" aria-label={t.showPasswordOf(props.label)} aria-pressed={shown} onClick={() => setShown(!shown)}>{t.showPassword}</button>
    </div>
  );
}

export function TextArea({ label, hint, error, ...area }: Omit<JSX.IntrinsicElements["textarea"], "label"> & { label: string; hint?: string; error?: string | undefined }) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea id={id} {...area} {...(described && { "aria-describedby": described })} aria-invalid={error ? "true" : undefined} />
      {hint && <p class="hint" id={`${id}-hint`}>{hint}</p>}
      {error && <p class="fault" id={`${id}-error`}>{sentence(label, error)}</p>}
    </div>
  );
}

export function Select({ label, name, options, value, onChange }: SelectProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} onChange={(event) => onChange?.(event.currentTarget.value)}>
        {options.map(([each, words]) => <option key={each} value={each} selected={each === value}>{words}</option>)}
      </select>
    </div>
  );
}

interface FormProps {
  submit: (fields: FormData) => Promise<unknown>;
  button: string;
  danger?: boolean;
  cancel?: () => void;
  fields: (problem: Problem | undefined) => ComponentChildren;
  shownInFields?: string[]; // Faults of these fields are shown beside the field.
  watch?: (fields: FormData) => void; // Called with the current values after each change of them.
}

// The browser cannot show its message at a field that is folded away.
const reveal = (event: Event): void => (event.target as Element).closest("details")?.setAttribute("open", "");

// One submit at a time; an error is shown above the button and at its field.
export function Form({ submit, button, danger, cancel, fields, shownInFields = [], watch }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const seen = useRef("");
  const look = () => {
    const now = new FormData(form.current!);
    const text = JSON.stringify([...now]);
    if (text === seen.current) return;
    seen.current = text;
    watch?.(now);
  };
  useLayoutEffect(look); // A change may add or remove fields.
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const problem = error instanceof Problem ? error : undefined;
  const beside = problem?.faults.length && problem.faults.every((fault) => shownInFields.some((name) => fault.pointer === `#/${name}`));
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await submit(new FormData(event.currentTarget as HTMLFormElement));
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return (
    <form ref={form} class="form" onInput={look} onInvalidCapture={reveal} onSubmit={(event) => void onSubmit(event)}>
      {fields(problem)}
      {!beside && <ErrorNote error={error} />}
      <div class="buttons">
        {cancel && <button type="button" class="quiet" onClick={cancel}>{words().cancel}</button>}
        <button class={danger ? "primary danger" : "primary"} aria-busy={busy} disabled={busy}>{button}</button>
      </div>
    </form>
  );
}

export const textOfField = (fields: FormData, name: string): string => String(fields.get(name) ?? "");
