import { afterAll, beforeAll, expect, it } from "vitest";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;

beforeAll(async () => {
  w = await world();
  await w.game();
  await w.live(1_000);
  mia = await w.player("mia_1", { balance: 100 });
});
afterAll(() => w.close());

const expectRound = "20260302-0001";
const bet = { item: "A", money: "1", lid: "lot_9", mid: "", expect: expectRound };

/** Every endpoint that takes an object's id, with a well-formed id of no object. */
const ASKED: [method: "GET" | "POST", path: string, input: Record<string, string>][] = [
  ["GET", "/Lottery/lotteryList", { class: "none" }],
  ["GET", "/Lottery/getLotteryInfo", { key: "none" }],
  ["GET", "/Lottery/getLotteryOneList", { key: "none" }],
  ["GET", "/Lottery/getLotteryPeilv", { id: "lot_9" }],
  ["GET", "/Lottery/ownRounds", { key: "none" }],
  ["POST", "/game/placeOrder", bet],
  ["GET", "/fair/round", { key: "none", expect: expectRound }],
  ["GET", "/fair/round", { key: "k3-1m", expect: "20260302-0002" }],
  ["GET", "/fair/anchors", { key: "none" }],
  ["GET", "/fair/gaps", { key: "none" }],
  ["GET", "/fair/pauses", { key: "none" }],
  ["GET", "/fair/consistency", { from: "1", to: "100000" }],
  ["GET", "/fair/log", { key: "none", from: "20260302-0001" }],
  ["GET", "/fair/log", { key: "k3-1m", from: "20260230-0001" }],
  ["GET", "/fair/table", { hash: "ab".repeat(32) }],
  ["GET", "/fair/proof", { id: "bet_99" }],
  ["GET", "/fair/proof", { id: "none" }],
  ["GET", "/fair/payout", { id: "bet_99" }],
  ["GET", "/fair/payout", { id: "none" }],
  ["GET", "/fair/beacons", { key: "none" }],
  ["GET", "/xuanfei/xuanfeilist", { id: "city_9" }],
  ["GET", "/nHomeList", { city: "city_9" }],
  ["GET", "/xuanfei/xuanfeidata", { id: "lst_9" }],
  ["GET", "/xuanfei/picshow", { id: "lst_9" }],
  ["GET", "/xuanfei/commentlist", { id: "lst_9" }],
  ["GET", "/video/getVideoList", { id: "none" }],
  ["GET", "/video/getVideoInfo", { id: "vid_9" }],
  ["GET", "/video/getVideoInfoItem", { id: "vid_9" }],
  ["GET", "/video/place", { id: "vid_9" }],
  ["POST", "/video/place", { id: "vid_9", position_ms: "1" }],
  ["POST", "/video/save", { id: "vid_9", on: "1" }],
  ["POST", "/xuanfei/save", { id: "lst_9", on: "1" }],
  ["POST", "/xuanfei/open", { id: "lst_9" }],
  ["POST", "/member/buyPlan", { id: "plan_9" }],
  ["POST", "/member/endSession", { id: "ses_9" }],
  ["POST", "/support/read", { id: "svc_9" }],
  ["POST", "/member/readMessages", { id: "msg_9" }],
  ["GET", "/support/picture", { id: "svc_9" }],
  ["POST", "/member/renamePasskey", { id: "key_9", name: "Phone" }],
  ["POST", "/member/removePasskey", { id: "key_9" }],
];

it.each(ASKED)("%s %s of an unknown object is 404, with a reason: %j", async (method, path, input) => {
  const { code, data } = await mia.call(path, input, { method });
  expect([code, data]).toEqual([404, { reason: "object.unknown" }]);
});
