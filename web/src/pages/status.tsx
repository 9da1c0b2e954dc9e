// For operators: the state of the server. It shows all fields of the response by their names, so that new
// fields need no change here.
import { useEffect, useState } from "preact/hooks";
import * as calls from "../api/calls";
import { Problem } from "../api/problem";
import { formatBytes, formatNumber, formatTime, words } from "../text";
import { ErrorNote } from "../ui/errors";
import { Page } from "./page";
import { adminTabs } from "./tabs";

type Value = unknown;

const isObject = (value: Value): value is Record<string, Value> => typeof value === "object" && value !== null && !Array.isArray(value);
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

export function show(name: string, value: Value): string {
  const t = words();
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? t.yes : t.no;
  if (typeof value === "number") return /bytes$/.test(name) ? formatBytes(value) : formatNumber(value);
  const text = String(value);
  if (name === "state") return t.states[text] ?? text;
  return TIME.test(text) ? formatTime(text) : text;
}

// An unknown field is shown by its own name.
const label = (name: string) => {
  const known = words().facts[name];
  if (known) return known;
  const plain = name.replace(/_bytes$/, "").replaceAll("_", " ");
  return plain.charAt(0).toLocaleUpperCase() + plain.slice(1);
};

function Facts({ of }: { of: Record<string, Value> }) {
  return (
    <dl class="facts">
      {Object.entries(of).filter(([name, value]) => name !== "object" && !isObject(value) && !Array.isArray(value)).map(([name, value]) => (
        <div key={name}><dt>{label(name)}</dt><dd>{show(name, value)}</dd></div>
      ))}
    </dl>
  );
}

function Section({ name, value }: { name: string; value: Value }) {
  if (Array.isArray(value))
    return <section class="card"><h2>{label(name)}</h2>{value.map((each, at) => <div class="fact-group" key={at}>{isObject(each) ? <Facts of={each} /> : show(name, each)}</div>)}</section>;
  if (!isObject(value)) return null;
  return <section class="card"><h2>{label(name)}</h2><Facts of={value} />{Object.entries(value).filter(([, inner]) => isObject(inner) || Array.isArray(inner)).map(([inner, each]) => <Section key={inner} name={inner} value={each} />)}</section>;
}

export function StatusPage() {
  const t = words();
  const [status, setStatus] = useState<Record<string, Value> | null>(null);
  const [error, setError] = useState<unknown>(null);
  const load = () => { setError(null); calls.status().then(setStatus, setError); };
  useEffect(load, []);
  const absent = error instanceof Problem && error.status === 404;
  return (
    <Page title={t.status} lead={t.statusLead} tabs={adminTabs("status")} action={<button type="button" class="quiet" onClick={load}>{t.refresh}</button>}>
      {absent ? <p class="lead">{t.notOffered}</p> : <ErrorNote error={error} retry={load} />}
      {!status && !error && <p class="lead">{t.loading}</p>}
      {status && <section class="card"><Facts of={status} /></section>}
      {status && Object.entries(status).map(([name, value]) => <Section key={name} name={name} value={value} />)}
    </Page>
  );
}
