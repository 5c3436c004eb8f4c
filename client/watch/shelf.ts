/** A place on the shelf, from the general to the particular. */
export type Place = readonly (string | number)[];

/** What changes together: all of it is kept, or nothing. */
export interface Change {
  put?: readonly (readonly [place: Place, what: unknown])[];
  drop?: readonly Place[];
  /** Everything at a place and below it. */
  dropUnder?: readonly Place[];
}

/** Where the browser keeps what this device has seen. */
export interface Shelf {
  /** Whether it outlives the page. */
  isLasting: boolean;
  get<T>(place: Place): Promise<T | undefined>;
  /** Everything below a place, in order. */
  list<T>(place: Place): Promise<T[]>;
  write(change: Change): Promise<void>;
}

const DATABASE = "trio-watch";
const STORE = "kept";

/** The shelf in the browser's database, or one in memory where the browser refuses to keep anything. */
export async function openShelf(): Promise<Shelf> {
  try {
    return new BrowserShelf(await openDatabase());
  } catch {
    return memoryShelf();
  }
}

/**
 * The browser may end the connection at any time, as Safari does to a page in the background: then it is opened again. Once
 * it keeps nothing more, as where there is no room left, what is kept and what comes lives on in memory: checks go on.
 */
class BrowserShelf implements Shelf {
  #database: IDBDatabase;
  #memory: Shelf | null = null;

  constructor(database: IDBDatabase) {
    this.#database = database;
  }

  get isLasting(): boolean {
    return this.#memory === null;
  }

  get = async <T>(place: Place): Promise<T | undefined> =>
    this.#memory ? this.#memory.get(place) : this.#read((store) => store.get([...place]));

  list = async <T>(place: Place): Promise<T[]> =>
    this.#memory ? this.#memory.list(place) : this.#read((store) => store.getAll(under(place)));

  async write(change: Change): Promise<void> {
    if (this.#memory) return this.#memory.write(change);
    try {
      await this.#connected((database) => written(database, change));
    } catch {
      this.#memory = await this.#copied();
      await this.#memory.write(change);
    }
  }

  #read = <T>(ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
    this.#connected((database) => settled(ask(database.transaction(STORE).objectStore(STORE))));

  /** Tries it once more with a new connection. What was written already is written again as it is. */
  async #connected<T>(work: (database: IDBDatabase) => Promise<T>): Promise<T> {
    try {
      return await work(this.#database);
    } catch {
      this.#database = await openDatabase();
      return work(this.#database);
    }
  }

  async #copied(): Promise<Shelf> {
    const memory = memoryShelf();
    const places = await this.#read((store) => store.getAllKeys());
    const all = await this.#read<unknown[]>((store) => store.getAll());
    await memory.write({ put: places.map((place, i) => [place as (string | number)[], all[i]] as const) });
    return memory;
  }
}

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error!));
  });

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener("upgradeneeded", () => void request.result.createObjectStore(STORE));
  return settled(request);
}

/** An empty list comes after every text and number. */
const under = (place: Place): IDBKeyRange => IDBKeyRange.bound([...place], [...place, []]);

const written = (database: IDBDatabase, { put = [], drop = [], dropUnder = [] }: Change): Promise<void> =>
  new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, "readwrite", { durability: "strict" });
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("not kept")));
    const store = transaction.objectStore(STORE);
    for (const place of drop) store.delete([...place]);
    for (const place of dropUnder) store.delete(under(place));
    for (const [place, what] of put) store.put(what, [...place]);
  });

/** Lives as long as the page. */
export function memoryShelf(): Shelf {
  const kept = new Map<string, unknown>();
  const nameOf = (place: Place) => JSON.stringify(place);
  const isUnder = (name: string, place: Place) =>
    name === nameOf(place) || name.startsWith(`${nameOf(place).slice(0, -1)},`);
  const copy = <T>(what: unknown) => structuredClone(what) as T;
  return {
    isLasting: false,
    get: async <T>(place: Place) => copy<T>(kept.get(nameOf(place))),
    list: async <T>(place: Place) =>
      [...kept]
        .filter(([name]) => isUnder(name, place))
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, what]) => copy<T>(what)),
    write: async ({ put = [], drop = [], dropUnder = [] }) => {
      for (const place of drop) kept.delete(nameOf(place));
      for (const place of dropUnder) for (const name of kept.keys()) if (isUnder(name, place)) kept.delete(name);
      for (const [place, what] of put) kept.set(nameOf(place), copy(what));
    },
  };
}
