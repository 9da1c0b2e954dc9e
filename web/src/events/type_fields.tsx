// A choice of types of events, by family.
import { useState } from "preact/hooks";
import { words } from "../text";
import { FAMILIES, kindOf, KNOWN, type Family } from "./types";

interface Box {
  type: string;
  name: string;
}

// While all types of a family are chosen, the single ones are not sent.
function FamilyFields({ family, chosen }: { family: Family; chosen: string[] }) {
  const t = words().webhooks;
  const [all, setAll] = useState(!!family.all && chosen.includes(family.all));
  const title = t.families[family.name] ?? family.name;
  const boxes: Box[] = family.types.map((type) => ({ type, name: t.kinds[type] ?? t.kinds[kindOf(type)] ?? type }));
  return (
    <div class="family" role="group" aria-label={title}>
      {family.all ? (
        <label class="check"><input type="checkbox" name="event_type" value={family.all} aria-label={t.allOf(title)} checked={all} onChange={(event) => setAll(event.currentTarget.checked)} /><b>{title}</b></label>
      ) : <b>{title}</b>}
      <div class="kinds">{boxes.map(({ type, name }) => (
        <label key={type} class="check"><input type="checkbox" name="event_type" value={type} defaultChecked={chosen.includes(type)} disabled={all} /><span>{name}</span></label>
      ))}</div>
    </div>
  );
}

export function EventTypeFields({ chosen, error }: { chosen: string[]; error?: string | undefined }) {
  const t = words().webhooks;
  const others = chosen.filter((type) => !KNOWN.has(type)); // Of a newer server, or patterns of another client.
  return (
    <fieldset class="families">
      <legend>{t.events}</legend>
      {FAMILIES.map((family) => <FamilyFields key={family.name} family={family} chosen={chosen} />)}
      {others.length > 0 && (
        <div class="family" role="group" aria-label={t.others}><b>{t.others}</b>
          <div class="kinds">{others.map((type) => <label key={type} class="check"><input type="checkbox" name="event_type" value={type} defaultChecked /><code>{type}</code></label>)}</div>
        </div>
      )}
      {error && <p class="fault">{error}</p>}
    </fieldset>
  );
}
