import { roundNow } from "../../../support/ledger.ts";
import { anybody, play, whileLocked, type Rows } from "./row.ts";

export const rows: Rows = {
  "GET /Lottery/itemlist": anybody(),
  "GET /Lottery/hotLottery": anybody(),
  "GET /Lottery/lotteryList": anybody(),
  "GET /Lottery/getLotteryInfo": anybody(),
  "GET /Lottery/getLotteryOneList": anybody(),
  "GET /Lottery/getLotteryPeilv": anybody(),
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
};
