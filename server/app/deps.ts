import type { Emitter } from "mitt";
import type { Logger } from "pino";
import type { Db, Tx } from "#db/db.ts";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import type { WantedWitnesses } from "#shared/contract/events.ts";
import type { DepositStatus } from "#shared/contract/payments.ts";
import type { Money } from "#shared/money.ts";
import type { WithdrawalStatus } from "#shared/contract/withdrawals.ts";
import type { NoteKey } from "#shared/log/note.ts";
import type { LocaleCode } from "#shared/locales.ts";
import type { BeaconCheck, DrandChain, NamedBeacon } from "#shared/lottery/beacon.ts";
import type { Clock } from "#shared/time.ts";
import type { ShownVideo } from "#shared/video.ts";
import type { Keys } from "#server/config/keys.ts";
import type { EncodedPicture, PicturePlan } from "#server/pictures/plan.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { Background } from "./background.ts";
import type { SecurityLog } from "./security-log.ts";

/** Events that the outbox delivers to every server process after the commit. */
export type OutboxEvents = {
  "wallet.changed": WalletChange;
  "deposit.changed": { memberId: number; depositId: number; status: DepositStatus };
  "withdrawal.changed": { memberId: number; withdrawalId: number; status: WithdrawalStatus };
  "member.changed": { memberId: number };
  /** A message about the safety of an account, to be passed on wherever its member can be reached. */
  "security.told": { memberId: number; messageId: number };
  /** A member has read the messages about their account, up to this one. */
  "messages.read": { memberId: number; messageId: number };
  /** A member has said whether a history of what they watch is kept. */
  "history.switched": { memberId: number; on: boolean };
  /** A member's conversation with the customer service has another message, or was read. */
  "support.changed": { memberId: number };
  "session.ended": { sessionIds: number[]; kicked: boolean; reason: string | null };
  /** Listings, cities or comments changed: caches built from them are stale. */
  "listings.changed": Record<string, never>;
  /** Videos or their categories were added or removed. */
  "videos.changed": Record<string, never>;
  /** The prizes of the wheel, or how many of them are left. */
  "prizes.changed": Record<string, never>;
  "notice.added": { noticeId: number };
  /** Results of a round wait in the queue of Web Push, for members without an open socket. */
  "results.queued": { roundId: number };
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
  /** Something waits for a head of the public log, and not for the one of the minute. */
  "log.waiting": Record<string, never>;
  /** The public log has a new head of that many leaves. */
  "log.head": { log: number; size: number };
  /** A witness signed the head of that many leaves. */
  "log.cosigned": { log: number; size: number };
  /** An operator's command wrote something, or was refused. With the member whom it concerns. */
  "operator.acted": { actId: number; command: string; outcome: string; memberId: number | null };
  /** The operator wants the key of the public log replaced. */
  "log.rotate": Record<string, never>;
};

