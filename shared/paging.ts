/** Rows a list without paging of its own answers with, unless the caller says otherwise. */
const DEFAULT_LIMIT = 20;

/** Where a page of a list lies. Far beyond the end there is nothing, so the offset may be cut. */
export function pageOf(
  input: { page?: number | undefined; limit?: number | undefined },
  fallback = DEFAULT_LIMIT,
): { limit: number; offset: number } {
  const limit = input.limit ?? fallback;
  return { limit, offset: Math.min(((input.page ?? 1) - 1) * limit, Number.MAX_SAFE_INTEGER) };
}
