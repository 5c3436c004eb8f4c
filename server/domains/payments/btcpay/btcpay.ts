import { createHmac, timingSafeEqual } from "node:crypto";
import type { Deps } from "#server/app/deps.ts";
import type {
  Channel,
  Checkout,
  NotifyRequest,
  Order,
  PaymentEvent,
  ProviderReply,
} from "#server/domains/payments/channel.ts";
import { recordsUrl } from "#server/domains/payments/pay-html.ts";
import { tagOf } from "#shared/locales.ts";
import { fromUnits, MAX_UNITS, toDecimal, type Money } from "#shared/money.ts";
import { Refusal, type RefusalReason } from "#shared/refusal.ts";
import { DAY_MS, MINUTE_MS, toSeconds } from "#shared/time.ts";
import type { BtcpayApi, Invoice, InvoicePaymentMethod } from "./api.ts";

/** A payment may arrive so long after its invoice was created; BTCPay Server watches for a day after it expired. */
const WATCHED_MS = 2 * DAY_MS;
/** The reference of the returns recorded for an invoice that was marked as invalid. */
const INVALID = "invalid";

export interface Plan {
  api: BtcpayApi;
  store: string;
  webhookSecret: string;
  origin: string;
  opens: "frame" | "qr";
}

/** Bitcoin through the operator's own BTCPay Server. A notification only says which invoice to read. */
export class BtcpayChannel implements Channel {
  readonly code = "btcpay";
  readonly frameOrigins: readonly string[];
  readonly #deps: Deps;
  readonly #plan: Plan;

  constructor(deps: Deps, plan: Plan) {
    this.#deps = deps;
    this.#plan = plan;
    this.frameOrigins = plan.opens === "frame" ? [plan.origin] : [];
  }

  limits(unit: string): { least: Money; most: Money } | null {
    return /^[A-Z]{3}$/.test(unit) ? { least: fromUnits(1), most: fromUnits(MAX_UNITS) } : null;
  }

