import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { houseEntries } from "#db/schema/ledger.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { checkTimes } from "#server/admin/audit/lateness.ts";
import { SignsOfLife } from "#server/admin/audit/signs-of-life.ts";
import { drawn, GAME, open, type Round } from "./audit-round-rows.ts";
import { emptyRows, type Rows } from "./audit-rows.ts";

const NAME = "round k3-1m 20260302-0002";
const { closesAt, drawsAt } = open(2);
const settledAt = drawsAt;

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
beforeEach(() => rows.begin());
afterEach(() => rows.forget());
afterAll(() => rows.close());

/** What the audit finds in a round, when a server has worked until then. */
async function audited(round: Round, { until = 0, next }: { until?: number; next?: Round } = {}) {
  await rows.run("delete from house_entries");
  await rows.read.insert(houseEntries).values({ kind: "bets", amount: 1, fromId: 1, toId: 1, createdAt: until });
  const found = new Findings();
  checkTimes({ game: GAME, round, next }, await SignsOfLife.read(rows.read, until), found);
  const { problems, notes } = found;
  return { problems, notes };
}

const NOTHING = { problems: [], notes: [] };
const problem = (what: string) => ({ problems: [`${NAME} ${what}`], notes: [] });
const note = (what: string) => ({ problems: [], notes: [`${NAME} ${what}`] });

describe("the audit of when a round was closed and drawn", () => {
  it("finds nothing in rounds in time", async () => {
    expect(await audited(open(2))).toEqual(NOTHING);
    expect(await audited(drawn(2, { settledAt }))).toEqual(NOTHING);
    expect(await audited(drawn(2, { closedAt: closesAt + 1, drawnAt: drawsAt + 1, settledAt }))).toEqual(NOTHING);
  });

  it("names a close before its time, unless a clock was two rounds ahead", async () => {
    const closed = (at: number) => audited(open(2, { closedAt: at }));
    expect(await closed(closesAt - 1)).toEqual(problem("was closed 0 s before its time"));
    expect(await closed(closesAt - 5_999)).toEqual(problem("was closed 5 s before its time"));
    expect(await closed(drawsAt - 120_000)).toEqual(problem("was closed 117 s before its time"));
    expect(await closed(drawsAt - 120_001)).toEqual(NOTHING);
  });

  it("names a draw before its time, unless a clock was two rounds ahead", async () => {
    const drawnAt = (at: number) => audited(drawn(2, { drawnAt: at, settledAt }));
    expect(await drawnAt(drawsAt - 1)).toEqual(problem("was drawn 0 s before it was due"));
    expect(await drawnAt(drawsAt - 1_000)).toEqual(problem("was drawn 1 s before it was due"));
    expect(await drawnAt(drawsAt - 120_000)).toEqual(problem("was drawn 120 s before it was due"));
    expect(await drawnAt(drawsAt - 120_001)).toEqual(NOTHING);
  });

  it("notes how late a draw was, and whether it was held back while the next round had long been open", async () => {
    const late = (ms: number, opened?: number) => {
      const next = opened === undefined ? {} : { next: open(3, { openedAt: drawsAt + opened }) };
      return audited(drawn(2, { drawnAt: drawsAt + ms, settledAt }), next);
    };
    expect(await late(60_000)).toEqual(NOTHING);
    expect(await late(60_001)).toEqual(note("was drawn 60 s after it was due"));
    expect(await late(90_000, 30_000)).toEqual(note("was drawn 90 s after it was due"));
    expect(await late(90_000, 29_999)).toEqual(
      note("was drawn 90 s after it was due, though the next round had opened"),
    );
    expect(await late(60_000, -1_000)).toEqual(NOTHING);
  });

  it("names a round that is not drawn while a server works on", async () => {
    expect(await audited(open(2), { until: drawsAt + 120_000 })).toEqual(NOTHING);
    expect(await audited(open(2), { until: drawsAt + 120_001 })).toEqual(
      problem("is not drawn: a server worked on for 120 s after it was due"),
    );
  });

  it("only notes it of one that may wait for its beacon", async () => {
    const round = open(2, { beaconRule: "drand:x:1" });
    expect(await audited(round, { until: drawsAt + 120_000 })).toEqual(NOTHING);
    expect(await audited(round, { until: drawsAt + 300_000 })).toEqual(
      note("is not drawn: a server worked on for 300 s after it was due, and may wait for its beacon"),
    );
  });

  it("names a round that is not paid while a server works on, after its draw or its refund", async () => {
    const unpaid = drawn(2, { drawnAt: drawsAt + 1_000 });
    expect(await audited(unpaid, { until: drawsAt + 121_000 })).toEqual(NOTHING);
    const problems = problem("is not paid: a server worked on for 121 s after its draw");
    expect(await audited(unpaid, { until: drawsAt + 122_000 })).toEqual(problems);
    expect(await audited({ ...unpaid, settledAt }, { until: drawsAt + 122_000 })).toEqual(NOTHING);
    const returned = open(2, { refundedAt: drawsAt + 1_000, beaconRule: "drand:x:1" });
    expect(await audited(returned, { until: drawsAt + 122_000 })).toEqual(problems);
    expect(await audited({ ...returned, settledAt }, { until: drawsAt + 122_000 })).toEqual(NOTHING);
  });

  it("asks neither draw nor pay of a round that failed or was skipped, nor how late it was", async () => {
    const until = drawsAt + 3_600_000;
    const late = drawn(2, { drawnAt: drawsAt + 600_000 });
    for (const ended of [{ failedAt: 1 }, { skippedAt: 1 }]) {
      expect(await audited(open(2, ended), { until })).toEqual(NOTHING);
      expect(await audited({ ...late, ...ended }, { until })).toEqual(NOTHING);
    }
  });

  it("asks it of one that failed whether it was closed or drawn too early", async () => {
    const early = drawn(2, { closedAt: closesAt - 1_000, drawnAt: drawsAt - 2_000, failedAt: 1 });
    expect((await audited(early)).problems).toEqual([
      `${NAME} was closed 1 s before its time`,
      `${NAME} was drawn 2 s before it was due`,
    ]);
  });
});
