import { createHmac } from "node:crypto";
import { readReply } from "./call.ts";
import type { Player, World } from "./world.ts";

/** Orders a top-up of whole units. */
export const orderTopUp = (player: Player, money: number, key?: string) =>
  player.call("/member/doRecharge", { pay_way: "sandbox", money: String(money) }, key === undefined ? {} : { key });

export interface Notice {
  order: string;
  /** Whole units. */
  money: number;
  status?: "paid" | "failed";
  signature?: string;
}

/** The channel's notification of an order, signed as the contract says. */
export async function notify(w: World, { order, money, status = "paid", signature }: Notice) {
  const time = String(Math.floor(w.now() / 1000));
  const payload = new URLSearchParams({ order, money: `${money}.00`, status, time }).toString();
  const signed = createHmac("sha256", w.deps.keys.now.derive("pay:sandbox")).update(payload).digest("hex");
  const response = await w.site.app.inject({
    method: "POST",
    url: "/api/pay/notify/sandbox",
    headers: { "content-type": "application/x-www-form-urlencoded", "x-signature": signature ?? signed },
    payload,
  });
  const { code, msg, data } = response.json<{ code: number; msg: string; data: string }>();
  const value: unknown = JSON.parse(Buffer.from(data, "base64").toString());
  return { status: response.statusCode, ...readReply(code, msg, value), headers: response.headers };
}

/** A top-up from the order to the credit. Returns its order number. */
export async function topUp(w: World, player: Player, money: number): Promise<string> {
  const { data } = await orderTopUp(player, money);
  await notify(w, { order: data.order, money });
  return data.order;
}
