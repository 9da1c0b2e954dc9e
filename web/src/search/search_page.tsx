// Search in all messages. The text is part of the address, so that the browser's own buttons lead back to the hits.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import * as calls from "../api/calls";
import type { SearchHit } from "../api/types";
import { ListFoot } from "../pages/list_parts";
import { useListing } from "../pages/listing";
import { Page } from "../pages/page";
import { formatTime, words } from "../text";
import { Search } from "../ui/icons";
import { messageLink, replace, searchLink } from "../ui/route";
import { partsOf } from "./snippet";

const PAUSE = 300;

function Hit({ hit }: { hit: SearchHit }) {
  const t = words();
  return (
    <li>
      <a class="hit" href={messageLink(hit.session_id, hit.message_id)}>
        <span class="hit-head"><b class="clip" dir="auto">{hit.session_title.trim() || t.untitled}</b>
          <span class="fine">{hit.role === "user" ? t.you : t.assistant} · <time dateTime={hit.created_at}>{formatTime(hit.created_at, "short")}</time></span></span>
        <span class="hit-text" dir="auto">{partsOf(hit.snippet, hit.marks).map(({ text, marked }, at) => (marked ? <mark key={at}>{text}</mark> : text))}</span>
      </a>
    </li>
  );
}

// The arrow keys go from the field to the hits, and from one to the next.
function onArrow(event: KeyboardEvent): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const stops = [...document.querySelectorAll<HTMLElement>("#find, .hit")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

function Hits({ text }: { text: string }) {
  const t = words();
  const listing = useListing<SearchHit>((after) => calls.search(text, after), text);
  const end = useRef<HTMLDivElement>(null);
  // The next hits are loaded before the end is reached.
  useEffect(() => {
    if (!listing.more || listing.loading || !end.current) return;
    const observer = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) listing.loadMore(); }, { rootMargin: "400px" });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [listing.more, listing.loading, listing.rows.length]);
  return (
    <>
      <p class="unseen" role="status">{listing.loading ? t.loading : t.data.hits(listing.rows.length, listing.more)}</p>
      {listing.rows.length > 0 && <ul class="rows hits">{listing.rows.map((hit) => <Hit key={hit.message_id} hit={hit} />)}</ul>}
      <ListFoot listing={listing} empty={t.data.noHits} />
      <div ref={end} />
    </>
  );
}

export function SearchPage({ text }: { text: string }) {
  const t = words();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text);
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (text !== typed.trim()) setTyped(text); // The reader went back.
  }, [text]);
  useEffect(() => {
    const timer = setTimeout(() => { if (typed.trim() !== text) replace(searchLink(typed.trim())); }, PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <Page title={t.data.search}>
      <div onKeyDown={onArrow}>
        <form class="search wide" role="search" onSubmit={(event) => { event.preventDefault(); replace(searchLink(typed.trim())); }}>
          <Search size={18} />
          <input id="find" ref={field} type="search" aria-label={t.data.search} placeholder={t.data.searchHint} value={typed} maxLength={500}
                 onInput={(event) => setTyped(event.currentTarget.value)} />
        </form>
        {text ? <Hits key={text} text={text} /> : <p class="lead">{t.data.searchLead}</p>}
      </div>
    </Page>
  );
}
