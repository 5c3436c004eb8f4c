import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import { deposits, transfers, wallets } from "#db/schema/index.ts";
import { decodeData } from "#shared/contract/envelope.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { injectTold } from "../../support/api-document.ts";
import { world, type Player, type World } from "../../support/world.ts";

export const PUBLIC_URL = "https://club.example";

export const shop = (): Promise<World> => world({ env: { PUBLIC_URL } });

/** Orders a top-up of whole units in a language. */
export const order = (player: Player, money: number | string, lang: LocaleCode = "en_us") =>
  player.call("/member/doRecharge", { pay_way: "sandbox", money: String(money) }, { lang });

/** Orders a top-up, which must succeed. Returns its number. */
export async function ordered(player: Player, money: number): Promise<string> {
  const { code, data } = await order(player, money);
  if (code !== 200) throw new Error(`the order was answered ${code}`);
  return data.order;
}

export const signOf = (w: World, body: string): string =>
  createHmac("sha256", w.deps.keys.now.derive("pay:sandbox")).update(body).digest("hex");

export interface Note {
  order: string;
  money?: string;
  status?: string;
  time?: string;
}

export const bodyOf = (w: World, { order, money = "10.00", status = "paid", time }: Note): string =>
  new URLSearchParams({ order, money, status, time: time ?? String(Math.floor(w.now() / 1000)) }).toString();

/** Sends exactly this to the channel's notification endpoint. */
export async function deliver(w: World, payload: string, signature: string | undefined = signOf(w, payload)) {
  const response = await injectTold(w.site.app, {
    method: "POST",
    url: "/api/pay/notify/sandbox",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      ...(signature !== "" && { "x-signature": signature }),
    },
    payload,
  });
  const { code, data } = response.json<{ code: number; data: string }>();
  return { status: response.statusCode, code, data: decodeData(data) };
}

/** Taps a button of the sandbox's page. */
export const tap = (w: World, orderNo: string, button: "pay" | "fail", headers: Record<string, string> = {}) =>
  w.site.app.inject({ method: "POST", url: `/pay/sandbox/${orderNo}/${button}`, headers });

/** What an order may change for its member. */
export async function stateOf({ deps }: World, memberId: number) {
  const { read } = deps.db;
  const [wallet] = await read.select().from(wallets).where(eq(wallets.memberId, memberId));
  const rows = await read.select().from(deposits).where(eq(deposits.memberId, memberId)).orderBy(deposits.id);
  return {
    balance: wallet!.balance,
    version: wallet!.version,
    deposited: wallet!.depositedTotal,
    statuses: rows.map(({ status }) => status),
    credits: (await read.select().from(transfers).where(eq(transfers.memberId, memberId))).length,
  };
}

export const listOf = async (player: Player, lang: LocaleCode = "en_us") =>
  (await player.call("/member/getUserRechargeList", undefined, { lang })).data;
