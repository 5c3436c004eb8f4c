import type { Envelope } from "#shared/contract/envelope.ts";

/** An envelope, and the reference by which the service finds its call. */
export interface Answer extends Envelope {
  reference?: string | null;
  /** After how many seconds the same call may be heard. */
  retryAfterS?: number | undefined;
}

/** The server said no, in the member's language. */
export class RefusedCall extends Error {
  override name = "RefusedCall";
  readonly code: number;
  /** `thing.reason`, for programs. */
  readonly reason: string | undefined;
  /** Field name → why, in the member's language. */
  readonly fields: Record<string, string>;
  /** What it tells beside its reason, by the names in `FIGURES`; an older server tells less. */
  readonly figures: Readonly<Record<string, unknown>>;
  /** Whether a retry with the same idempotency key may still succeed. */
  readonly lost: boolean;
  readonly reference: string | undefined;
  readonly retryAfterS: number | undefined;

  constructor({ code, msg, data, reference, retryAfterS }: Answer) {
    super(msg);
    const { reason, fields, ...figures } = (data ?? {}) as { reason?: string; fields?: Record<string, string> };
    this.code = code;
    this.lost = code >= 500 && code < 600;
    this.reason = reason;
    this.reference = reference ?? undefined;
    this.retryAfterS = retryAfterS;
    this.fields = fields ?? {};
    this.figures = figures;
  }
}

/** The account is locked; the message says why. */
export const isLocked = (error: unknown): error is RefusedCall =>
  error instanceof RefusedCall && error.reason === "member.locked";

/** The outcome is unknown: no connection, a timeout, or a malformed reply, which alone has a reference. */
export class LostCall extends Error {
  override name = "LostCall";
  readonly lost = true;
  readonly reference: string | undefined;

  constructor(message: string, { reference, ...options }: ErrorOptions & { reference?: string | null } = {}) {
    super(message, options);
    this.reference = reference ?? undefined;
  }
}
