// A list of the API, page by page.
import { useCallback, useEffect, useState } from "preact/hooks";
import type { List } from "../api/types";

export interface Listing<T> {
  rows: T[];
  more: boolean;
  loading: boolean;
  error: unknown;
  loadMore: () => void;
  reload: () => void;
  change: (next: (rows: T[]) => T[]) => void;
}

export function useListing<T>(fetchPage: (after: string | null) => Promise<List<T>>, about: string): Listing<T> {
  const [rows, setRows] = useState<T[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const [loading, setLoading] = useState(true);
  const [error, setError] = useState<unknown>(null);
  const load = useCallback(async (after: string | null, alive: () => boolean) => {
    setLoading(true);
    setError(null);
    try {
      const page = await fetchPage(after);
      if (!alive()) return;
      setRows((former) => (after ? [...former, ...page.data] : page.data));
      setCursor(page.has_more ? page.next_cursor : null);
    } catch (failure) {
      if (alive()) setError(failure);
    }
    if (alive()) setLoading(false);
  }, [about]);
  useEffect(() => {
    let current = true;
    void load(null, () => current);
    return () => { current = false; };
  }, [load]);
  return {
    rows, loading, error, more: !!cursor,
    loadMore: () => void load(cursor, () => true),
    reload: () => void load(null, () => true),
    change: setRows,
  };
}
