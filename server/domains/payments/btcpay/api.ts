import { setTimeout as sleep } from "node:timers/promises";
import { ProviderRefused } from "#server/domains/payments/channel.ts";

/*
 * What we ask of BTCPay Server's Greenfield API: https://docs.btcpayserver.org/API/Greenfield/v1/, sections "Invoices" and
 * "Webhooks". Fields that we do not read are left out.
 */

export interface Invoice {
  id: string;
  storeId: string;
  amount: string;
  currency: string;
  checkoutLink: string;
  /** Seconds since the epoch. */
  createdTime: number;
  status: "New" | "Processing" | "Expired" | "Invalid" | "Settled";
  additionalStatus: "None" | "PaidLate" | "PaidPartial" | "Marked" | "Invalid" | "PaidOver";
  metadata: { orderId?: string | null };
}

export interface InvoicePaymentMethod {
  /** What one coin is worth in the invoice's currency. */
  rate: string;
  paymentLink: string | null;
  payments: { value: string; status: "Invalid" | "Processing" | "Settled" }[];
}

export interface NewInvoice {
  amount: string;
  currency: string;
  metadata: { orderId: string };
  checkout: {
    expirationMinutes: number;
    redirectURL: string;
    redirectAutomatically: boolean;
    defaultLanguage: string;
  };
}

/** One try may take so long. */
const TIME_LIMIT_MS = 5_000;
const TRIES = 3;
const PAUSE_MS = 200;
const PAGE = 100;

/** One store of a BTCPay Server. */
export class BtcpayApi {
  readonly #base: URL;
  readonly #key: string;

  constructor(url: string, store: string, key: string) {
    this.#base = new URL(`${url.replace(/\/+$/, "")}/api/v1/stores/${encodeURIComponent(store)}/`);
    this.#key = key;
  }

  /** Makes an invoice once: the API knows no idempotency keys, so that each try first looks whether the last one did. */
  async makeOnce(invoice: NewInvoice): Promise<Invoice> {
    const { orderId } = invoice.metadata;
    return again(async () => (await this.#find(orderId)) ?? this.#ask<Invoice>("POST", "invoices", invoice));
  }

  find(orderNo: string): Promise<Invoice | undefined> {
    return again(() => this.#find(orderNo));
  }

  read(id: string): Promise<Invoice> {
    return again(() => this.#ask<Invoice>("GET", `invoices/${encodeURIComponent(id)}`));
  }

  readMethods(id: string): Promise<InvoicePaymentMethod[]> {
    return again(() => this.#ask<InvoicePaymentMethod[]>("GET", `invoices/${encodeURIComponent(id)}/payment-methods`));
  }

  /** Invoices that were made since a moment, in seconds. */
  async listSince(since: number, most: number): Promise<Invoice[]> {
    const found: Invoice[] = [];
    while (found.length < most) {
      const query = new URLSearchParams({ startDate: `${since}`, skip: `${found.length}`, take: `${PAGE}` });
      const page = await again(() => this.#ask<Invoice[]>("GET", `invoices?${query}`));
      found.push(...page);
      if (page.length < PAGE) break;
    }
    return found;
  }

  async #find(orderNo: string): Promise<Invoice | undefined> {
    const query = new URLSearchParams({ orderId: orderNo });
    const [found] = await this.#ask<Invoice[]>("GET", `invoices?${query}`);
    return found;
  }

  async #ask<T>(method: "GET" | "POST", path: string, body?: object): Promise<T> {
    const response = await fetch(new URL(path, this.#base), {
      method,
      headers: { authorization: `token ${this.#key}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
      redirect: "error",
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    const { status } = response;
    if (response.ok) return (await response.json()) as T;
    const said = `BTCPay Server answered ${status}: ${(await response.text()).slice(0, 500)}`;
    const isFinal = status < 500 && status !== 408 && status !== 429;
    throw isFinal ? new ProviderRefused(said) : new Error(said);
  }
}

/** Tries again what has no outcome, with a growing pause. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProviderRefused || tries === TRIES) throw error;
      await sleep(PAUSE_MS * tries);
    }
  }
}
