import { describe, expect, it } from "vitest";
import { checked, saidOf } from "../../log/evidence-of-app.ts";
import { winOf } from "./betting.ts";
import { GAME, House, MEMBER, roundAt } from "./house.ts";
import { Phone } from "./phone.ts";
import { restored } from "./restored.ts";

const MINUTE_MS = 60_000;
const OPTIONS = ["A", "7"];

/** A phone with a bet on a round, whose house is then restored. `isOver`: the round was closed and drawn before. */
async function afterRestore({ isOver = false, orders = ["bet_1"] } = {}) {
  const house = new House();
  const phone = new Phone(house);
  await phone.hear({ type: "head", head: house.note() }, house.open(1));
  await phone.wait();
  const bets = orders.map((order) => house.bet(order, 1));
  for (const one of bets) expect(await phone.watcher.answer("take", one)).toBe("right");
  const bet = bets[0]!;
  if (isOver) {
    house.close(1);
    house.stateDraw(1);
  }
  const next = restored(house);
  phone.house = next;
  const win = winOf(house, bet.receipt);
  const rest = async () => {
    for (let i = 0; i < 6; i++) await phone.wait();
  };
  const visit = async () => {
    await phone.hear({ type: "head", head: next.note() }, { type: "member", member: MEMBER });
    await rest();
  };
  /** The round is closed and drawn by the new log, and the bet is paid. */
  const end = async (paid = win) => {
    await phone.hear(next.open(1));
    await phone.hears(next.close(1));
    for (const order of orders) next.paid.set(order, paid);
    await phone.hear(next.result(1));
    await phone.hear({ type: "settled", orders: orders.map((order) => ({ member: MEMBER, order, win: paid })) });
    await rest();
  };
  const kept = async () => (await phone.kept.receipt(MEMBER, house.signer.key.name, "bet_1"))!;
  const file = async () => {
    const content = await phone.evidence();
    expect(checked(content)).toMatchObject({ isProven: false, isBroken: false });
    return { signed: saidOf(content, "signed").join("\n"), claimed: saidOf(content, "claimed").join("\n") };
  };
  /** In the order of the alphabet: all was found in one moment. */
  const found = async () => (await phone.found()).sort();
  return { house, next, phone, win, rest, visit, end, kept, file, found };
}
type After = Awaited<ReturnType<typeof afterRestore>>;

/** The house has the bet, of a round that is not closed: there is no proof yet. */
function listed(
  { phone, next }: After,
  more: { key?: string; expect?: string; options?: string[]; money?: string } = {},
) {
  const { key = GAME, expect: round = roundAt(1), options = OPTIONS, money = "2.00" } = more;
  phone.instead.proof = () => null;
  const data = options.map((type) => ({ expect: round, type, money, proportion: "1", win: null }));
  phone.instead.orders = () => [{ id: "bet_1", win: next.paid.get("bet_1") ?? null, key, data }] as never;
}

/** The new log takes it over. */
function carry({ phone, next }: After): void {
  next.bet("bet_1", 1);
  delete phone.instead.proof;
  delete phone.instead.orders;
}

