// The event log of the user, newest first. New events appear as they are logged.
import { useEffect, useRef, useState } from "preact/hooks";
import { events } from "../api/events";
import { automationTabs } from "../automations/tabs";
import { ListFoot } from "../pages/list_parts";
import { useListing } from "../pages/listing";
import { Page } from "../pages/page";
import { logOpen } from "../sessions/news";
import type { LogEvent } from "../streams/log";
import { hear } from "../tabs/channel";
import { formatNumber, formatTime, words } from "../text";
import { Select } from "../ui/form";
import { automationLink, chatLink, webhookLink } from "../ui/route";
import { readBackwards } from "./backwards";
import { FAMILIES, fits, typeText } from "./types";

// The page on which the object of an event is; none if it is gone.
function linkOf({ type, id, session, automation }: LogEvent): string | null {
  if (type.endsWith(".deleted")) return null;
  if (type.startsWith("chat.session.")) return chatLink(id);
  if (type.startsWith("chat.run.")) return session && chatLink(session);
  if (type.startsWith("automation.")) return automation && automationLink(automation);
  if (type.startsWith("webhook.")) return webhookLink(id);
  if (type.startsWith("token.")) return "#/settings/tokens";
  return type.startsWith("login.") ? "#/settings/logins" : null;
}

function Row({ event }: { event: LogEvent }) {
  const t = words().webhooks;
  const link = linkOf(event);
  const text = typeText(event.type);
  return (
    <li>
      <div class="row-words">
        <p>{link ? <a class="row-name" href={link}>{text}</a> : <b>{text}</b>}</p>
        <p class="fine"><time dateTime={event.time}>{formatTime(event.time)}</time>
          {event.cause && event.type.startsWith("chat.") && <> · <a href={automationLink(event.cause)}>{t.byAutomation}</a></>} · <code>{event.type}</code></p>
      </div>
      <span class="fine number" title={t.number}>{formatNumber(event.at)}</span>
    </li>
  );
}

// The number up to which the log is still to be read is the cursor of the list.
async function pageOf(after: string | null, types: string) {
  if (after === null) await logOpen();
  const end = after === null ? await events.latest() : Number(after);
  const { events: data, rest } = await readBackwards(end, (number) => events.after(number, types));
  return { data, has_more: rest > 0, next_cursor: rest > 0 ? String(rest) : null };
}

function merge(all: LogEvent[], news: LogEvent[]): LogEvent[] {
  const known = new Set(all.map(({ at }) => at));
  const added = news.filter(({ at }) => !known.has(at));
  return added.length ? [...added, ...all].sort((a, b) => b.at - a.at) : all;
}

// New events also arrive while the first page is fetched: they are kept until it is there.
function useLog(types: string) {
  const heard = useRef<LogEvent[]>([]);
  const listing = useListing<LogEvent>(async (after) => {
    if (after === null) heard.current = [];
    const page = await pageOf(after, types);
    return after === null ? { ...page, data: merge(page.data, heard.current) } : page;
  }, types);
  const reload = useRef(listing.reload);
  reload.current = listing.reload;
  useEffect(() => {
    const ends = [
      hear("logged", ({ events: news }) => {
        const fitting = news.filter(({ type }) => !types || fits([types], type));
        if (!fitting.length) return;
        heard.current = [...heard.current, ...fitting];
        listing.change((all) => merge(all, fitting));
      }),
      hear("list-stale", () => reload.current()),
      hear("log", ({ fresh }) => fresh && reload.current()), // Earlier events do not arrive from here on.
    ];
    return () => ends.forEach((end) => end());
  }, [types]);
  return listing;
}

export function EventsPage() {
  const t = words().webhooks;
  const [types, setTypes] = useState("");
  const listing = useLog(types);
  const options: [string, string][] = [["", t.anyType], ...FAMILIES.flatMap(({ all, types: each }) => [...(all ? [all] : []), ...each].map((type): [string, string] => [type, typeText(type)]))];
  return (
    <Page title={t.log} lead={t.logLead} tabs={automationTabs("events")}>
      <section class="ledger">
        <div class="ledger-head"><Select label={t.logFilter} name="types" value={types} onChange={setTypes} options={options} /></div>
        {listing.rows.length > 0 && <ul class="rows events">{listing.rows.map((event) => <Row key={event.at} event={event} />)}</ul>}
        <ListFoot listing={listing} empty={t.noLog} />
      </section>
    </Page>
  );
}
