/** A browser's database, as far as the shelf uses it: it can end its connections, and run out of room. */
export class BrowserDatabase {
  readonly #kept = new Map<string, unknown>();
  #connection = 0;
  opened = 0;
  hasRoom = true;

  /** What stands for it in a page. */
  readonly globals = {
    indexedDB: { open: () => this.#open() },
    IDBKeyRange: { bound: (from: unknown[]) => ({ under: nameOf(from).slice(0, -1) }) },
  };

  /** The browser ends the connections that are there. */
  end = (): void => void this.#connection++;

  #open() {
    this.opened++;
    const own = this.#connection;
    const transaction = (_store: string, mode?: string) => {
      if (own !== this.#connection) throw new DOMException("the connection is closing", "InvalidStateError");
      return this.#transaction(mode === "readwrite");
    };
    return answered({ transaction });
  }

  #transaction(isWriting: boolean) {
    const changed = new Map(this.#kept);
    const names = (range?: { under: string }) =>
      [...this.#kept.keys()].filter((name) => !range || name.startsWith(range.under)).sort();
    const store = {
      get: (place: unknown[]) => answered(structuredClone(this.#kept.get(nameOf(place)))),
      getAll: (range?: { under: string }) =>
        answered(names(range).map((name) => structuredClone(this.#kept.get(name)))),
      getAllKeys: () => answered(names().map((name) => JSON.parse(name) as unknown)),
      put: (what: unknown, place: unknown[]) => void changed.set(nameOf(place), structuredClone(what)),
      delete: (place: unknown[]) => void changed.delete(nameOf(place)),
    };
    const transaction = Object.assign(new EventTarget(), { objectStore: () => store, error: null as Error | null });
    if (!isWriting) return transaction;
    queueMicrotask(() => {
      if (!this.hasRoom) transaction.error = new DOMException("no room", "QuotaExceededError");
      else for (const name of new Set([...this.#kept.keys(), ...changed.keys()])) this.#take(name, changed);
      transaction.dispatchEvent(new Event(this.hasRoom ? "complete" : "abort"));
    });
    return transaction;
  }

  #take(name: string, changed: Map<string, unknown>): void {
    if (changed.has(name)) this.#kept.set(name, changed.get(name));
    else this.#kept.delete(name);
  }
}

/** Throws for what a browser takes for no key. */
function nameOf(place: unknown[]): string {
  const isKey = place.every((part) => typeof part === "string" || typeof part === "number");
  if (!isKey) throw new DOMException("no key", "DataError");
  return JSON.stringify(place);
}

/** A request, which is answered a little later. */
function answered(result: unknown) {
  const request = Object.assign(new EventTarget(), { result });
  queueMicrotask(() => request.dispatchEvent(new Event("success")));
  return request;
}
