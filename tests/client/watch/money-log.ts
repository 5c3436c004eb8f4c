import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { moneyLog } from "#shared/contract/wallet.ts";
import { GAME } from "./game.ts";

type Log = ReplyOf<typeof moneyLog>;

/** The changes of a member's balance, newest first: each round was paid. */
export function moneyLogOf(rounds: readonly string[], credits: (round: string) => string | null): Log {
  const paid = rounds.flatMap((expect) => {
    const money = credits(expect);
    return money === null ? [] : [{ expect, money }];
  });
  let cents = 0;
  const list = paid.map(({ expect, money }, i) => {
    cents += Math.round(Number(money) * 100);
    const change = { id: `pay_${i}`, type: "payout", type_txt: "", desc: "", createtime: 9, version: i + 1 };
    return { ...change, money, balance: (cents / 100).toFixed(2), key: GAME, expect };
  });
  return { list: list.reverse(), count: list.length };
}
