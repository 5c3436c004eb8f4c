import { getUserInfo } from "#shared/contract/session.ts";
import { placeOrder } from "#shared/contract/lottery.ts";
import { isDone } from "../support/client.ts";
import type { Books } from "../stories/crash-books.ts";
import type { History } from "./history.ts";

/** Edges of a graph whose nodes are transactions, by name. */
type Edges = Map<string, Set<string>>;

function link(edges: Edges, from: string, to: string): void {
  if (from === to) return;
  const out = edges.get(from) ?? new Set();
  edges.set(from, out.add(to));
}

/**
 * Whether the transactions can be put in one order that explains what each wrote and read, and that fits the times of
 * answers: a cycle says no. One transaction writes the wallets of all bets of its commit; versions order writes of a
 * wallet (ww), a look stands after the version it read (wr) and before the next (rw), and a round's payouts after its bets.
 */
export function cycleFaults(history: History, books: Books): string[] {
  const edges: Edges = new Map();
  const commits = commitsOf(books);
  const writers = new Map<string, string>();
  const looks = new Map<string, string[]>();
  for (const { member, version, cause } of books.changes)
    writers.set(`${member} ${version}`, commits.get(cause) ?? nameOf(member, version));
  const firsts = new Map<string, number>();
  for (const { member, key, fromMs } of history.asked)
    if (key && !firsts.has(`${member} ${key}`)) firsts.set(`${member} ${key}`, fromMs);
  const timed: { name: string; fromMs: number; toMs: number }[] = [];
  for (const [i, { path, member, answer, fromMs, toMs, key }] of history.asked.entries()) {
    if (!answer || !isDone(answer)) continue;
    const data = answer.data as { version: number; id: string };
    if (path === getUserInfo.path) {
      const name = `look ${i}`;
      timed.push({ name, fromMs, toMs });
      looks.set(`${member} ${data.version}`, [...(looks.get(`${member} ${data.version}`) ?? []), name]);
    } else if (path === placeOrder.path && commits.has(data.id)) {
      const name = commits.get(data.id)!;
      timed.push({ name, fromMs: firsts.get(`${member} ${key}`)!, toMs });
    }
  }
  for (const [place, writer] of writers) {
    const [member, version] = place.split(" ").map(Number) as [number, number];
    const next = writers.get(`${member} ${version + 1}`);
    if (next) link(edges, writer, next);
    for (const look of looks.get(place) ?? []) {
      link(edges, writer, look);
      if (next) link(edges, look, next);
    }
  }
  linkRounds(edges, books, commits);
  linkTimes(edges, timed);
  const cycle = findCycle(edges);
  return cycle ? [`these transactions need each other first: ${cycle.join(" → ")}`] : [];
}

/** The commit of each bet, by the bet's name. */
function commitsOf({ house, bets }: Books): Map<string, string> {
  const commits = new Map<string, string>();
  const entries = house.filter(({ kind }) => kind === "bets").toSorted((a, b) => a.from - b.from);
  let at = 0;
  for (const { id } of bets) {
    while (entries[at] && entries[at]!.to < id) at++;
    const entry = entries[at];
    if (entry && entry.from <= id) commits.set(`bet_${id}`, `bets ${entry.from} to ${entry.to}`);
  }
  return commits;
}

/** A round's closing stands after each of its bets and before each of its payouts. */
function linkRounds(edges: Edges, { bets, changes }: Books, commits: Map<string, string>): void {
  for (const { id, round } of bets) link(edges, commits.get(`bet_${id}`)!, `closing of round_${round}`);
  for (const { cause, member, version } of changes)
    if (cause.startsWith("round_")) link(edges, `closing of ${cause}`, nameOf(member, version));
}

const nameOf = (member: number, version: number) => `change ${version} of ${member}`;

/** Who ended before another began stands before it: through one node for each moment, so that edges stay few. */
function linkTimes(edges: Edges, timed: { name: string; fromMs: number; toMs: number }[]): void {
  const moments = timed
    .flatMap(({ name, fromMs, toMs }) => [
      { name, at: fromMs, begins: true },
      { name, at: toMs, begins: false },
    ])
    .toSorted((a, b) => a.at - b.at || Number(b.begins) - Number(a.begins));
  let count = 0;
  for (const { name, begins } of moments) {
    if (begins) link(edges, `moment ${count}`, name);
    else {
      link(edges, `moment ${count}`, `moment ${count + 1}`);
      link(edges, name, `moment ${++count}`);
    }
  }
}

/** A cycle of the graph, or null. */
function findCycle(edges: Edges): string[] | null {
  const state = new Map<string, "open" | "over">();
  for (const start of edges.keys()) {
    if (state.has(start)) continue;
    const path = [{ name: start, left: [...(edges.get(start) ?? [])] }];
    state.set(start, "open");
    while (path.length > 0) {
      const top = path.at(-1)!;
      const next = top.left.pop();
      if (next === undefined) {
        state.set(top.name, "over");
        path.pop();
      } else if (state.get(next) === "open") {
        const names = path.map(({ name }) => name);
        return [...names.slice(names.indexOf(next)), next];
      } else if (!state.has(next)) {
        state.set(next, "open");
        path.push({ name: next, left: [...(edges.get(next) ?? [])] });
      }
    }
  }
  return null;
}
