import { createHmac } from "node:crypto";
import type { Invoice, InvoicePaymentMethod, NewInvoice } from "#server/domains/payments/btcpay/api.ts";
import { ProviderServer, type Answer, type ProviderRequest } from "./provider-server.ts";

/* As much of a BTCPay Server as an invoice needs. Shapes and rules come from its Greenfield API, as documented by the server (BTCPayServer/wwwroot/swagger/v1/swagger.template.invoices.json and …webhooks.json, shown at https://docs.btcpayserver.org/API/Greenfield/v1/): InvoiceData, InvoiceStatus, InvoiceAdditionalStatus, CreateInvoiceRequest, InvoicePaymentMethodDataModel, WebhookInvoiceEvent and the header BTCPay-Sig. */

export const BTCPAY_KEY = "key-of-these-tests";
export const BTCPAY_STORE = "store-1";
export const BTCPAY_SECRET = "secret-of-these-tests";
/** The price of one bitcoin in the test's currency. */
const RATE = "50000.00";

/** `webhook`: what one delivery sends. */
export interface Delivery {
  deliveryId: string;
  originalDeliveryId: string;
  webhookId: string;
  isRedelivery: boolean;
  type: string;
  timestamp: number;
  storeId: string;
  invoiceId: string;
}

export class BtcpayServer extends ProviderServer {
  readonly invoices: (Invoice & { createdTime: number })[] = [];
  readonly #payments = new Map<string, InvoicePaymentMethod["payments"]>();
  readonly #now: () => number;
  #count = 0;

  constructor(now: () => number) {
    super();
    this.#now = now;
  }

  of(orderNo: string): Invoice {
    return this.invoices.find(({ metadata }) => metadata.orderId === orderNo)!;
  }

  /**
   * Moves an invoice to the status that a payment, or its absence, leads to. `paid`: in hundredths of the invoice's
   * currency.
   */
  become(
    orderNo: string,
    status: Invoice["status"],
    {
      additional = "None",
      paid,
      payment = "Settled",
    }: {
      additional?: Invoice["additionalStatus"];
      paid?: number;
      payment?: "Processing" | "Settled";
    } = {},
  ): Delivery {
    const invoice = Object.assign(this.of(orderNo), { status, additionalStatus: additional });
    if (paid !== undefined)
      this.#payments.set(invoice.id, [{ value: (paid / 100 / Number(RATE)).toFixed(8), status: payment }]);
    const deliveryId = `delivery-${++this.#count}`;
    const own = { deliveryId, originalDeliveryId: deliveryId, webhookId: "webhook-1", isRedelivery: false };
    const timestamp = Math.floor(this.#now() / 1000);
    return { ...own, type: `Invoice${status}`, timestamp, storeId: BTCPAY_STORE, invoiceId: invoice.id };
  }

  /** The operator's other shop makes invoices in the same store. */
  sellElsewhere(times: number): void {
    for (let i = 0; i < times; i++) this.#make({ amount: "1.00", currency: "EUR", metadata: {} });
  }

  handle({ method, path, query, headers, body }: ProviderRequest): Answer {
    // The page that payers see.
    if (path.startsWith("/i/")) return { body: { page: path } };
    if (headers["authorization"] !== `token ${BTCPAY_KEY}`) return { status: 401, body: { code: "unauthenticated" } };
    const [, id, methods] = /^\/api\/v1\/stores\/store-1\/invoices(?:\/([^/]+))?(\/payment-methods)?$/.exec(path) ?? [];
    if (method === "POST") return { body: this.#make(JSON.parse(body) as NewInvoice) };
    if (!id) return { body: this.#list(query) };
    const invoice = this.invoices.find((one) => one.id === id);
    if (!invoice) return { status: 404, body: { code: "invoice-not-found" } };
    return { body: methods ? this.#methodsOf(invoice) : invoice };
  }

  #make({ amount, currency, metadata }: Pick<Invoice, "amount" | "currency" | "metadata">): Invoice {
    const id = `inv${++this.#count}`;
    const open = { status: "New", additionalStatus: "None" } as const;
    const createdTime = Math.floor(this.#now() / 1000);
    const where = { storeId: BTCPAY_STORE, checkoutLink: `${this.url}/i/${id}` };
    const invoice = { id, ...where, amount, currency, createdTime, ...open, metadata };
    this.invoices.push(invoice);
    return invoice;
  }

  /** Newest first. */
  #list(query: URLSearchParams): Invoice[] {
    const orders = query.getAll("orderId");
    const since = Number(query.get("startDate") ?? 0);
    const fit = this.invoices.filter(
      ({ metadata, createdTime }) =>
        createdTime >= since && (orders.length === 0 || orders.includes(metadata.orderId!)),
    );
    fit.reverse();
    const skip = Number(query.get("skip") ?? 0);
    return fit.slice(skip, skip + Number(query.get("take") ?? 50));
  }

  #methodsOf({ id }: Invoice): InvoicePaymentMethod[] {
    return [{ rate: RATE, paymentLink: `bitcoin:bc1${id}?amount=0.0002`, payments: this.#payments.get(id) ?? [] }];
  }
}

export const signedByBtcpay = (payload: string, secret = BTCPAY_SECRET): string =>
  `sha256=${createHmac("sha256", secret).update(payload).digest("hex")}`;
