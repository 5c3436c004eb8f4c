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
 * What a provider says of one order. `pending`: paid, but not final yet. `partial`: it will not be paid whole. `returned`:
 * a refund or dispute took money back; `restored`: that one was undone. Amounts are what the payer paid or got back.
 */
export type PaymentNews =
  | {
      kind: "paid";
      orderNo: string;
      /** What was asked for. */
      amount: Money;
      unit: string;
      /** What came, where that is more. */
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
      /** Not to be kept where no such return is known; without it, the return changes nothing when it comes later. */
      ifKnown?: true;
    };

/** A notification as it came. Signatures are over `rawBody`. */
export interface NotifyRequest {
  method: string;
  headers: Record<string, string | string[] | undefined>;
  query: Record<string, string | string[] | undefined>;
  rawBody: Buffer;
}

/** What a provider wants to be answered. */
export interface ProviderReply {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

/**
 * A way to pay. None of its promises runs inside a transaction; each sets its own time limit and throws
 * `ProviderRefused` where the provider said no for good, and any other error where the outcome is not known.
 */
export interface Channel {
  readonly code: string;
  /** Origins that its pages are framed from. */
  readonly frameOrigins?: readonly string[];
  /** The least and the most that one order in this unit may be, in 1/100 unit; null for a unit it does not take. */
  limits(unit: string): { least: Money; most: Money } | null;
  /** Prepares the payment page. Asked again for the same order, it answers with the same page. */
  prepare(order: Order): Promise<Checkout>;
  /** Reads a notification. Throws the refusal `payment.unsigned` for one that the provider did not sign, or long ago. */
  notify(request: NotifyRequest): Promise<{ news: PaymentNews[]; reply?: ProviderReply }>;
  /**
   * What the provider is answered when its notification was refused. Null for the site's own envelope, which comes with
   * HTTP 200: a provider that only looks at the status would take that for received.
   */
  refused(reason: RefusalReason): ProviderReply | null;
  /** Everything the provider knows of an order by now; nothing while it is open. */
  query(order: Order): Promise<PaymentNews[]>;
  /** What happened to any order since a moment, oldest first, whether or not it was notified. */
  recent?(since: number): Promise<PaymentNews[]>;
  /** Gives back what was received. Repeated for the same order, it is one refund. Without it, it is done by hand. */
  refund?(order: Order, amount: Money): Promise<void>;
  /** Mounts pages of its own. */
  mount?(app: FastifyInstance): void;
}

/** A provider that this program can work with. */
export interface ChannelKind {
  readonly code: string;
  /** Whether anybody has paid through it at the real service; until then `doctor` warns. */
  readonly isTried: boolean;
  /** Whether the environment has what it needs. Throws where it says half of it, or what cannot be. */
  isConfigured(secret: ReadSecret): boolean;
  /** Opens it; called only where it is configured. */
  open(deps: Deps, secret: ReadSecret): Promise<Channel>;
}

/** The provider refused for good: nothing was made, and trying again would not help. */
export class ProviderRefused extends Error {
  override name = "ProviderRefused";
}
