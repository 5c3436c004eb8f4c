const PAGE = 5_000;

/** Reads a table of any size by row number, a page at a time. */
export async function* inPages<T extends { id: number }>(
  read: (after: number, limit: number) => PromiseLike<T[]>,
): AsyncGenerator<T> {
  for (let last = 0; ;) {
    const rows = await read(last, PAGE);
    yield* rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1)!.id;
  }
}
