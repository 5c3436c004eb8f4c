/** Who has something under way in a server: member → the end of the last in the row. */
const rows = new WeakMap<object, Map<number, Promise<unknown>>>();

/** Does the work once everything that this member began before it is over. `of` is the server they are members of. */
export function queuedByMember<T>(of: object, memberId: number, work: () => Promise<T>): Promise<T> {
  const row = rows.get(of) ?? new Map<number, Promise<unknown>>();
  rows.set(of, row);
  const turn = (row.get(memberId) ?? Promise.resolve()).then(work);
  const end = turn.then(
    () => undefined,
    () => undefined,
  );
  row.set(memberId, end);
  void end.then(() => row.get(memberId) === end && row.delete(memberId));
  return turn;
}
