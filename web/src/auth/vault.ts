// The storage of the app in the browser: one table of IndexedDB, shared by all tabs of this origin.
// Tokens are stored only here.

const NAME = "parley";
const TABLE = "kept";

let opened: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB"));
  });
  return opened;
}

async function transact<T>(mode: IDBTransactionMode, work: (table: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = (await database()).transaction(TABLE, mode);
  const request = work(transaction.objectStore(TABLE));
  return new Promise((resolve, reject) => {
    // A write is done when it is committed: another tab may read right after.
    if (mode === "readonly") request.onsuccess = () => resolve(request.result);
    else transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error("IndexedDB"));
  });
}

export const vault = {
  get: <T>(key: string) => transact<T | undefined>("readonly", (table) => table.get(key) as IDBRequest<T | undefined>),
  set: (key: string, value: unknown) => transact("readwrite", (table) => table.put(value, key)),
  remove: (key: string) => transact("readwrite", (table) => table.delete(key)),
  clear: () => transact("readwrite", (table) => table.clear()),
};
