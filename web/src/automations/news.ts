// Keeps a page of automations current: it hears from the event log what has changed, and fetches it.
import { useEffect, useRef } from "preact/hooks";
import type { List } from "../api/types";
import { useListing, type Listing } from "../pages/listing";
import type { AutomationNews } from "../sessions/digest";
import { logOpen } from "../sessions/news";
import { hear } from "../tabs/channel";

const MOST_FETCHED = 2; // If more has changed, one page of the list is fetched instead.
const BETWEEN = 2_000; // Requests count against the user's limits.

export interface Hearer {
  ids: (news: AutomationNews) => string[]; // The objects that this page must fetch again.
  deleted?: (ids: string[]) => void;
  fetchOne: (id: string) => unknown;
  fetchAll: () => unknown;
}

// Collects ids; fetches the first at once, further ones after a pause.
function gatherer(hearer: () => Hearer) {
  const changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = -Infinity;
  const flush = () => {
    timer = undefined;
    last = performance.now();
    const ids = [...changed];
    changed.clear();
    if (ids.length > MOST_FETCHED) hearer().fetchAll();
    else ids.forEach((id) => hearer().fetchOne(id));
  };
  return {
    add(ids: string[]) {
      ids.forEach((id) => changed.add(id));
      if (changed.size) timer ??= setTimeout(flush, Math.max(0, last + BETWEEN - performance.now()));
    },
    stop: () => clearTimeout(timer),
  };
}

export function useAutomationNews(hearer: Hearer): void {
  const now = useRef(hearer);
  now.current = hearer;
  useEffect(() => {
    const gathered = gatherer(() => now.current);
    const ends = [
      hear("automations", ({ news }) => {
        if (news.deleted.length) now.current.deleted?.(news.deleted);
        gathered.add(now.current.ids(news));
      }),
      hear("list-stale", () => now.current.fetchAll()),
      hear("log", ({ fresh }) => fresh && now.current.fetchAll()), // Earlier changes are not in the log from here on.
    ];
    return () => {
      gathered.stop();
      ends.forEach((end) => end());
    };
  }, []);
}

// A list that is fetched once the log is open, and then kept current.
export function useCurrentListing<T>(fetchPage: (after: string | null) => Promise<List<T>>, about: string,
                                     hearerOf: (listing: Listing<T>) => Omit<Hearer, "fetchAll">): Listing<T> {
  const begun = useRef(false);
  const listing = useListing<T>(async (after) => {
    await logOpen();
    begun.current = true;
    return fetchPage(after);
  }, about);
  useAutomationNews({ ...hearerOf(listing), fetchAll: () => begun.current && listing.reload() });
  return listing;
}
