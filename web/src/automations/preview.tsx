// What an automation would do: its schedule in words, its next times, and its message. The server checks everything
// and stores nothing.
import { useEffect, useState } from "preact/hooks";
import { automations, scheduleOf, type Definition, type Occurrence, type Preview as Checked } from "../api/automations";
import { Problem } from "../api/problem";
import { formatNumber, words } from "../text";
import { wordsOf } from "../ui/errors";
import { dueText, withNext } from "./schedule";
import { sampleValues } from "./template";

const SOON = 500; // While the user types, nothing is requested.
const SHOWN = 5;

export function Times({ times, zone }: { times: Occurrence[]; zone: string | null | undefined }) {
  const t = words().automations;
  const notes = { moved_by_clock_change: t.moved, first_of_two: t.firstOfTwo };
  return (
    <ol class="times">{times.map(({ scheduled_for, note }) => (
      <li key={scheduled_for}><time dateTime={scheduled_for}>{dueText(scheduled_for, zone)}</time>{note && <span class="fine"> ({notes[note]})</span>}</li>
    ))}</ol>
  );
}

interface Answer {
  of: string; // The definition that it is about.
  checked: Checked | null;
  error: unknown;
}

// The last answer stays while the next one is fetched; it is then not `current`.
function usePreview(definition: Definition | null): Answer & { current: boolean } {
  const [state, setState] = useState<Answer>({ of: "", checked: null, error: null });
  const text = JSON.stringify(definition);
  useEffect(() => {
    if (!definition) return setState({ of: text, checked: null, error: null });
    const stop = new AbortController();
    const timer = setTimeout(() => {
      // A schedule can be checked before the rest is written.
      const body = { ...definition, name: definition.name || "-", message: definition.message || "-", count: SHOWN, payload: sampleValues(definition.variables) };
      automations.preview(body, stop.signal).then(
        (checked) => setState({ of: text, checked, error: null }),
        (error: unknown) => { if (!stop.signal.aborted) setState({ of: text, checked: null, error }); });
    }, SOON);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  return { ...state, current: state.of === text };
}

const faultsOf = (error: unknown): string[] =>
  error instanceof Problem && error.faults.length ? error.faults.map(({ pointer, detail }) => `${pointer?.split("/").at(-1) ?? ""} ${detail}`.trim()) : [wordsOf(error)];

// Null: something is `missing` in the form.
export function Preview({ definition, missing }: { definition: Definition | null; missing: string }) {
  const t = words().automations;
  const { checked, error, current } = usePreview(definition);
  const trigger = definition?.trigger ?? null;
  const summary = !definition ? missing : trigger ? withNext(trigger, current ? checked?.occurrences[0] : undefined) : t.previewHand;
  return (
    <section class="card preview" aria-label={t.preview} aria-busy={!current}>
      <h2>{t.preview}</h2>
      <div role="status" aria-live="polite">
        <p class="schedule-words">{summary}</p>
        {error !== null && faultsOf(error).map((fault) => <p key={fault} class="fault">{fault}</p>)}
        {checked?.warnings.map((warning) => <p key={warning} class="fault">{warning}</p>)}
      </div>
      {checked && checked.occurrences.length > 1 && <Times times={checked.occurrences} zone={scheduleOf(trigger)?.time_zone} />}
      {checked && definition?.message && (
        <details class="more"><summary>{t.asSent} ({t.tokens(formatNumber(checked.input_tokens))})</summary><p class="sent" dir="auto">{checked.message}</p></details>
      )}
    </section>
  );
}