/** Events of this process alone. */
type LocalEvents = {
  /** The members with bets on a drawn round; each gets their result when their part is settled. */
  "round.counted": { roundId: number; bettors: Float64Array };
  /** The genuine signature that a rule of rounds names has arrived. */
  "beacon.came": { rule: string; signature: string };
  /** A round's draw is due, but its beacon is not here. */
  "round.waits": { gameId: number; roundId: number };
  /** A batch of bets went through a stage. */
  "bets.took": { stage: string; ms: number };
  /** A process told the others something that is not stored. */
  "process.mentioned": string;
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

/** The genuine beacons that draws take, fetched from relays as they are asked for. */
export interface Beacons extends BeaconCheck {
  /** The genuine signature that a rule names; null until it is here. Begins to fetch it once it may be signed. */
  find(named: NamedBeacon): string | null;
  /** The same for those who only ask, a few at a time. */
  findForGuests(named: NamedBeacon): string | null;
  /** Compares the clock with the newest beacon, every now and then, in the background. */
  look(chain: DrandChain): void;
  /** Whether relays were asked for the newest beacon, even in vain. */
  readonly hasLooked: boolean;
  /** Whether a genuine beacon says that the clock is right. */
  readonly isClockConfirmed: boolean;
  /** By how much the clock disagrees with the newest beacon, in ms: negative if it is behind. 0 for a right one. */
  readonly clockOffByMs: number;
}

/** A witness of the public log: where it takes heads, and the key that it signs them with. */
export interface NamedWitness {
  url: string;
  key: NoteKey;
}

/** Who is asked to sign each head of the public log, and how many of them have to. */
export interface Witnessing {
  named: readonly NamedWitness[];
  needed: number;
}

/** For whom passkeys are made and answer: a name of the site, and the origin of its pages. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** Why passkeys do not work at an address of the site: it is an IP address, or without TLS. */
export type NoPasskeys = "address" | "insecure";

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
  /** Work that nobody waits for; it ends before the database closes. */
  background: Background;
  clock: Clock;
  log: Logger;
  keys: Keys;
  settings: SettingsReader;
  beacons: Beacons;
  storage: Storage;
  /** Decodes a picture and re-encodes it. Throws NoPicture, or PicturesAway when it cannot be looked at now. */
  encodePicture(bytes: Uint8Array, plan: PicturePlan): Promise<EncodedPicture>;
  /** Sanitizes an operator's HTML (`clean-html.ts`). */
  cleanHtml(html: string): string;
  publicUrl: string;
  /** The relying party of pages that this `Host` serves, or why there is none. */
  passkeysAt(host: string | undefined): RelyingParty | NoPasskeys;
  /** Origins of push services beside those of the browsers' makers. */
  pushServices: readonly string[];
  /** Whether a client's rate is limited; load tests lift that. Guesses of passwords, passcodes and codes always are. */
  isLimited: boolean;
  /** The site is this machine's alone. */
  isLocal: boolean;
  /**
   * The public log (docs/log.md). `advance` resolves when a head was announced that holds all that was
   * stated before; `newest` is the last head that this process knows, a signed note; `wanted` are its witnesses. `sign`
   * makes a note of another text, which names the log's origin.
   */
  publicLog: {
    advance(): Promise<void>;
    stateSettled(): Promise<void>;
    newest(): string | null;
    sign(text: (origin: string) => string): string;
    readonly wanted: WantedWitnesses;
    /** The name of the log of today. A restore begins another. */
    readonly origin: string;
  };
  /** The payment channels that are offered in the site's unit. */
  payWays(): PayWay[];
  /** Cryptographic random bytes; injected, so that tests are repeatable. */
  random(bytes: number): Uint8Array;
  /** Writes events, at least one, to the outbox; every process receives them after the commit. */
  announce<K extends keyof OutboxEvents>(tx: Tx, topic: K, ...payloads: OutboxEvents[K][]): Promise<void>;
  /**
   * Finds out who holds a session token, and the single-sign-on token where it was opened by one. Throws
   * `session.missing` or `session.kicked`.
   */
  identify(token: string, caller: { ip: string; sso: string | undefined }): Caller | Promise<Caller>;
  /** Throws `proof.needed` unless this session proved within five minutes whose it is, by logging in or by `prove`. */
  refuseUnproven(caller: Caller): Promise<void>;
  /** The address of a video's poster, signed for a session alone, 0 for guests. Empty where there is no poster. */
  posterUrl(video: Pick<ShownVideo, "id" | "poster">, sessionId: number): string;
  /** A text of the locales. */
  text(locale: LocaleCode, key: string, values?: Record<string, string | number>): string;
  /** The id of the request whose work this is, if it is one's. Log lines carry it by themselves. */
  requestId(): string | undefined;
  /** Says which member the request is about, once that is known: its security events name them. */
  concerns(memberId: number): void;
  /** The log of security events. */
  security: SecurityLog;
  /** Starts work that serves many requests: its log lines carry the id of none. */
  apart<T>(work: () => T): T;
  /** Sends a request of the site's own through the whole server, without the network. */
  callItself(request: InjectOptions): Promise<LightMyRequestResponse>;
}
