import { setTimeout as sleep } from "node:timers/promises";
import { ProviderRefused } from "#server/domains/payments/channel.ts";

/*
 * The part of BTCPay Server's Greenfield API that we use: https://docs.btcpayserver.org/API/Greenfield/v1/, sections "Invoices" and
 * "Webhooks". Fields that we do not read are left out.
 */

export interface Invoice {
  id: string;
  storeId: string;
  amount: string;
  currency: string;
  checkoutLink: string;
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

/** Timeout of one attempt. */
const TIME_LIMIT_MS = 5_000;
const TRIES = 3;
const BACKOFF_MS = 200;
const PAGE = 100;

/** One store of a BTCPay Server. */
export class BtcpayApi {
  readonly #base: URL;
  readonly #key: string;

  constructor(url: string, store: string, key: string) {
    this.#base = new URL(`${url.replace(/\/+$/, "")}/api/v1/stores/${encodeURIComponent(store)}/`);
    this.#key = key;
  }

  /** Creates an invoice once. The API has no idempotency keys, so each attempt first looks for an earlier one's invoice. */
  async makeOnce(invoice: NewInvoice): Promise<Invoice> {
    const { orderId } = invoice.metadata;
    return withRetries(async () => (await this.#find(orderId)) ?? this.#request<Invoice>("POST", "invoices", invoice));
  }

  find(orderNo: string): Promise<Invoice | undefined> {
    return withRetries(() => this.#find(orderNo));
  }

  read(id: string): Promise<Invoice> {
    return withRetries(() => this.#request<Invoice>("GET", `invoices/${encodeURIComponent(id)}`));
  }

  readMethods(id: string): Promise<InvoicePaymentMethod[]> {
    return withRetries(() =>
      this.#request<InvoicePaymentMethod[]>("GET", `invoices/${encodeURIComponent(id)}/payment-methods`),
    );
  }

  /** Invoices created since a moment, in seconds, newest first. One that others are made before meanwhile may come twice. */
  async *listSince(since: number): AsyncGenerator<Invoice> {
    for (let skip = 0, length = PAGE; length === PAGE; skip += length) {
      const query = new URLSearchParams({ startDate: `${since}`, skip: `${skip}`, take: `${PAGE}` });
      const page = await withRetries(() => this.#request<Invoice[]>("GET", `invoices?${query}`));
      yield* page;
      ({ length } = page);
    }
  }

  async #find(orderNo: string): Promise<Invoice | undefined> {
    const query = new URLSearchParams({ orderId: orderNo });
    const [found] = await this.#request<Invoice[]>("GET", `invoices?${query}`);
    return found;
  }

  async #request<T>(method: "GET" | "POST", path: string, body?: object): Promise<T> {
    const response = await fetch(new URL(path, this.#base), {
      method,
      headers: { authorization: `token ${this.#key}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
      redirect: "error",
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    const { status } = response;
    if (response.ok) return (await response.json()) as T;
    const message = `BTCPay Server answered ${status}: ${(await response.text()).slice(0, 500)}`;
    const isFinal = status < 500 && status !== 408 && status !== 429;
    throw isFinal ? new ProviderRefused(message) : new Error(message);
  }
}

/** Retries errors with an unknown outcome, with growing backoff. */
async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProviderRefused || tries === TRIES) throw error;
      await sleep(BACKOFF_MS * tries);
    }
  }
}