describe("an open bet that a restore carried on", () => {
  it("is not lost while its round is open, and is counted and paid by the new log", async () => {
    const one = await afterRestore();
    listed(one);
    await one.visit();
    expect([await one.found(), await one.kept()]).toMatchObject([["restored"], { state: "taken" }]);
    carry(one);
    await one.end();
    expect(await one.found()).toEqual(["restored"]);
    expect(await one.kept()).toMatchObject({ state: "counted", payout: { win: one.win, isRight: true } });
    expect((await one.phone.report()).bets).toMatchObject({ counted: 1, waiting: 0 });
    const shown = await one.phone.watcher.answer("order", { member: MEMBER, order: "bet_1", origin: null });
    expect(shown).toMatchObject({ closing: { origin: one.next.signer.key.name }, unansweredSince: null });
  });

  it.each<[string, Parameters<typeof listed>[1]]>([
    ["game", { key: "k3-5m" }],
    ["round", { expect: roundAt(2) }],
    ["option", { options: ["A", "8"] }],
    ["number of options", { options: ["A"] }],
    ["stake", { money: "1.00" }],
  ])("is lost where the house lists one of another %s", async (_, other) => {
    const one = await afterRestore();
    listed(one, other);
    await one.visit();
    expect([await one.found(), (await one.kept()).state]).toEqual([["betLost", "restored"], "lost"]);
  });

  it("is found where the new log does not count it, though the house had shown it", async () => {
    const one = await afterRestore();
    listed(one);
    await one.visit();
    await one.end();
    expect(await one.found()).toEqual(["notCounted", "restored"]);
    const { signed, claimed } = await one.file();
    expect(signed).toContain("The receipt of bet_1 is signed");
    expect(claimed).toContain("bet_1");
  });

  it("is found where it is shown with a path that leads nowhere", async () => {
    const one = await afterRestore();
    listed(one);
    await one.visit();
    carry(one);
    one.phone.instead.proof = () => ({ ...one.next.proof("bet_1"), path: ["ab".repeat(32)] });
    await one.end();
    expect([await one.found(), (await one.kept()).state]).toEqual([["notCounted", "restored"], "wrong"]);
    await one.file();
  });

  it("is found where it is paid too little, or opened on other terms", async () => {
    const paid = await afterRestore();
    listed(paid);
    await paid.visit();
    carry(paid);
    await paid.end("0.01");
    expect(await paid.found()).toEqual(["payout", "restored"]);
    await paid.file();
    const terms = await afterRestore();
    listed(terms);
    await terms.visit();
    carry(terms);
    terms.next.stateOpen(1, { odds: "9" });
    await terms.end();
    expect(await terms.found()).toEqual(["restored", "terms"]);
    await terms.file();
  });

  it("owes an answer, where the house shows nothing of it any more", async () => {
    const one = await afterRestore();
    listed(one);
    await one.visit();
    for (const _ of [1, 2]) {
      one.phone.now += 86_400_000;
      await one.phone.hear({ type: "again", member: MEMBER });
      await one.rest();
    }
    expect((await one.phone.report()).unchecked.bets?.receipts).toMatchObject([{ order: "bet_1" }]);
  });
});

describe("a bet whose round was over before the restore", () => {
  const shownOf = ({ house, phone, next }: After) => {
    phone.instead.proof = ({ id }) => house.proof(id);
    phone.instead.money = () => house.moneyLog();
    while (next.size < house.size + 9) next.endHead();
  };
  const later = async ({ phone, rest }: After) => {
    phone.now += 20 * MINUTE_MS;
    await phone.hear({ type: "again", member: MEMBER });
    await rest();
  };

  it("is checked by its receipt, and owes nothing", async () => {
    const one = await afterRestore({ isOver: true });
    shownOf(one);
    one.next.paid.set("bet_1", one.win);
    await one.visit();
    await later(one);
    expect(await one.found()).toEqual(["restored"]);
    expect(await one.kept()).toMatchObject({ state: "untold", payout: { win: one.win, isRight: true } });
    expect((await one.phone.report()).unchecked.bets).toBeNull();
  });

  it("is checked so where the new log is shorter, too", async () => {
    const one = await afterRestore({ isOver: true });
    one.phone.instead.proof = ({ id }) => one.house.proof(id);
    one.phone.instead.money = () => one.house.moneyLog();
    one.next.paid.set("bet_1", one.win);
    await one.visit();
    expect([await one.found(), (await one.kept()).payout?.isRight]).toEqual([["restored"], true]);
  });

  it("is found where it was paid too little, or drawn by another seed", async () => {
    const paid = await afterRestore({ isOver: true });
    shownOf(paid);
    paid.next.paid.set("bet_1", "0.01");
    await paid.visit();
    expect(await paid.found()).toEqual(["payout", "restored"]);
    await paid.file();
    const seed = await afterRestore({ isOver: true });
    shownOf(seed);
    seed.phone.instead.proof = ({ id }) => {
      const proof = seed.house.proof(id);
      const other = new House("other");
      const leaf = proof.draw!.leaf.replace(seed.house.seed(1), other.seed(1));
      return { ...proof, draw: { ...proof.draw!, leaf } };
    };
    seed.next.paid.set("bet_1", "0.00");
    await seed.visit();
    expect(await seed.found()).toEqual(["otherCommit", "restored"]);
  });

  it("is not called checked while the new log cannot be read", async () => {
    const one = await afterRestore({ isOver: true });
    shownOf(one);
    one.next.paid.set("bet_1", one.win);
    await one.phone.meets();
    one.phone.hasFiles = false;
    one.phone.now += 86_400_000;
    await one.visit();
    await later(one);
    expect([(await one.kept()).state, await one.found()]).toEqual(["taken", ["restored"]]);
    expect((await one.phone.report()).unchecked.bets).not.toBeNull();
  });
});

it("two bets of one round that were carried on are paid together: what covers one of them is too little", async () => {
  const orders = ["bet_1", "bet_2"];
  const { next, win, visit, end, found } = await afterRestore({ orders });
  for (const order of orders) next.bet(order, 1);
  await visit();
  next.credits = () => win;
  await end();
  expect(await found()).toEqual(["credit", "restored"]);
});
