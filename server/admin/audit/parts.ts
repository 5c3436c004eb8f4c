/** So many values one statement takes. */
const AT_ONCE = 1_000;

/** A list in parts, each for one statement. */
export function* partsOf<T>(all: readonly T[], most = AT_ONCE): Generator<T[]> {
  for (let from = 0; from < all.length; from += most) yield all.slice(from, from + most);
}
