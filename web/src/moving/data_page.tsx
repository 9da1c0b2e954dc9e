// A user's own data: import, export, and how long conversations are kept.
import { useState } from "preact/hooks";
import * as calls from "../api/calls";
import { noteUser, user } from "../auth/login";
import { Page } from "../pages/page";
import { settingsTabs } from "../pages/tabs";
import { downloadBlob } from "../sessions/export";
import { words } from "../text";
import { ErrorNote, wordsOf } from "../ui/errors";
import { Select } from "../ui/form";
import { Download } from "../ui/icons";
import { toast } from "../ui/toasts";
import { importFile, progress, shownFailures, stopImport, type Failure, type Progress } from "./importing";
import { UnknownFormat, Unreadable } from "./source";

function Export() {
  const t = words().data;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async () => {
    setBusy(true);
    setError(null);
    try {
      downloadBlob("parley-export.ndjson", await calls.moving.export());
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return (
    <section class="card">
      <h2>{t.exportTitle}</h2>
      <p class="lead">{t.exportLead}</p>
      <ErrorNote error={error} />
      <div class="buttons"><button type="button" class="quiet with-icon" disabled={busy} onClick={() => void save()}><Download size={18} />{busy ? t.exporting : t.exportAll}</button></div>
    </section>
  );
}

const reasonOf = ({ reason }: Failure): string => (typeof reason === "string" ? words().data[reason] : wordsOf(reason));

function Outcome({ now }: { now: Progress }) {
  const t = words().data;
  const running = now.state === "running";
  const parts = [t.imported(now.imported), ...(now.known ? [t.knownBefore(now.known)] : []), ...(now.skipped ? [t.skipped(now.skipped)] : []), ...(now.failures.length ? [t.failed(now.failures.length)] : [])];
  const readable = now.error instanceof UnknownFormat ? t.unknownFormat : now.error instanceof Unreadable ? t.notReadable : null;
  return (
    <div class="import-outcome">
      <p role="status">{running ? t.importing(now.imported + now.known + now.failures.length) : `${now.state === "stopped" ? `${t.stopped}. ` : ""}${parts.join(", ")}.`}</p>
      {running && <div class="buttons"><button type="button" class="quiet" onClick={stopImport}>{t.stopImport}</button></div>}
      {readable ? <p class="fault" role="alert">{readable}</p> : <ErrorNote error={now.error} />}
      {now.failures.length > 0 && <ul class="failures">{shownFailures(now).map((each, at) => <li key={at} dir="auto"><b>{each.title || t.untitled}</b>: {reasonOf(each)}</li>)}</ul>}
    </div>
  );
}

function Import() {
  const t = words().data;
  const now = progress.value;
  const choose = (input: HTMLInputElement) => {
    const file = input.files?.[0];
    input.value = ""; // So that the same file can be chosen again.
    if (file) void importFile(file);
  };
  return (
    <section class="card">
      <h2>{t.importTitle}</h2>
      <p class="lead">{t.importLead}</p>
      <div class="buttons"><label class="quiet button">{t.chooseFile}<input type="file" class="unseen" accept=".json,.ndjson,.jsonl,.zip" disabled={now?.state === "running"} onChange={(event) => choose(event.currentTarget)} /></label></div>
      {now && <Outcome now={now} />}
    </section>
  );
}

const CHOICES = [7, 30, 90, 180, 365, 730];

function Retention() {
  const t = words().data;
  const [error, setError] = useState<unknown>(null);
  const days = user.value?.retention_days ?? null;
  const all = days === null || CHOICES.includes(days) ? CHOICES : [...CHOICES, days].sort((a, b) => a - b);
  const change = async (next: string) => {
    setError(null);
    try {
      await noteUser(await calls.me.retain(next ? Number(next) : null));
      toast(words().saved);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <section class="card">
      <h2>{t.retentionTitle}</h2>
      <p class="lead">{t.retentionLead}</p>
      <div class="row-form"><Select label={t.retention} name="retention" value={days === null ? "" : String(days)} onChange={(next) => void change(next)}
        options={[["", t.retentionNever], ...all.map((each): [string, string] => [String(each), t.retentionDays(each)])]} /></div>
      <ErrorNote error={error} />
    </section>
  );
}

export function DataPage() {
  const t = words();
  return <Page title={t.data.title} lead={t.data.lead} tabs={settingsTabs("data")}><Export /><Import /><Retention /></Page>;
}
