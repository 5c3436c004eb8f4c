/**
 * All reasons for a refusal, with the wire's code. Each has a text `refusal.<reason>` in every locale. `transport` marks
 * those that are not part of the business: their HTTP status is the code.
 */
export const REFUSALS = {
  "input.invalid": { code: 400 },
  "session.missing": { code: 401 },
  "member.locked": { code: 403 },
  "member.excluded": { code: 403 },
  "feature.off": { code: 403 },
  /** A session is not enough: the member has to prove again who they are (`/member/prove`). */
  "proof.needed": { code: 403 },
  /** Passkeys do not work where the site is reached by an IP address or without TLS. */
  "passkey.address": { code: 403 },
  "passkey.insecure": { code: 403 },
  "licence.missing": { code: 403 },
  "bet.foreign": { code: 403 },
  "session.foreign": { code: 403 },
  "recharge.closed": { code: 403 },
  "recharge.range": { code: 422 },
  "recharge.open": { code: 422 },
  "recharge.away": { code: 422 },
  "recharge.decided": { code: 422 },
  "recharge.uncreditable": { code: 422 },
  "debt.open": { code: 422 },
  "unit.fixed": { code: 422 },
  "withdraw.closed": { code: 403 },
  "payment.unsigned": { code: 403 },
  "picture.foreign": { code: 403 },
  "membership.needed": { code: 403 },
  "object.unknown": { code: 404 },
  "username.taken": { code: 409 },
  "bank.bound": { code: 409 },
  "key.reused": { code: 409 },
  "name.set": { code: 409 },
  "passcode.set": { code: 409 },
  "passkey.known": { code: 409 },
  "comment.given": { code: 409 },
  /** The commit is not the one that is waiting for words, or has other words already. */
  "commit.stale": { code: 409 },
  "commit.untold": { code: 409 },
  /** The words are for another table of prizes than the one in force, or for one that there never was. */
  "prizes.changed": { code: 409 },
  /** No head of the log that was announced holds the table of prizes yet. */
  "prizes.untold": { code: 409 },
  /** The plan has another price or other days than the member was shown. */
  "plan.changed": { code: 409 },
  "login.failed": { code: 422 },
  "password.wrong": { code: 422 },
  "password.none": { code: 422 },
  /** The operator replaced the password: the member chooses the next one with `new_password`. */
  "password.choose": { code: 422 },
  /** Whether the name is unknown, or the code wrong or spent. */
  "recovery.failed": { code: 422 },
  "invite.spent": { code: 422 },
  "passcode.missing": { code: 422 },
  "passcode.wrong": { code: 422 },
  "passkey.wrong": { code: 422 },
  /** The member has none that answers at this address of the site. */
  "passkey.missing": { code: 422 },
  "passkey.many": { code: 422 },
  "name.missing": { code: 422 },
  "saved.many": { code: 422 },
  "name.mismatch": { code: 422 },
  "bank.missing": { code: 422 },
  "withdraw.decided": { code: 422 },
  /** The amount or the number of a day's withdrawals is not within the house's own limits. */
  "withdraw.range": { code: 422 },
  /** The amount is more than the balance. */
  "withdraw.beyond": { code: 422 },
  /** The account was changed: its withdrawals wait for the end of the cooling time. */
  "withdraw.cooling": { code: 422 },
  "balance.insufficient": { code: 422 },
  "balance.full": { code: 422 },
  "limit.reached": { code: 422 },
  "limit.shortened": { code: 422 },
  "round.closed": { code: 422 },
  "spins.none": { code: 422 },
  "spins.price": { code: 422 },
  "prizes.none": { code: 422 },
  "payment.mismatch": { code: 422 },
  "transfer.irreversible": { code: 422 },
  "setting.unknown": { code: 422 },
  "messages.many": { code: 429, transport: true },
  "uploads.many": { code: 429, transport: true },
  "login.locked": { code: 429, transport: true },
  "passcode.locked": { code: 429, transport: true },
  "session.kicked": { code: 10001 },
  "request.malformed": { code: 400, transport: true },
  "path.unknown": { code: 404, transport: true },
  "request.timeout": { code: 408, transport: true },
  /** The request asks for another site, or comes from a page of another one. */
  "site.unknown": { code: 421, transport: true },
  "site.foreign": { code: 403, transport: true },
  "body.large": { code: 413, transport: true },
  "media.unsupported": { code: 415, transport: true },
  "attempts.many": { code: 429, transport: true },
  "head.large": { code: 431, transport: true },
  "server.fault": { code: 500, transport: true },
  "server.away": { code: 503, transport: true },
  /** It may have been done or not. A retry under the same idempotency key finds out, and does it once. */
  "outcome.unknown": { code: 503, transport: true },
} as const satisfies Record<string, { code: number; transport?: true }>;

export type RefusalReason = keyof typeof REFUSALS;

/** What some refusals tell beside their reason, where it is known. Amounts are decimals, times are ms since the epoch. */
export const FIGURES = {
  "balance.insufficient": { missing: "string" },
  /** The member's own limit with the least left, by its name in `/member/limits`, and when its period ends. */
  "limit.reached": { limit: "string", left: "string", resets_ms: "integer" },
  /** The game's state now, and from when its next round is open for bets. */
  "round.closed": { state: "string", next_ms: "integer" },
  /** 0 where this one has locked the passcode. */
  "passcode.wrong": { tries_left: "integer" },
  "withdraw.range": { min: "string", max: "string", times: "integer" },
  "withdraw.beyond": { missing: "string" },
} as const satisfies Partial<Record<RefusalReason, Record<string, "string" | "integer">>>;

/** Why a field was refused: a key below `field` in the locales, and the bounds that its text names. */
export type FieldError = string | { key: string; bounds: Record<string, number> };
export type FieldErrors = Record<string, FieldError>;

/** What an operator can switch off; each has a text `refusal.feature.<feature>` in every locale. */
export const FEATURES = ["games", "wheel", "passcode", "support", "invites"] as const;
export type Feature = (typeof FEATURES)[number];

interface RefusalDetail {
  fields?: FieldErrors;
  /** What is switched off: its text is shown. */
  feature?: Feature;
  /** Shown instead of the reason's own text: the operator's words, or a text in the caller's language. */
  text?: string;
  /** What `FIGURES` names for the reason; none where it is not known. */
  figures?: Readonly<Record<string, string | number>>;
  /** When a retry makes sense. */
  retryAfterS?: number;
}

/** An expected refusal. Anything else that is thrown is a bug. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly reason: RefusalReason;
  readonly detail: RefusalDetail;

  constructor(reason: RefusalReason, detail: RefusalDetail = {}) {
    super(reason);
    this.reason = reason;
    this.detail = detail;
  }
}

/** A refusal of what the operator has switched off. */
export const switchedOff = (feature: Feature): Refusal => new Refusal("feature.off", { feature });

/** A refusal of one or more invalid fields. */
export function invalid(fields: FieldErrors): Refusal {
  return new Refusal("input.invalid", { fields });
}
