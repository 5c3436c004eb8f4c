import { COMMANDS } from "#server/admin/commands.ts";
import { labelOf } from "#server/admin/labels.ts";
import { namedBy, OF_MEMBERS } from "#server/domains/ledger/act-seals.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { audited } from "../../support/audited.ts";
import { Copies } from "../../support/copies.ts";
import { databaseIn } from "../../support/databases.ts";
import { withConnection } from "../../support/own-connection.ts";
import { firstWrongSeal } from "../../support/seals.ts";
import { world, type World } from "../../support/world.ts";
import { operate, operateWith } from "./operate.ts";

let w: World;
let copies: Copies;

/** Acts 1 to 5 under two seals: 1, 3 and 5 are of mia, and 2 is of nils. Act 6 has no seal yet. */
beforeAll(async () => {
  w = await world({ env: { MASTER_KEY: "5eed".repeat(16) } });
  await w.player("mia_1", { balance: 0 });
  await w.player("nils_2", { balance: 10 });
  await operate(w, "member:end-sessions", "mia_1", "--reason", "Somebody saw Mia Tran");
  await operate(w, "member:credit", "nils_2", "50", "--reason", "A gift");
  await w.site.housekeeping.seal();
  await operate(w, "member:rename", "mia_1", "--name", "Mia Tran", "--reason", "A new name");
  await operate(w, "notice:add", "--name", "Open", "--text", "Until late");
  await operate(w, "member:kick", "MIA_1");
  await w.site.housekeeping.seal();
  await operate(w, "notice:add", "--name", "Closed", "--text", "Until early");
  copies = await Copies.of(w);
});
afterAll(async () => {
  await copies.close();
  await w.close();
});

const problemsAfter = async (...sql: string[]) =>
  (
    await audited(
      await copies.tampered(async (connection) => {
        for (const statement of sql) await connection.run(statement);
      }),
    )
  ).problems;

const NEW_ACT = "insert into operator_acts (id, at, who, host, command, words, outcome)";

it("untouched acts agree with their seals", async () => {
  expect(await problemsAfter("select 1")).toEqual([]);
  expect(await withConnection(databaseIn(w), firstWrongSeal)).toBeNull();
});

describe.concurrent("the audit names an act of an operator", () => {
  it.each([
    ["who", "'nobody'"],
    ["host", "'elsewhere'"],
    ["at", "at + 1"],
    ["command", "'member:lock'"],
    ["words", "'nils_2 5'"],
    ["reason", "'A mistake'"],
    ["reason", "null"],
    ["outcome", "'refused'"],
    ["why", "'Nobody knows'"],
    ["member_id", "1"],
    ["salt", "null"],
    ["content", "null"],
  ])("whose %s became %s", async (column, value) => {
    expect(await problemsAfter(`update operator_acts set ${column} = ${value} where id = 2`)).toContain(
      "act 2 of an operator was changed after it was sealed",
    );
  });

  it("that was dropped", async () => {
    expect(await problemsAfter("delete from operator_acts where id = 4")).toEqual([
      "act 4 of an operator is gone, and was sealed",
    ]);
  });

  it("that was dropped as the last one of all that are sealed", async () => {
    expect(await problemsAfter("delete from operator_acts where id >= 5")).toEqual([
      "act 5 of an operator is gone, and was sealed",
    ]);
  });

  it("that was put among the others", async () => {
    const problems = await problemsAfter(
      "delete from operator_acts where id = 4",
      `${NEW_ACT} values (-3, 1, 'anna', 'desk', 'audit', '', 'done'), (4, 1, 'anna', 'desk', 'audit', '', 'done')`,
    );
    expect(problems).toEqual([
      "act -3 of an operator was added after its time was sealed",
      "act 4 of an operator was changed after it was sealed",
    ]);
  });

  it("that changed places with another one", async () => {
    const problems = await problemsAfter(
      "update operator_acts set id = 99 where id = 1",
      "update operator_acts set id = 1 where id = 2",
      "update operator_acts set id = 2 where id = 99",
    );
    expect(problems).toEqual([1, 2].map((id) => `act ${id} of an operator was changed after it was sealed`));
  });

  it("that was emptied as if its member had been erased", async () => {
    for (const [id, member] of [
      [1, 1],
      [2, 1],
    ])
      expect(
        await problemsAfter(
          `update operator_acts set words = 'erased ${member}', reason = null, why = null, salt = null where id = ${id}`,
        ),
      ).toEqual([`act ${id} of an operator was changed after it was sealed`]);
  });
});

