import { afterAll, beforeAll, expect, it } from "vitest";
import { addressOf } from "#db/move/address.ts";
import { moveSite } from "#db/move/move.ts";
import { ask, contentsOf, layGround, type Ground } from "./ground.ts";
import { change, siteFile } from "./site-file.ts";

/** The first and the last option that a mask can hold. */
const MASK = "4611686018427387905";

let ground: Ground;
let file: string;
beforeAll(async () => {
  ground = await layGround();
  file = await siteFile(ground.newFile());
  change(
    file,
    `insert into transfers (code, cause, debit, credit, amount, member_id, version, balance_after, created_at)
       values ('credit', 'test', 'house:operator', 'member:1', 200, 1, 1, 200, 1);
     insert into bets (member_id, round_id, odds_id, mask, stake, total, version, balance_after, created_at)
       values (1, 1, 1, ${MASK}, 100, 200, 2, 0, 2);
     insert into house_entries (kind, amount, from_id, to_id, created_at) values ('bets', 200, 1, 1, 2);
     update wallets set balance = 200, version = 1;
     update wallets set balance = 0, version = 2, staked_total = 200;`,
  );
});
afterAll(() => ground.clear());

/** Without the audit: no kind of game has so many options yet, so it would refuse this bet. */
const copy = (from: string, to: string) =>
  moveSite(addressOf(from)!, addressOf(to)!, { epoch: "another", progress() {}, audit: async () => ({}) });

it("a mask wider than a number reaches the other engine and returns exact to the last bit", async () => {
  const [there, back] = [await ground.newDatabase(), ground.newFile()];
  await copy(file, there);
  await copy(there, back);
  const mask = "select cast(mask as text) as mask from bets";
  for (const place of [file, there, back]) expect(await ask(place, mask)).toEqual([{ mask: MASK }]);
  expect(await contentsOf(back)).toEqual(await contentsOf(file));
});
