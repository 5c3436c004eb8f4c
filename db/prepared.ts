import type { Tx } from "./db.ts";

/** A query that is built and prepared once for each connection that it is asked of. */
export function prepared<Q>(build: (read: Tx) => Q): (read: Tx) => Q {
  const known = new WeakMap<Tx, Q>();
  return (read) => {
    let query = known.get(read);
    if (!query) known.set(read, (query = build(read)));
    return query;
  };
}
