/** Rows per page, unless the caller or the list says otherwise. */
const DEFAULT_LIMIT = 20;

/** The limit and offset of a page. The offset is capped: no list is that long. */
export function pageOf(
  input: { page?: number | undefined; limit?: number | undefined },
  fallback = DEFAULT_LIMIT,
): { limit: number; offset: number } {
  const limit = input.limit ?? fallback;
  return { limit, offset: Math.min(((input.page ?? 1) - 1) * limit, Number.MAX_SAFE_INTEGER) };
}
