import type { FastifyInstance } from "fastify";
import type { Deps, ReadSecret } from "#server/app/deps.ts";
import type { Opens } from "#shared/contract/payments.ts";
import type { LocaleCode } from "#shared/locales.ts";
import type { Money } from "#shared/money.ts";
import type { RefusalReason } from "#shared/refusal.ts";

/** An order as its channel sees it. */
export interface Order {
  /** Unique and cannot be guessed; also the idempotency key with the provider. */
  orderNo: string;
  /** What the member gets. They pay `amount + fee`. */
  amount: Money;
  fee: Money;
  unit: string;
  locale: LocaleCode;
  createdAt: number;
  expiresAt: number;
  /** The provider's own number; null until the provider has answered. */
  reference: string | null;
}

/** Where an order is paid. */
export interface Checkout {
  /** The absolute address of the provider's page; for `qr` the text of the code. */
  page: string;
  opens: Opens;
  reference: string | null;
}

/**
 * A payment event: what a provider reports of one order. `pending`: paid, but not final yet. `partial`: only part will be
 * paid. `returned`: a refund or dispute took money back. `restored`: such a return was undone. Amounts are what the payer
 * paid or got back.
 */
export type PaymentEvent =
  | {
      kind: "paid";
      orderNo: string;
      /** The amount ordered. */
      amount: Money;
      unit: string;
      /** The amount that arrived, if another. */
      received?: Money;
    }
  | { kind: "partial"; orderNo: string; amount: Money; unit: string }
  | { kind: "failed"; orderNo: string; amount?: Money }
  | { kind: "pending"; orderNo: string }
  | {
      kind: "returned" | "restored";
      orderNo: string;
      amount: Money;
      unit: string;
      why: "refund" | "dispute";
      /** The provider's number of the refund or dispute. */
      reference: string;
      /**
       * It says what holds now, which may begin and end many times: each time is a return of its own. Without it, it is news
       * of one return, which may come in any order: one that was undone before it came changes nothing.
       */
      isState?: true;
    };

/** A notification (webhook) as it arrived. Signatures are over `rawBody`. */
export interface NotifyRequest {
  method: string;
  headers: Record<string, string | string[] | undefined>;
  query: Record<string, string | string[] | undefined>;
  rawBody: Buffer;
}

/** The HTTP reply that a provider expects. */
export interface ProviderReply {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

/**
 * A payment channel. None of its methods runs inside a transaction. Each sets its own timeout. It throws `ProviderRefused`
 * when the provider refused for good, a `Refusal` for what is not the provider's doing, and any other error when the outcome
 * is unknown.
 */
export interface Channel {
  readonly code: string;
  /** Origins that its pages are framed from. */
  readonly frameOrigins?: readonly string[];
  /** The smallest and the largest order in this unit, in 1/100 unit; null for a unit it does not accept. */
  limits(unit: string): { least: Money; most: Money } | null;
  /** Prepares the payment page. Idempotent: the same order gets the same page. */
  prepare(order: Order): Promise<Checkout>;
  /** Reads a notification. Throws the refusal `payment.unsigned` if the signature is wrong or too old. */
  notify(request: NotifyRequest): Promise<{ events: PaymentEvent[]; reply?: ProviderReply }>;
  /**
   * The reply to a refused notification. Null for the site's own envelope, which comes with HTTP 200: a provider that only
   * checks the status would take that for success.
   */
  refused(reason: RefusalReason): ProviderReply | null;
  /** All that the provider knows of an order so far; nothing while it is open. */
  query(order: Order): Promise<PaymentEvent[]>;
  /**
   * All events of all orders since a moment, notified or not; those of one order oldest first. However many there are, it
   * holds some of them at a time. Throws where the list ends early: what was listed until then is applied.
   */
  recent?(since: number): AsyncIterable<PaymentEvent>;
  /**
   * Refunds what was received. Idempotent per order and number of its refunds that `failed`: after one that did, the next is
   * another. Without this method, the operator refunds by hand.
   */
  refund?(order: Order, amount: Money, failed: number): Promise<void>;
  /** Mounts pages of its own. */
  mount?(app: FastifyInstance): void;
}

/** A provider that this program can work with. */
export interface ChannelKind {
  readonly code: string;
  /** Whether it has been tried at the real service; until then `doctor` warns. */
  readonly isTried: boolean;
  /** Whether the environment configures it. Throws when the configuration is incomplete or invalid. */
  isConfigured(secret: ReadSecret): boolean;
  /** Opens it; called only where it is configured. */
  open(deps: Deps, secret: ReadSecret): Promise<Channel>;
}

/** The provider refused for good: nothing was created, and a retry would not help. */
export class ProviderRefused extends Error {
  override name = "ProviderRefused";
}
