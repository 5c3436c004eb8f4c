import { eq } from "drizzle-orm";
import * as schema from "#db/schema/index.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { give } from "../../support/credentials.ts";
import type { Player, World } from "../../support/world.ts";

export const PIN = "246810";
export const NUMBER = "19036624875013";
export const ACCOUNT = { bankid: NUMBER, bank: "ACB", bank_code: "vn_acb", username: "Mia Tran", mobile: "" };

export const bind = (player: Player, over: Record<string, string> = {}, key?: string) =>
  player.call("/member/setBank", { ...ACCOUNT, ...over }, { lang: "en_us", ...(key !== undefined && { key }) });

/** A member who may withdraw: with a pay password, a name and a bank account. */
export async function saver(w: World, username: string, balance: number): Promise<Player> {
  const player = await w.player(username, { balance });
  await give(w, player.memberId, { pin: PIN });
  const { code } = await bind(player);
  if (code !== 200) throw new Error(`binding was answered ${code}`);
  return player;
}

interface Asking {
  pin?: string;
  key?: string;
  lang?: LocaleCode;
}

/** Requests a withdrawal of whole units. */
export const ask = (player: Player, money: number | string, { pin = PIN, key, lang = "en_us" }: Asking = {}) =>
  player.call(
    "/member/setUserWirhdraw",
    { money: String(money), paypwd: pin },
    { lang, ...(key !== undefined && { key }) },
  );

/** Requests a withdrawal, which must succeed. Returns its row number. */
export async function asked(player: Player, money: number): Promise<number> {
  const { code, data } = await ask(player, money);
  if (code !== 200) throw new Error(`the withdrawal was answered ${code} ${JSON.stringify(data)}`);
  return Number(data.id.slice("wdr_".length));
}

/** What a withdrawal may change: this member's wallet, and the account that holds all withdrawals. */
export async function stateOf({ deps }: World, memberId: number) {
  const { read } = deps.db;
  const { wallets, withdrawals, transfers, messages } = schema;
  const [wallet] = await read.select().from(wallets).where(eq(wallets.memberId, memberId));
  const rows = await read.select().from(withdrawals).where(eq(withdrawals.memberId, memberId)).orderBy(withdrawals.id);
  const moved = await read.select().from(transfers);
  const held = moved.reduce((sum, { debit, credit, amount }) => {
    const sign = credit === "held:withdrawals" ? 1 : debit === "held:withdrawals" ? -1 : 0;
    return sum + sign * amount;
  }, 0);
  return {
    balance: wallet!.balance / 100,
    version: wallet!.version,
    withdrawn: wallet!.withdrawnTotal / 100,
    statuses: rows.map(({ status }) => status),
    messages: (await read.select().from(messages).where(eq(messages.memberId, memberId)).orderBy(messages.id))
      .map(({ kind }) => kind)
      .filter((kind) => !kind.startsWith("security.")),
    held: held / 100,
  };
}
