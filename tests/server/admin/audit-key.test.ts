import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { audited } from "../../support/audited.ts";
import { auditGround, type Ground } from "./audit-ground.ts";

let ground: Ground;
beforeAll(async () => {
  ground = await auditGround();
});
afterAll(() => ground.close());

const OTHER = "ab".repeat(32);

describe.concurrent("the audit derives from the master key", () => {
  it.each([
    [
      "the anchor of a day that has been",
      `update anchors set anchor = '${OTHER}' where day = (select min(day) from anchors)`,
      [
        "the anchor of k3-1m 20260302 does not follow from the master key",
        "round k3-1m 20260302-0001: its seed does not lead to the day's anchor",
      ],
    ],
    [
      "the anchor of a coming day",
      `update anchors set anchor = '${OTHER}' where day = (select max(day) from anchors)`,
      ["the anchor of k3-1m 20260310 does not follow from the master key"],
    ],
    [
      "the commit of an open round",
      `update rounds set "commit" = '${OTHER}' where id = 4`,
      ["round k3-1m 20260302-0004: its commit does not follow from the master key"],
    ],
    [
      "the commit of a drawn round",
      `update rounds set "commit" = '${OTHER}' where id = 1`,
      [
        "round k3-1m 20260302-0001: its commit does not follow from the master key",
        "round k3-1m 20260302-0001: its seed is not the committed one",
      ],
    ],
    [
      "the commit of a pair",
      `update wheel_pairs set "commit" = '${OTHER}' where id = 2`,
      ["pair 2: its commit does not follow from the master key"],
    ],
    [
      "the log that a pair's seed was derived for",
      "update wheel_pairs set origin = 'chosen' where id = 2",
      [
        "pair 2: its seed was derived in the name of no log of this house",
        "pair 2: its commit does not follow from the master key",
      ],
    ],
    [
      "a pair that names no log, after others that do",
      "update wheel_pairs set origin = null where id = 2",
      ["pair 2: its seed was derived in the name of no log, as it was done before"],
    ],
    [
      "a spin whose seed is still secret",
      `update spins set prize_id = case prize_id when 'five' then 'thanks' else 'five' end where pair_id = 2 and nonce = 3`,
      ["spin 3 of pair 2: the master key gives another prize"],
    ],
    [
      "words that were changed under a secret seed",
      "update wheel_pairs set words = 'other words' where id = 2",
      [expect.stringMatching(/^spin \d of pair 2: the master key gives another prize$/) as string],
    ],
    [
      "a spin from a table without chances",
      "update wheel_tables set prizes = '[]'",
      ["spin 0 of pair 2: the master key gives another prize"],
    ],
  ])("and names %s", async (_, sql, problems) => {
    const { ok, problems: found } = await ground.after(sql);
    expect(ok).toBe(false);
    expect(found).toEqual(expect.arrayContaining(problems));
  });

  it("and leaves spins of a public seed to the message that reveals it", async () => {
    const sql = `update spins set prize_id = case prize_id when 'five' then 'thanks' else 'five' end where pair_id = 1 and nonce = 3`;
    const { problems } = await ground.after(sql);
    expect(problems).toContain("spin 3 of pair 1: the seed gives another prize");
    expect(problems.join()).not.toContain("master key");
  });
});

describe.concurrent("the audit names a key", () => {
  const withKey = async (MASTER_KEY?: string) => {
    const place = await ground.copies.tampered("select 1");
    const { DATA_DIR, DATABASE_URL } = place.env;
    const env = { DATA_DIR, ...(DATABASE_URL && { DATABASE_URL }), ...(MASTER_KEY && { MASTER_KEY }) };
    return audited({ env });
  };

  it("that is another one, and nothing that it gives", async () => {
    const { problems } = await withKey("ab".repeat(32));
    expect(problems).toContain("the master key here is not the one that this database was made with");
    expect(problems).toContain("the anchor of k3-1m 20260302 does not follow from the master key");
    expect(problems).toContain("pair 2: its commit does not follow from the master key");
    expect(problems.join()).not.toMatch(/[0-9a-f]{32}/);
  });

  it("that replaced the fingerprint and the days to come, by the days that have been", async () => {
    const other = "cd".repeat(32);
    const { fingerprintOf } = await import("#server/config/keys.ts");
    const fingerprint = fingerprintOf(Buffer.from(other, "hex"));
    const place = await ground.copies.tampered(`update master_keys set fingerprint = '${fingerprint}'`);
    const { problems } = await audited({ env: { ...place.env, MASTER_KEY: other } });
    expect(problems).toContain("the anchor of k3-1m 20260302 does not follow from the master key");
    expect(problems.join()).not.toContain("was made with");
  });

  it("that is not there, as a note: the rest of a copy can be audited without it", async () => {
    const { ok, problems, notes } = await withKey();
    expect([ok, problems]).toEqual([true, []]);
    const said = "the master key is not here (MASTER_KEY, or the file master.key): nothing was derived from it";
    expect(notes).toEqual([said]);
  });
});
