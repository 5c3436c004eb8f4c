import { desc } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operatorActs } from "#db/schema/operators.ts";
import { deposits } from "#db/schema/payments.ts";
import { COMMANDS } from "#server/admin/commands.ts";
import { BY_WHAT_IS_THEIRS } from "#server/admin/concerned.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { city, listing, save } from "../listing/listing-world.ts";
import { asked, saver } from "../payments/purse.ts";
import { operate } from "./operate.ts";

let w: World;
let mia: Player;

beforeAll(async () => {
  w = await world({ env: { MASTER_KEY: "5eed".repeat(16) } });
  // Mia is not the first member, so that her number is none of what is hers.
  await w.player("nils_2", { balance: 10 });
  mia = await saver(w, "mia_1", 1_000);
  await w.deps.db.transact((tx) => extendMembership(tx, w.deps, mia.memberId, 30));
  await city(w, "Hanoi");
  await save(w, listing("one"));
  await mia.call("/xuanfei/comment", { id: "lst_1", text: "Mia was here", hearts: "4" });
  await asked(mia, 100);
  const [createdAt, expiresAt] = [w.now(), w.now()];
  const order = { orderNo: "R1", memberId: mia.memberId, channel: "sandbox", amount: 5, unit: "points" };
  const kept = { status: "failed", locale: "en_us", createdAt, expiresAt } as const;
  await w.deps.db.transact((tx) => tx.insert(deposits).values({ ...order, ...kept }));
});
afterAll(() => w.close());

const newest = async () =>
  (await w.deps.db.read.select().from(operatorActs).orderBy(desc(operatorActs.id)).limit(1))[0]!;

describe("an act knows the member whom it concerns before it is sealed", () => {
  it.each([
    ["member:kick", "Mia_1"],
    ["message:close", "mia_1"],
    ["comment:show", "cmt_1"],
    ["comment:hide", "cmt_1", "--reason", "Mia Tran"],
    ["withdraw:approve", "wdr_1"],
    ["withdraw:account", "W-1"],
    ["withdraw:reject", "wdr_1", "--reason", "Mia Tran"],
    ["withdraw:pay", "wdr_1"],
    ["member:reverse", "trf_2", "--reason", "Mia Tran"],
    ["recharge:review", "--credit", "R1", "--reason", "Mia Tran"],
    ["recharge:review", "--refunded", "T-1"],
  ])("%s %s", async (...words) => {
    await operate(w, ...words);
    expect(await newest()).toMatchObject({ command: words[0], memberId: mia.memberId, content: null });
  });

  it.each([
    ["member:kick", "nobody"],
    ["comment:hide", "cmt_9"],
    ["withdraw:pay", "wdr_9"],
    ["member:reverse", "trf_99", "--reason", "A mistake"],
    ["recharge:review", "--refunded", "nothing"],
    ["invite:add", "mia_1"],
  ])("and none where there is none: %s %s", async (...words) => {
    await operate(w, ...words);
    expect(await newest()).toMatchObject({ command: words[0], memberId: null });
  });
});

it("whoever is let in as a member later is not noted by name, and a member is", async () => {
  for (const [name, words] of [
    ["later_1", ""],
    ["mia_1", "mia_1"],
  ] as const) {
    await operate(w, "sso:link", name);
    expect(await newest()).toMatchObject({ command: "sso:link", words });
  }
});

it("every other command that names something by a number names nothing of a member's", async () => {
  const loaded = await Promise.all(Object.entries(COMMANDS).map(async ([name, load]) => [name, await load()] as const));
  const byNumber = loaded.filter(([, { usage }]) => /\b(ID|TRANSFER)\b/.test(usage)).map(([name]) => name);
  expect(byNumber.filter((name) => !Object.hasOwn(BY_WHAT_IS_THEIRS, name))).toEqual([
    "notice:remove",
    "banner:remove",
    "video:chapters",
    "video:remove",
  ]);
});
