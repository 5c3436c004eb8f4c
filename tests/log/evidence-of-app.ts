import { QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import { judgeEvidence } from "#shared/log/evidence/judge.ts";
import { readEvidence } from "#shared/log/evidence/read.ts";
import { sentenceOfSaid, strengthOf, type Said, type Strength } from "#shared/log/evidence/says.ts";
import { expectedWin } from "#client/watch/check-bet.ts";
import { parseReceipt } from "#shared/log/receipt.ts";
import { toDecimal } from "#shared/money.ts";
import { hexToBytes } from "@noble/hashes/utils.js";
import { House, MEMBER, roundAt } from "../client/watch/house.ts";
import { Phone } from "../client/watch/phone.ts";

/** What a file comes to: refused, or what is said of its findings. */
export function checked(content: string) {
  const file = readEvidence(content);
  if ("refused" in file) return { refused: file.refused, isProven: false, isBroken: false, said: [] as Said[] };
  const judged = judgeEvidence(file, QUICKNET_BEACONS);
  const said = judged.flatMap((one) => one.said);
  const isBroken = said.some((one) => strengthOf(one) === "broken");
  return { isProven: judged.some((one) => one.isProven) && !isBroken, isBroken, said };
}

export const saidOf = (content: string, strength: Strength): string[] =>
  checked(content)
    .said.filter((one) => strengthOf(one) === strength)
    .map(sentenceOfSaid);

async function watching(house = new House()): Promise<{ house: House; phone: Phone }> {
  const phone = new Phone(house);
  await phone.meets();
  return { house, phone };
}

/** A house that begins its log otherwise than it had shown it. */
async function begunOtherwise(change: (liar: House) => void): Promise<Phone> {
  const house = new House();
  house.endHead();
  const { phone } = await watching(house);
  const liar = new House();
  liar.close(1, { stake: 700 });
  change(liar);
  await phone.meets(liar);
  await phone.wait();
  return phone;
}

/** A house that had replaced its key, and shows a log that had not, or not by that one. */
async function replacedOtherwise(change: (liar: House) => void): Promise<Phone> {
  const { house, phone } = await watching();
  house.rotate("second");
  await phone.meets();
  await phone.wait();
  const liar = new House();
  liar.close(1);
  change(liar);
  await phone.meets(liar);
  return phone;
}

const take = (phone: Phone, bet: ReturnType<House["bet"]>) => phone.watcher.answer("take", bet);
const credit = (cause: string) => ({ kind: "credit", code: "credit", cause, amount: 500, unit: "point" }) as const;

/** A bet is taken, its round is closed and told, and the result comes. */
async function settled(phone: Phone, house: House, more: Parameters<House["close"]>[1], win: string): Promise<void> {
  await phone.hear(house.open(1));
  await phone.wait();
  await take(phone, house.bet("bet_1", 1));
  await phone.hears(house.close(1, more));
  await phone.hear(house.result(1), { type: "settled", orders: [{ member: MEMBER, order: "bet_1", win }] });
  await phone.wait();
}

/** What the bets that are made here win in a round. */
const winIn = (house: House, number: number): number => {
  const { receipt } = new House().bet("bet_1", number);
  return expectedWin(parseReceipt(receipt)!, house.fairRound(roundAt(number)), hexToBytes(house.seed(number)))!;
};
const winning = (house: House): number => [1, 2, 3, 4, 5, 6, 7, 8].find((number) => winIn(house, number) > 0)!;

/** A phone with bets on a round that each of them wins, which is closed; `settle` tells it what they were paid. */
async function won(names: string[]) {
  const { house, phone } = await watching();
  const number = winning(house);
  for (let drawn = 1; drawn < number; drawn++) await phone.round(drawn);
  await phone.hear(house.open(number));
  await phone.wait();
  for (const name of names) await take(phone, house.bet(name, number));
  await phone.hears(house.close(number));
  const settle = async (paid: number[]): Promise<Phone> => {
    const orders = names.map((order, i) => ({ member: MEMBER, order, win: toDecimal(paid[i]!) }));
    await phone.hear(house.result(number), { type: "settled", orders });
    await phone.wait();
    return phone;
  };
  return { house, phone, number, win: winIn(house, number), settle };
}

/** Files that convict by themselves, each made by the app's own checks of a house that breaks its word. */
export const PROVEN: Record<string, () => Promise<Phone>> = {
  "two heads of one size": async () => {
    const [house, liar] = [new House(), new House()];
    const phone = new Phone(house);
    house.close(1);
    liar.close(1, { stake: 700 });
    await phone.hear({ type: "head", head: house.note() }, { type: "head", head: liar.note() });
    return phone;
  },
  "a log that begins otherwise": () => begunOtherwise((liar) => void liar.close(2)),
  "a larger log whose first leaves, a power of two, are others": async () => {
    const { house, phone } = await watching();
    house.close(1);
    while (Math.log2(house.size) % 1 !== 0) house.endHead();
    await phone.meets();
    await phone.wait();
    const liar = new House();
    liar.close(1, { stake: 700 });
    while (liar.size <= house.size) liar.endHead();
    await phone.meets(liar);
    await phone.wait();
    return phone;
  },
  "two heads of one size under a second key": async () => {
    const { house, phone } = await watching();
    const liar = new House();
    for (const one of [house, liar]) one.rotate("second");
    house.close(1);
    liar.close(1, { stake: 700 });
    await phone.hear({ type: "head", head: house.note() }, { type: "head", head: liar.note() });
    await phone.wait();
    return phone;
  },
  "a log that begins otherwise, after its key was replaced": () => begunOtherwise((liar) => void liar.rotate("second")),
  "a log that replaced the key otherwise": () => replacedOtherwise((liar) => void liar.rotate("third")),
  "a log that never replaced the key": () => replacedOtherwise(() => {}),
  "a log that had replaced the key before": async () => {
    const house = new House();
    house.close(1);
    const { phone } = await watching(house);
    const liar = new House();
    liar.rotate("second");
    liar.close(1);
    await phone.meets(liar);
    return phone;
  },
  "two closings": async () => {
    const { house, phone } = await watching();
    await phone.hears(house.close(1));
    await phone.hears(house.close(1, { stake: 500 }));
    return phone;
  },
  "two receipts": async () => {
    const { house, phone } = await watching();
    await take(phone, house.bet("bet_1", 1));
    await take(phone, house.bet("bet_1", 1, { stake: 300 }));
    return phone;
  },
  "a receipt by a replaced key": async () => {
    const { house, phone } = await watching();
    const old = house.rotate("second");
    await phone.meets();
    await take(phone, house.bet("bet_1", 1, {}, old));
    return phone;
  },
  "a head by a replaced key": async () => {
    const { house, phone } = await watching();
    const old = house.rotate("second");
    await phone.meets();
    house.close(1);
    await phone.hear({ type: "head", head: house.noteBy(old) });
    return phone;
  },
  "two closings under a second key": async () => {
    const { house, phone } = await watching();
    house.rotate("second");
    await phone.hears(house.close(1));
    await phone.hears(house.close(1, { stake: 500 }));
    return phone;
  },
  "a closing that counts no bet": async () => {
    const { house, phone } = await watching();
    await settled(phone, house, { bets: 0, bets_root: "cd".repeat(32) }, "0.00");
    return phone;
  },
  "a closing that counts another bet": async () => {
    const { house, phone } = await watching();
    await settled(phone, house, { bets_root: "cd".repeat(32) }, "0.00");
    return phone;
  },
  "a closing of less than the stake": async () => {
    const { house, phone } = await watching();
    await settled(phone, house, { bets: 9, stake: 399, bets_root: "cd".repeat(32) }, "0.00");
    return phone;
  },
  "a receipt on other odds than the round opened with": async () => {
    const { house, phone } = await watching();
    await phone.hear(house.open(1));
    await phone.wait();
    await take(phone, house.bet("bet_1", 1, { odds: "2", odds_hash: "cd".repeat(32) }));
    await phone.hears(house.close(1));
    await phone.hear(house.result(1), { type: "settled", orders: [{ member: MEMBER, order: "bet_1", win: "0.00" }] });
    await phone.wait();
    return phone;
  },
  "a round that paid less than a bet of it wins": async () => {
    const { house, phone, number, win, settle } = await won(["bet_1"]);
    house.stateSettle(number, win - 1);
    phone.instead.payout = () => null;
    return settle([win - 1]);
  },
  "a round that paid a member less than their bets win": async () => {
    const { house, number, win, settle } = await won(["bet_1", "bet_2"]);
    house.stateSettle(number, 9 * win, 2 * win - 1);
    return settle([win, win - 1]);
  },
  "a line that is another one": async () => {
    const { house, phone } = await watching();
    house.own<"credit">(credit("c-1"));
    const chain = () => phone.hear({ type: "chain", member: MEMBER, note: house.chainNote() });
    await chain();
    await phone.hear({ type: "chain", member: MEMBER, note: house.chainNote({ hash: "cd".repeat(32) }) });
    return phone;
  },
  "a line that is gone": async () => {
    const { house, phone } = await watching();
    for (const cause of ["c-1", "c-2"]) house.own<"credit">(credit(cause));
    await phone.hear({ type: "chain", member: MEMBER, note: house.chainNote() });
    house.owns.pop();
    await phone.hear({ type: "chain", member: MEMBER, note: house.chainNote({ time: 60_000 }) });
    return phone;
  },
  "a line that was promised and is gone": async () => {
    const { house, phone } = await watching();
    house.own<"credit">(credit("c-1"));
    await phone.hear({ type: "chain", member: MEMBER, note: house.chainNote() });
    house.own<"credit">(credit("undone"));
    const promise = house.chainNote();
    house.owns.pop();
    await phone.hear({ type: "chain", member: MEMBER, note: promise });
    await phone.hear({ type: "chain", member: MEMBER, note: house.chainNote({ time: 60_000 }) });
    return phone;
  },
  "two balances": async () => {
    const { house, phone } = await watching();
    await phone.hear(house.balance(2, 300), house.balance(2, 400));
    return phone;
  },
};

/** Files that only claim, and what is said of them. */
export const CLAIMED: Record<string, [make: () => Promise<Phone>, says: RegExp]> = {
  "a log that got shorter": [
    async () => {
      const { house, phone } = await watching();
      house.close(1);
      await phone.meets();
      await phone.wait();
      await phone.meets(new House());
      await phone.wait();
      return phone;
    },
    /ask \/api\/fair\/consistency\?from=\d+&to=\d+/,
  ],
  "a head that nobody signed": [
    async () => {
      const { phone } = await watching();
      await phone.hear({ type: "head", head: "no head\n" });
      return phone;
    },
    /anybody could have made it/,
  ],
  "another log": [
    async () => {
      const { phone } = await watching();
      await phone.meets(new House("other"));
      return phone;
    },
    /Nothing that was signed joins them/,
  ],
  "dice that the seed does not give": [
    async () => {
      const { house, phone } = await watching();
      await phone.hear(house.open(1));
      await phone.wait();
      await phone.hears(house.close(1));
      await phone.hear(house.result(1, { opencode: house.dice(2).map((face) => 7 - face) }));
      return phone;
    },
    /The dice in the result do not follow from its seed, rule and beacon/,
  ],
  "a payout that is too low": [
    async () => {
      const { house, phone } = await watching();
      const { receipt } = house.bet("bet_0", 1);
      const won = expectedWin(parseReceipt(receipt)!, house.fairRound(roundAt(1)), hexToBytes(house.seed(1)))!;
      await settled(phone, house, {}, toDecimal(won + 1));
      return phone;
    },
    /By its signed receipt, its odds and the seed that its commit fixed, bet_1 wins \d+\.\d\d/,
  ],
  "a bet among many that the house does not show": [
    async () => {
      const { house, phone } = await watching();
      for (const order of ["bet_2", "bet_3"]) house.bet(order, 1);
      phone.instead.proof = () => null;
      await settled(phone, house, {}, "0.00");
      return phone;
    },
    /It owes one to its member: \/api\/fair\/proof\?id=bet_1/,
  ],
  "a receipt that says something else than the screen": [
    async () => {
      const { house, phone } = await watching();
      const { placed, receipt } = house.bet("bet_1", 1);
      await phone.watcher.answer("take", { placed: { ...placed, stake: 100 }, receipt });
      return phone;
    },
    /The screen showed something else than the receipt says/,
  ],
};
