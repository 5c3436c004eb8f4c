import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demandMemberLeaves, type FirstStated } from "#server/admin/audit/member-stated.ts";
import { partly } from "./audit-one-part.ts";
import { wheelGround } from "./audit-wheel-ground.ts";

let ground: Awaited<ReturnType<typeof wheelGround>>;
beforeAll(async () => {
  ground = await wheelGround();
});
afterAll(() => ground.close());

const ALL: FirstStated = { transfers: 1, spins: 1, pairs: 1, withdrawals: 1 };
const NONE: FirstStated = { transfers: Infinity, spins: Infinity, pairs: Infinity, withdrawals: Infinity };
const problemsAfter = async (sql: string, first: FirstStated) =>
  (await partly(ground.copies, sql, (read, found) => demandMemberLeaves(read, first, found))).problems;

/** One withdrawal in each state. */
const WITHDRAWALS = `insert into withdrawals (id, member_id, amount, status, day, created_at, updated_at)
  values (1, 1, 5, 'review', 1, 1, 1), (2, 1, 5, 'approved', 2, 1, 1), (3, 1, 5, 'refused', 3, 1, 1), (4, 1, 5, 'paid', 4, 1, 1);`;
const unstated = (...names: string[]) => names.map((name) => `the log does not state ${name}`);
const from = (what: string, first: number, to: number) =>
  Array.from({ length: to - first + 1 }, (_, i) => `${what} ${first + i}`);
const asked = (id: number, ...states: string[]) => states.map((state) => `withdrawal wdr_${id} (${state})`);
const CREDITS = [1, 2, 3].map((id) => `transfer ${id} (credit)`);

describe("the audit asks for the leaves", () => {
  it("of transfers, spins and pairs, and finds them all", async () => {
    expect(await problemsAfter("select 1", ALL)).toEqual([]);
  });

  it("of each row, in order", async () => {
    const states = [
      ...asked(1, "review"),
      ...asked(2, "review", "approved"),
      ...asked(3, "review", "refused"),
      ...asked(4, "review", "approved", "paid"),
    ];
    expect(await problemsAfter(`${WITHDRAWALS}delete from member_leaves`, ALL)).toEqual(
      unstated(...CREDITS, ...from("spin", 1, 7), ...from("pair", 1, 7), ...states),
    );
  });

  it("of rows from the first one on that was stated", async () => {
    const first = { transfers: 2, spins: 3, pairs: 4, withdrawals: 3 };
    const states = [...asked(3, "review", "refused"), ...asked(4, "review", "approved", "paid")];
    expect(await problemsAfter(`${WITHDRAWALS}delete from member_leaves`, first)).toEqual(
      unstated(...CREDITS.slice(1), ...from("spin", 3, 7), ...from("pair", 4, 7), ...states),
    );
  });

  it("of none, where none was stated", async () => {
    expect(await problemsAfter(`${WITHDRAWALS}delete from member_leaves`, NONE)).toEqual([]);
  });

  it("under its own words", async () => {
    const sql = `update member_leaves set key = key || 'x' where key in ('credit:credit:test:nils_2', 'spin:1:1:0', 'pair:2:1')`;
    expect(await problemsAfter(sql, ALL)).toEqual(unstated("transfer 2 (credit)", "spin 4", "pair 5"));
  });

  it("of a withdrawal, in each state", async () => {
    const stated = `insert into member_leaves (member_id, number, key, content, hash) values
      (1, 90, 'withdrawal:wdr_4:review', '', 'a'), (1, 91, 'withdrawal:wdr_4:paid', '', 'b')`;
    expect(await problemsAfter(WITHDRAWALS + stated, { ...NONE, withdrawals: 4 })).toEqual(
      unstated(...asked(4, "approved")),
    );
  });
});
