import type { Emitter } from "mitt";
import type { Logger } from "pino";
import type { Db, Tx } from "#db/db.ts";
import type { FastifyInstance } from "fastify";
import type { DepositStatus } from "#shared/contract/payments.ts";
import type { Money } from "#shared/money.ts";
import type { WithdrawalStatus } from "#shared/contract/withdrawals.ts";
import type { LocaleCode } from "#shared/locales.ts";
import type { Clock } from "#shared/time.ts";
import type { ShownVideo } from "#shared/video.ts";
import type { Keys } from "#server/config/keys.ts";
import type { EncodedPicture, PicturePlan } from "#server/pictures/encode.ts";
import type { Storage } from "#server/storage/storage.ts";

/** Events that the outbox delivers to every server process after the commit. */
export type OutboxEvents = {
  "wallet.changed": WalletChange;
  "deposit.changed": { memberId: number; depositId: number; status: DepositStatus };
  "withdrawal.changed": { memberId: number; withdrawalId: number; status: WithdrawalStatus };
  "member.changed": { memberId: number };
  "session.ended": { sessionIds: number[]; kicked: boolean; reason: string | null };
  /** Listings, cities or comments changed: caches built from them are stale. */
  "listings.changed": Record<string, never>;
  /** Videos or their categories were added or removed. */
  "videos.changed": Record<string, never>;
  /** The prizes of the wheel, or how many of them are left. */
  "prizes.changed": Record<string, never>;
  "notice.added": { noticeId: number };
  "site.changed": { names: string[] };
  "game.changed": { gameId: number };
  "round.opened": { gameId: number; roundId: number };
  "round.closed": { gameId: number; roundId: number };
  /** `by` the process that drew it, which settles it at once. */
  "round.drawn": { gameId: number; roundId: number; by: string };
  /** Everybody is credited. */
  "round.settled": { gameId: number; roundId: number };
  /** The round failed a check, drawn or not: nobody is credited until it is retried. */
  "round.failed": { gameId: number; roundId: number };
};

/** Events of this process alone. */
type LocalEvents = {
  /** The members with bets on a drawn round; each gets their result when their part is settled. */
  "round.counted": { roundId: number; bettors: Float64Array };
  "round.credited": { roundId: number; outcomes: MemberOutcome[] };
};

export type DomainEvents = OutboxEvents & LocalEvents;

export interface WalletChange {
  memberId: number;
  delta: number;
  code: string;
  balance: number;
  version: number;
}

/** One member's committed results on a round. */
export interface MemberOutcome {
  memberId: number;
  bets: { id: number; win: number }[];
  win: number;
  balance: number;
  version: number;
}

/** The authenticated caller. */
export interface Caller {
  sessionId: number;
  memberId: number;
  locked: boolean;
  memberUntil: number;
}

/** The operator's settings as they are now. */
export interface SettingsReader {
  get<T = unknown>(name: string): T;
}

/**
 * Reads a secret: from the environment as `NAME`, or from the file that `NAME_FILE` names. Undefined where there is
 * none.
 */
export type ReadSecret = (name: string) => string | undefined;

/** An offered payment channel, and the limits of an order. */
export interface PayWay {
  code: string;
  least: Money;
  most: Money;
  /** The fee that a member pays on top. */
  feePercent: number;
}

export interface Deps {
  /** This process's own name among those on the same database. */
  process: string;
  db: Db;
  bus: Emitter<DomainEvents>;
  clock: Clock;
  log: Logger;
  keys: Keys;
  settings: SettingsReader;
  storage: Storage;
  /** Decodes a picture and re-encodes it. Throws NoPicture. */
  encodePicture(bytes: Uint8Array, plan: PicturePlan): Promise<EncodedPicture>;
  /** Sanitizes an operator's HTML (`clean-html.ts`). */
  cleanHtml(html: string): string;
  publicUrl: string;
  /** The payment channels that are offered in the site's unit. */
  payWays(): PayWay[];
  /** Cryptographic random bytes; injected, so that tests are repeatable. */
  random(bytes: number): Uint8Array;
  /** Writes an event to the outbox; every process receives it after the commit. */
  announce<K extends keyof OutboxEvents>(tx: Tx, topic: K, payload: OutboxEvents[K]): Promise<void>;
  /**
   * Finds out who holds a session token, and the single-sign-on token where it was opened by one. Throws
   * `session.missing` or `session.kicked`.
   */
  identify(token: string, caller: { ip: string; sso: string | undefined }): Promise<Caller>;
  /** The address of a video's poster, signed for a session alone, 0 for guests. Empty where there is no poster. */
  posterUrl(video: Pick<ShownVideo, "id" | "poster">, sessionId: number): string;
  /** A text of the locales. */
  text(locale: LocaleCode, key: string, values?: Record<string, string | number>): string;
  /** Sends a request through the whole server without the network. */
  inject: FastifyInstance["inject"];
}
