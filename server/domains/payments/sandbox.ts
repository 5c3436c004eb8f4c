import { createHmac, timingSafeEqual } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { sandboxCheckouts } from "#db/schema/payments.ts";
import type { Deps } from "#server/deps.ts";
import { fromDecimal, toDecimal } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import { MINUTE_MS, SECOND_MS, toSeconds } from "#shared/time.ts";
import type { Channel, PaymentNews } from "./channel.ts";

/** How far a notification's time may be off. */
const TOLERANCE_MS = 5 * MINUTE_MS;

/** The embedded channel: it moves no money, and does everything else as a real one would. */
export class Sandbox implements Channel {
  readonly code = "sandbox";
  readonly #deps: Deps;
  readonly #secret: Buffer;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#secret = deps.keys.derive("pay:sandbox");
  }

  async checkout(...[tx, { orderNo, amount }]: Parameters<Channel["checkout"]>): Promise<string> {
    await tx.insert(sandboxCheckouts).values({ orderNo, amount });
    return `${this.#deps.publicUrl}/pay/sandbox/${orderNo}`;
  }

  verify(rawBody: string, signature: string | undefined): PaymentNews {
    const expected = Buffer.from(this.#sign(rawBody));
    const given = Buffer.from(signature ?? "");
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Refusal("payment.unsigned");
    const fields = new URLSearchParams(rawBody);
    const [orderNo, money, status, time] = ["order", "money", "status", "time"].map((name) => fields.get(name) ?? "");
    if (!/^\d{1,12}\.\d{2}$/.test(money!) || (status !== "paid" && status !== "failed"))
      throw new Refusal("payment.mismatch");
    const age = Math.abs(this.#deps.clock.now() - Number(time) * SECOND_MS);
    if (!(age <= TOLERANCE_MS)) throw new Refusal("payment.unsigned");
    return { orderNo: orderNo!, amount: fromDecimal(money!), status };
  }

  async query(orderNo: string): Promise<PaymentNews | null> {
    const [checkout] = await this.#deps.db.read
      .select()
      .from(sandboxCheckouts)
      .where(eq(sandboxCheckouts.orderNo, orderNo));
    if (!checkout || checkout.state === "open") return null;
    return { orderNo, amount: checkout.amount, status: checkout.state };
  }

  /** What a tap on the page does: the sandbox decides, once, and then notifies, each time anew. */
  async decide(orderNo: string, status: "paid" | "failed"): Promise<void> {
    const { db, inject } = this.#deps;
    await db.transact(async (tx) => {
      const open = and(eq(sandboxCheckouts.orderNo, orderNo), eq(sandboxCheckouts.state, "open"));
      await tx.update(sandboxCheckouts).set({ state: status }).where(open);
    });
    const news = await this.query(orderNo);
    if (news) await inject({ method: "POST", url: "/api/pay/notify/sandbox", ...this.notification(news) });
  }

  /** A notification, signed now. */
  notification({ orderNo, amount, status }: PaymentNews): { headers: Record<string, string>; payload: string } {
    const time = String(toSeconds(this.#deps.clock.now()));
    const payload = new URLSearchParams({ order: orderNo, money: toDecimal(amount), status, time }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded", "x-signature": this.#sign(payload) };
    return { headers, payload };
  }

  #sign(body: string): string {
    return createHmac("sha256", this.#secret).update(body).digest("hex");
  }
}
