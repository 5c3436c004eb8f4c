import { problemsOf } from "../../support/audited.ts";
import { asc, eq } from "drizzle-orm";
import { debts, deposits, messages, transfers, wallets } from "#db/schema/index.ts";
import { readDebt } from "#server/domains/payments/debts.ts";
import { listReviews } from "#server/domains/payments/review.ts";
import { injectTold } from "../../support/api-document.ts";
import { set } from "../../support/operator.ts";
import { BTCPAY_KEY, BTCPAY_SECRET, BTCPAY_STORE, BtcpayServer, signedByBtcpay } from "../../support/btcpay-server.ts";
import { STRIPE_KEY, StripeServer, type StripeEvent } from "../../support/stripe-server.ts";
import { signedByStripe, WEBHOOK_SECRET } from "../../support/stripe-signature.ts";
import { START, world, type Player, type World } from "../../support/world.ts";
import { PUBLIC_URL } from "./shop.ts";

const SECRETS = [STRIPE_KEY, WEBHOOK_SECRET, BTCPAY_KEY, BTCPAY_SECRET];

interface ProviderWorld<P> {
  w: World;
  provider: P;
  /** Throws if the operator's audit finds a problem, or a secret was logged. */
  close(): Promise<void>;
}

/** A site in euros, and a payment provider of the test's own. */
async function open<P extends { listen(): Promise<P>; url: string; close(): Promise<void> }>(
  made: (now: () => number) => P,
  env: (url: string) => Record<string, string>,
): Promise<ProviderWorld<P>> {
  let now = () => START;
  const provider = await made(() => now()).listen();
  const w = await world({ env: { PUBLIC_URL, ...env(provider.url) } });
  now = () => w.now();
  await set(w, "unit", "EUR");
  const close = async () => {
    const problems = await problemsOf(w);
    const log = w.logged.join("");
    await w.close();
    await provider.close();
    if (problems.length > 0) throw new Error(`the audit found: ${problems.join("; ")}`);
    if (SECRETS.some((secret) => log.includes(secret))) throw new Error("a secret stands in the log");
  };
  return { w, provider, close };
}

export const stripeWorld = (more: Record<string, string> = {}) =>
  open(
    (now) => new StripeServer(now),
    (url) => ({
      STRIPE_SECRET_KEY: STRIPE_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_URL: url,
      ...more,
    }),
  );

export const btcpayWorld = (more: Record<string, string> = {}) =>
  open(
    (now) => new BtcpayServer(now),
    (url) => ({
      BTCPAY_URL: url,
      BTCPAY_STORE,
      BTCPAY_API_KEY: BTCPAY_KEY,
      BTCPAY_WEBHOOK_SECRET: BTCPAY_SECRET,
      ...more,
    }),
  );

/** Orders a top-up of whole euros. */
export const topUpBy = (player: Player, pay_way: string, money: number, key?: string) =>
  player.call("/member/doRecharge", { pay_way, money: String(money) }, { lang: "en_us", ...(key && { key }) });

/** Orders a top-up, which must succeed. Returns the order's number. */
export async function orderBy(player: Player, way: string, money: number): Promise<string> {
  const { code, data } = await topUpBy(player, way, money);
  if (code !== 200) throw new Error(`the order was answered ${code} ${JSON.stringify(data)}`);
  return data.order;
}

/** Sends a notification. Returns its HTTP status. */
async function send(w: World, way: string, payload: string, headers: Record<string, string>): Promise<number> {
  const url = `/api/pay/notify/${way}`;
  const own = { "content-type": "application/json; charset=utf-8", ...headers };
  return (await injectTold(w.site.app, { method: "POST", url, headers: own, payload })).statusCode;
}

export function tellByStripe(
  w: World,
  event: StripeEvent,
  { secret, at = w.now() }: { secret?: string; at?: number } = {},
) {
  const payload = JSON.stringify(event);
  return send(w, "stripe", payload, { "stripe-signature": signedByStripe(payload, at, secret) });
}

export function tellByBtcpay(w: World, delivery: object, secret?: string) {
  const payload = JSON.stringify(delivery);
  return send(w, "btcpay", payload, { "btcpay-sig": signedByBtcpay(payload, secret) });
}

/** What the member, the operator and the ledger show; amounts in whole units. */
export async function seen({ deps }: World, { memberId }: Player) {
  const { read } = deps.db;
  const [wallet] = await read.select().from(wallets).where(eq(wallets.memberId, memberId));
  const orders = await read.select().from(deposits).where(eq(deposits.memberId, memberId)).orderBy(asc(deposits.id));
  const moved = await read.select().from(transfers).where(eq(transfers.memberId, memberId)).orderBy(asc(transfers.id));
  const sentMessages = await read
    .select()
    .from(messages)
    .where(eq(messages.memberId, memberId))
    .orderBy(asc(messages.id));
  const own = await read.select().from(debts).where(eq(debts.memberId, memberId));
  const reviews = await listReviews(read);
  return {
    balance: wallet!.balance / 100,
    orders: orders.map(({ status }) => status),
    ledger: moved.map(
      ({ code, credit, amount }) => `${code} ${credit.startsWith("member:") ? "+" : "-"}${amount / 100}`,
    ),
    messages: sentMessages.map(({ kind }) => kind),
    owes: (await readDebt(read, memberId)) / 100,
    debts: own.length,
    reviews: reviews.map(({ deposit }) => `${deposit.orderNo} ${deposit.status} ${(deposit.received ?? 0) / 100}`),
  };
}
