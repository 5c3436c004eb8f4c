import { roundNow } from "../../../support/ledger.ts";
import { anybody, play, whileLocked, type Rows } from "./row.ts";

const OF_OTHERS = ["locked", "excluded", "member", "active", "other"] as const;

export const rows: Rows = {
  "GET /Lottery/itemlist": anybody(),
  "GET /Lottery/hotLottery": anybody(),
  "GET /Lottery/lotteryList": anybody(),
  "GET /Lottery/getLotteryInfo": anybody(),
  "GET /Lottery/getLotteryOneList": anybody(),
  "GET /Lottery/getLotteryPeilv": anybody(),
  "GET /Lottery/ownRounds": whileLocked(),
  "POST /game/placeOrder": play({
    foreign: ({ w, owner }) => ({
      item: "A",
      money: "1",
      lid: "lot_1",
      mid: `mem_${owner.memberId}`,
      expect: roundNow(w),
    }),
    other: "403 bet.foreign",
  }),
  "GET /member/getUserGameList": whileLocked(),
  "GET /fair/round": anybody(),
  "GET /fair/anchors": anybody(),
  "GET /fair/gaps": anybody(),
  "GET /fair/pauses": anybody(),
  "GET /fair/head": anybody(),
  "GET /fair/hour": anybody(),
  "GET /fair/origins": anybody(),
  "GET /fair/consistency": anybody(),
  "GET /fair/log": anybody(),
  "GET /fair/table": anybody(),
  // The bet is of none of them. A member's own one is proved in tests/server/log/log.test.ts.
  "GET /fair/proof": whileLocked(Object.fromEntries(OF_OTHERS.map((role) => [role, "403 bet.foreign"]))),
  "GET /fair/payout": whileLocked(Object.fromEntries(OF_OTHERS.map((role) => [role, "403 bet.foreign"]))),
  "GET /fair/mine": whileLocked(),
  "GET /fair/beacons": anybody(),
};
