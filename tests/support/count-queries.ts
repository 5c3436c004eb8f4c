import type { Db, Tx } from "#db/db.ts";

/** The database, and how many queries were made of it. */
export function countQueries(db: Pick<Db, "snapshot">) {
  let queries = 0;
  const counting = (read: Tx) =>
    new Proxy(read, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (name === "select") queries++;
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
  const snapshot: Db["snapshot"] = (work) => db.snapshot((read) => work(counting(read)));
  const queriesOf = async (work: () => Promise<unknown>) => {
    const before = queries;
    await work();
    return queries - before;
  };
  return { db: { snapshot }, queriesOf };
}