  async prepare({ orderNo, amount, fee, unit, locale, createdAt, expiresAt }: Order): Promise<Checkout> {
    const { api, opens } = this.#plan;
    const invoice = await api.makeOnce({
      amount: toDecimal(amount + fee),
      currency: unit,
      metadata: { orderId: orderNo },
      checkout: {
        expirationMinutes: (expiresAt - createdAt) / MINUTE_MS,
        redirectURL: recordsUrl(this.#deps),
        redirectAutomatically: true,
        defaultLanguage: tagOf(locale),
      },
    });
    if (opens === "frame") return { page: invoice.checkoutLink, opens, reference: invoice.id };
    const link = (await api.readMethods(invoice.id)).find(({ paymentLink }) => paymentLink)?.paymentLink;
    if (!link) throw new Error(`the invoice ${invoice.id} has no payment link`);
    return { page: link, opens, reference: invoice.id };
  }

  async notify({ method, headers, rawBody }: NotifyRequest): Promise<{ events: PaymentEvent[]; reply: ProviderReply }> {
    const expected = createHmac("sha256", this.#plan.webhookSecret).update(rawBody).digest("hex");
    const signature = Buffer.from(String(headers["btcpay-sig"] ?? ""));
    const wanted = Buffer.from(`sha256=${expected}`);
    if (method !== "POST" || signature.length !== wanted.length || !timingSafeEqual(signature, wanted))
      throw new Refusal("payment.unsigned");
    const { invoiceId, storeId } = JSON.parse(rawBody.toString()) as { invoiceId?: string; storeId?: string };
    const isOurs = typeof invoiceId === "string" && storeId === this.#plan.store;
    // Notifications come late, twice and out of order, so the invoice's current state is what counts.
    const events = isOurs ? await this.#eventsOf(await this.#plan.api.read(invoiceId)) : [];
    return { events, reply: RECEIVED };
  }

  refused(reason: RefusalReason): ProviderReply {
    return reason === "payment.unsigned" ? { status: 400, body: reason } : RECEIVED;
  }

  async query({ orderNo, reference }: Order): Promise<PaymentEvent[]> {
    const { api } = this.#plan;
    const invoice = reference === null ? await api.find(orderNo) : await api.read(reference);
    return invoice ? this.#eventsOf(invoice) : [];
  }

  /** An order has one invoice, and its events say how that stands now: in which order the invoices come makes no difference. */
  async *recent(since: number): AsyncGenerator<PaymentEvent> {
    for await (const invoice of this.#plan.api.listSince(toSeconds(since - WATCHED_MS)))
      yield* await this.#eventsOf(invoice);
  }

  async #eventsOf(invoice: Invoice): Promise<PaymentEvent[]> {
    const orderNo = invoice.metadata.orderId;
    if (!orderNo) return [];
    const sums = { orderNo, amount: hundredths(invoice.amount), unit: invoice.currency };
    const invalid = { ...sums, why: "refund", reference: INVALID, isState: true } as const;
    const { status, additionalStatus } = invoice;
    if (status === "New") return [];
    if (status === "Processing") return [{ kind: "pending", orderNo }];
    if (status === "Expired") return this.#eventsOfExpired(invoice, sums);
    if (status === "Invalid")
      return [
        { kind: "failed", orderNo },
        { ...invalid, kind: "returned" },
      ];
    // Marked as settled by hand: perhaps after being marked as invalid, and perhaps less was paid.
    const isMarked = additionalStatus === "Marked";
    const isOther = isMarked || additionalStatus === "PaidOver";
    const received = isOther ? { received: settledOf(await this.#paymentsOf(invoice.id)) } : {};
    const paid = { ...sums, kind: "paid", ...received } as const;
    return isMarked ? [{ ...invalid, kind: "restored" }, paid] : [paid];
  }

  /** An invoice that expired may have been paid in part, or late. */
  async #eventsOfExpired(
    invoice: Invoice,
    sums: { orderNo: string; amount: Money; unit: string },
  ): Promise<PaymentEvent[]> {
    const { orderNo } = sums;
    const { id, additionalStatus } = invoice;
    if (additionalStatus !== "PaidPartial" && additionalStatus !== "PaidLate") return [{ kind: "failed", orderNo }];
    const payments = await this.#paymentsOf(id);
    if (payments.some(({ status }) => status === "Processing")) return [{ kind: "pending", orderNo }];
    const received = settledOf(payments);
    // A late payment may be too much as well.
    if (additionalStatus === "PaidLate") return [{ ...sums, kind: "paid", received }];
    return received > 0 ? [{ ...sums, kind: "partial", amount: received }] : [{ kind: "failed", orderNo }];
  }

  async #paymentsOf(id: string): Promise<RatedPayment[]> {
    const methods = await this.#plan.api.readMethods(id);
    return methods.flatMap(({ rate, payments }) => payments.map((one) => ({ ...one, rate })));
  }
}

type RatedPayment = InvoicePaymentMethod["payments"][number] & Pick<InvoicePaymentMethod, "rate">;

/** The confirmed sum of some payments, in 1/100 of the invoice's currency. */
const settledOf = (payments: RatedPayment[]): Money =>
  payments.filter(({ status }) => status === "Settled").reduce((sum, { value, rate }) => sum + product(value, rate), 0);

const RECEIVED: ProviderReply = { status: 200, body: "" };

/** Digits kept after the point: no coin and no rate has more. */
const DIGITS = 18;

/** Reads a decimal of any length exactly, as a whole number of 10^-18. Throws RangeError for any other text. */
function exact(text: string): bigint {
  const [, whole, part = ""] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`not a decimal: ${text}`);
  return BigInt(whole + part.padEnd(DIGITS, "0").slice(0, DIGITS));
}

/** The product of two decimals in 1/100, rounded down. */
const product = (value: string, rate: string): Money =>
  Number((exact(value) * exact(rate) * 100n) / 10n ** BigInt(2 * DIGITS));

/** A decimal in 1/100, rounded down. */
const hundredths = (text: string): Money => product(text, "1");