describe("the audit finds a seal", () => {
  it.each([
    ["that leaves an act out", "update seals set acts = '[]' where id = 1", 1],
    ["that names another act", `update seals set acts = '[[1,"${"0".repeat(64)}"]]' where id = 1`, 1],
    ["that says it covers none", "update seals set acts = null, acts_to = null where id = 2", 2],
  ])("%s", async (_, sql, seal) => {
    expect(await problemsAfter(sql)).toContain(`seal ${seal}: what it covers was changed`);
  });
});

it("the audit asks why acts stay without a seal while a server works", async () => {
  const late = "update operator_acts set at = (select max(created_at) from sessions) - 600000 where id = 6";
  expect(await problemsAfter(late)).toEqual([
    expect.stringMatching(/^the seals end before act of an operator 6 of .*: a server worked on for \d+ s$/),
  ]);
});

it("acts from before the seals covered any are no contradiction, and the next seal covers them", async () => {
  const before = "update seals set acts = null, acts_to = null";
  const old = "update operator_acts set member_id = null, salt = null, content = null, at = at - 600000";
  const place = await copies.tampered(async (connection) => {
    for (const sql of ["delete from seals", "delete from log_leaves where key like 'seal%'", before, old])
      await connection.run(sql);
  });
  expect((await audited(place)).problems.filter((one) => one.includes("act"))).toEqual([]);
});

it("an erasure empties what names its member, however it was written, and the audit agrees", async () => {
  const erased = await operateWith("mia_1", w, "member:erase", "mia_1", "--reason", "They asked for it");
  expect(erased).toMatchObject({ exit: 0, err: "" });
  await w.site.housekeeping.seal();
  const rows = await withConnection(databaseIn(w), (connection) =>
    connection.all<{ words: string; salt: string | null }>("select words, salt from operator_acts order by id"),
  );
  expect(rows.map(({ words }) => words)).toEqual([
    "erased 1",
    "nils_2 50",
    "erased 1",
    "--name Open --text Until late",
    "erased 1",
    "--name Closed --text Until early",
    "erased 1",
  ]);
  expect(rows.slice(0, 5).map(({ salt }) => salt === null)).toEqual([true, false, true, false, true]);
  expect((await audited(w)).problems).toEqual([]);

  const later = await Copies.of(w);
  // One names another member, one names none.
  for (const id of [2, 4]) {
    const place = await later.tampered(
      `update operator_acts set words = 'erased 1', reason = null, why = null, salt = null where id = ${id}`,
    );
    expect((await audited(place)).problems).toEqual([`act ${id} of an operator was changed after it was sealed`]);
  }
  // Nor is more left of an erased member's act, or less.
  for (const change of [
    "reason = 'A gift'",
    "why = 'Nobody knows'",
    "words = 'erased 01'",
    "words = ''",
    "member_id = 2",
  ]) {
    const place = await later.tampered(`update operator_acts set ${change} where id = 1`);
    expect((await audited(place)).problems).toContain("act 1 of an operator was changed after it was sealed");
  }
  await later.close();
});

it("an act names a member by its first word where its command says so, and nowhere else", async () => {
  const loaded = await Promise.all(Object.entries(COMMANDS).map(async ([name, load]) => ({ name, ...(await load()) })));
  const isOfMember = ({ name, usage }: { name: string; usage?: string }) =>
    /^NAME\b/.test(usage ?? "") && labelOf(name, "NAME") === "Username";
  expect([...OF_MEMBERS]).toEqual(
    loaded
      .filter(isOfMember)
      .map(({ name }) => name)
      .toSorted(),
  );
  expect([namedBy("member:lock", "Mia_1 --reason no"), namedBy("operator:roles", "mia_1 owner")]).toEqual([
    "mia_1",
    null,
  ]);
});
