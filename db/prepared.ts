import type { Tx } from "./db.ts";

/** Caches a prepared query for each connection: it is built once. */
export function prepared<Q>(build: (read: Tx) => Q): (read: Tx) => Q {
  const known = new WeakMap<Tx, Q>();
  return (read) => {
    let query = known.get(read);
    if (!query) known.set(read, (query = build(read)));
    return query;
  };
}
