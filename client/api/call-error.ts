interface Answer {
  code: number;
  msg: string;
  data: unknown;
}

/** The server said no, in the member's language. */
export class RefusedCall extends Error {
  override name = "RefusedCall";
  readonly code: number;
  /** `thing.reason`, for programs. */
  readonly reason: string | undefined;
  /** Field name → why, in the member's language. */
  readonly fields: Record<string, string>;
  /** Whether a retry with the same idempotency key may still succeed. */
  readonly lost: boolean;

  constructor({ code, msg, data }: Answer) {
    super(msg);
    const { reason, fields } = (data ?? {}) as { reason?: string; fields?: Record<string, string> };
    this.code = code;
    this.lost = code >= 500 && code < 600;
    this.reason = reason;
    this.fields = fields ?? {};
  }
}

/** The outcome is unknown: no connection, a timeout, or a malformed reply. */
export class LostCall extends Error {
  override name = "LostCall";
  readonly lost = true;
}
