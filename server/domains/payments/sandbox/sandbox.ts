import { createHmac, timingSafeEqual } from "node:crypto";
import { and, eq, gt, inArray } from "drizzle-orm";
import { isDatabaseAway } from "#db/away.ts";
import { deposits, sandboxCheckouts } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import type { MasterKey } from "#server/config/keys.ts";
import { readUnit } from "#server/domains/ledger/unit.ts";
import { DONE } from "#shared/contract/envelope.ts";
import { fromDecimal, fromUnits, MAX_UNITS, toDecimal, type Money } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import { dayOf, MINUTE_MS, SECOND_MS, toSeconds } from "#shared/time.ts";
import { POINTS } from "#shared/unit.ts";
import type {
  Channel,
  ChannelKind,
  Checkout,
  NotifyRequest,
  Order,
  PaymentEvent,
} from "#server/domains/payments/channel.ts";
import { sandboxPages } from "./page.ts";

/** How far a notification's time may be off. */
const TOLERANCE_MS = 5 * MINUTE_MS;

type Decision = { orderNo: string; amount: Money; status: "paid" | "failed" };

/** The built-in channel, for points only. It moves no money, and does everything else as a real channel would. */
class Sandbox implements Channel {
  readonly code = "sandbox";
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  limits(unit: string): { least: Money; most: Money } | null {
    return unit === POINTS ? { least: fromUnits(1), most: fromUnits(MAX_UNITS) } : null;
  }

  async prepare({ orderNo, amount, fee }: Order): Promise<Checkout> {
    const row = { orderNo, amount: amount + fee };
    try {
      await this.#deps.db.transact(async (tx) => {
        await tx.insert(sandboxCheckouts).values(row).onConflictDoNothing();
      });
    } catch (error) {
      // These rows are in the site's own database. Where that is away, no provider is.
      throw isDatabaseAway(error) ? new Refusal("server.away", { retryAfterS: 1 }) : error;
    }
    return { page: `${this.#deps.publicUrl}/pay/sandbox/${orderNo}`, opens: "frame", reference: null };
  }

  async notify({ method, headers, rawBody }: NotifyRequest): Promise<{ events: PaymentEvent[] }> {
    await this.refuseClosed();
    if (method !== "POST") throw new Refusal("path.unknown");
    return { events: [eventOf(this.#read(rawBody.toString(), String(headers["x-signature"] ?? "")))] };
  }

  /** Notifications come from this server, which understands the envelope. */
  refused(): null {
    return null;
  }

  async query({ orderNo }: Pick<Order, "orderNo">): Promise<PaymentEvent[]> {
    const decision = await this.#decisionOn(orderNo);
    return decision ? [eventOf(decision)] : [];
  }

  /** Nothing was received, so there is nothing to refund. */
  async refund(): Promise<void> {}

  mount(app: Parameters<typeof sandboxPages>[0]): void {
    sandboxPages(app, this.#deps, this);
  }

  /** With a real currency, and where it is not offered, there is no sandbox, even for earlier orders. */
  async refuseClosed(): Promise<void> {
    const { db, settings } = this.#deps;
    const offered = settings.get<string[]>("pay_banklist");
    const isOffered = offered.length === 0 || offered.includes(this.code);
    if (!isOffered || (await readUnit(db.read)) !== POINTS) throw new Refusal("path.unknown");
  }

  /** A tap on the page: the sandbox decides once, and notifies each time. Refuses where nobody took the notification. */
  async decide(orderNo: string, status: "paid" | "failed"): Promise<void> {
    const { db, clock, callItself } = this.#deps;
    await db.transact(async (tx) => {
      // An expired order's page is closed, as a provider's would be.
      const isOpenOrder = and(eq(deposits.status, "waiting"), gt(deposits.expiresAt, clock.now()));
      const orders = tx.select({ no: deposits.orderNo }).from(deposits).where(isOpenOrder);
      const isOpen = and(eq(sandboxCheckouts.state, "open"), inArray(sandboxCheckouts.orderNo, orders));
      const open = and(eq(sandboxCheckouts.orderNo, orderNo), isOpen);
      await tx.update(sandboxCheckouts).set({ state: status }).where(open);
    });
    const decision = await this.#decisionOn(orderNo);
    if (!decision) return;
    const notification = this.#notification(decision);
    const told = await callItself({ method: "POST", url: "/api/pay/notify/sandbox", ...notification });
    const { code } = told.json<{ code: number }>();
    if (code !== DONE) throw new Refusal("server.away", { retryAfterS: 1 });
  }

  async #decisionOn(orderNo: string): Promise<Decision | null> {
    const [checkout] = await this.#deps.db.read
      .select()
      .from(sandboxCheckouts)
      .where(eq(sandboxCheckouts.orderNo, orderNo));
    if (!checkout || checkout.state === "open") return null;
    return { orderNo, amount: checkout.amount, status: checkout.state };
  }

  #read(body: string, signature: string): Decision {
    const fields = new URLSearchParams(body);
    const key = this.#deps.keys.at(Number(fields.get("time")) * SECOND_MS);
    if (!key) throw new Refusal("payment.unsigned");
    const expected = Buffer.from(signatureOf(key, body));
    const received = Buffer.from(signature);
    if (received.length !== expected.length || !timingSafeEqual(received, expected))
      throw new Refusal("payment.unsigned");
    const [orderNo, money, status, time] = ["order", "money", "status", "time"].map((name) => fields.get(name) ?? "");
    if (!/^\d{1,12}\.\d{2}$/.test(money!) || (status !== "paid" && status !== "failed"))
      throw new Refusal("payment.mismatch");
    const age = Math.abs(this.#deps.clock.now() - Number(time) * SECOND_MS);
    if (!(age <= TOLERANCE_MS)) throw new Refusal("payment.unsigned");
    return { orderNo: orderNo!, amount: fromDecimal(money!), status };
  }

  /** A notification, signed now. */
  #notification({ orderNo, amount, status }: Decision): { headers: Record<string, string>; payload: string } {
    const { clock, keys } = this.#deps;
    const now = toSeconds(clock.now());
    const key = keys.ofDay(dayOf(now * SECOND_MS));
    const time = String(now);
    const payload = new URLSearchParams({ order: orderNo, money: toDecimal(amount), status, time }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded", "x-signature": signatureOf(key, payload) };
    return { headers, payload };
  }
}

/** By the master key of its time. */
const signatureOf = (key: MasterKey, body: string): string =>
  createHmac("sha256", key.derive("pay:sandbox")).update(body).digest("hex");

const eventOf = ({ orderNo, amount, status }: Decision): PaymentEvent =>
  status === "paid" ? { kind: "paid", orderNo, amount, unit: POINTS } : { kind: "failed", orderNo, amount };

export const sandbox: ChannelKind = {
  code: "sandbox",
  isTried: true,
  isConfigured: () => true,
  open: async (deps) => new Sandbox(deps),
};
