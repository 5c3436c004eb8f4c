import { eq } from "drizzle-orm";
import { games, messages, notices, rounds, videos } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import type { MasterKey } from "#server/config/keys.ts";
import { readBetIds } from "#server/domains/lottery/read-orders.ts";
import { perKey } from "#server/domains/keys/per-key.ts";
import { wholeMessage, messageWireId } from "#server/domains/member/read-messages.ts";
import { Vapid } from "#server/domains/push/encrypt.ts";
import {
  claim,
  dropSubscription,
  isAnythingDue,
  MOST_AT_ONCE,
  putBack,
  spreadNext,
  withdrawResults,
  type Claimed,
  type Queued,
} from "#server/domains/push/queue.ts";
import { sendPush, type Delivery } from "#server/domains/push/send.ts";
import { resolveName, type Resolve } from "#server/domains/push/hosts.ts";
import { running } from "#server/domains/session/list-sessions.ts";
import type { PushNote } from "#shared/contract/push.ts";
import { localText, namedText, tagOf, type LocaleCode } from "#shared/locales.ts";
import { resultPath } from "#shared/result-path.ts";
import { roundText } from "#shared/lottery/schedule.ts";

const EVERY_MS = 1_000;
const LONGEST_BODY = 240;

/** Sends what waits in the queue of Web Push. Any number of processes may run it: each message goes to one of them. */
export class PushClock {
  readonly #deps: Deps;
  readonly #vapidOf: (key: MasterKey) => Vapid;
  readonly #resolve: Resolve;

  constructor(deps: Deps, resolve: Resolve = resolveName) {
    this.#deps = deps;
    this.#vapidOf = perKey((key) => new Vapid(key, deps.publicUrl));
    this.#resolve = resolve;
  }

  /** Withdraws results for members with a socket of this process. */
  listen(isHere: (memberId: number) => boolean): void {
    const { bus, background, db } = this.#deps;
    bus.on("results.queued", ({ roundId }) => {
      const withdrawn = db.transact((tx) => withdrawResults(tx, roundId, isHere));
      void background.run(withdrawn, "results that were seen stayed in the queue of Web Push");
    });
  }

  async tick(): Promise<number> {
    const { db, clock, settings } = this.#deps;
    if (!(await isAnythingDue(db.read, clock.now()))) return EVERY_MS;
    while (await db.transact((tx) => spreadNext(tx, this.#deps)));
    const now = clock.now();
    const claimed = await db.transact((tx) => claim(tx, now, running(settings, now)));
    await Promise.all(claimed.map((one) => this.#send(one)));
    return claimed.length < MOST_AT_ONCE ? EVERY_MS : 0;
  }

  async #send({ message, subscription }: Claimed): Promise<void> {
    const { db, clock, log } = this.#deps;
    const { kind, expiresAt } = message;
    const note = await this.#noteOf(message, subscription.locale);
    if (!note) return;
    // A browser takes messages under the key that it subscribed with, which the app renews when it is opened.
    const key = this.#deps.keys.at(subscription.createdAt);
    const outside = key && { vapid: this.#vapidOf(key), resolve: this.#resolve };
    const parcel = { kind, note, subscription, expiresAt };
    const delivery: Delivery = outside ? await sendPush(this.#deps, outside, parcel) : { kind: "gone" };
    if (delivery.kind === "gone") await db.transact((tx) => dropSubscription(tx, subscription));
    if (delivery.kind === "later") await db.transact((tx) => putBack(tx, message, clock.now(), delivery.afterMs));
    if (delivery.kind === "refused")
      log.warn({ service: new URL(subscription.endpoint).hostname, kind }, "a push service refused a message");
  }

  /** What a message says, in the language of its device; null if what it is about is gone. */
  async #noteOf(message: Queued, locale: LocaleCode): Promise<PushNote | null> {
    const { kind } = message;
    const said = await {
      results: aboutRound,
      withdrawals: aboutMessage,
      security: aboutMessage,
      notices: aboutNotice,
      videos: aboutVideo,
    }[kind](this.#deps, message, locale);
    if (!said) return null;
    const [body, path, tag] = said;
    const title = this.#deps.text(locale, `app.push.${kind}`);
    return { title, body: [...body].slice(0, LONGEST_BODY).join(""), path, tag, lang: tagOf(locale) };
  }
}

/** Text, path and tag. */
type Said = [body: string, path: string, tag: string] | null;

/** Neither what was staked nor what came of it: others may see the screen. */
async function aboutRound({ db, text }: Deps, { about, memberId }: Queued, locale: LocaleCode): Promise<Said> {
  const [row] = await db.read
    .select({ round: rounds, game: games })
    .from(rounds)
    .innerJoin(games, eq(games.id, rounds.gameId))
    .where(eq(rounds.id, about));
  if (!row) return null;
  const { key, name } = row.game;
  const said = { game: localText(name, locale), round: roundText(row.round) };
  const path = resultPath(key, await readBetIds(db.read, row, memberId!));
  return [text(locale, "app.push.roundOver", said), path, `results ${key}`];
}

async function aboutMessage(deps: Deps, { about: id }: Queued, locale: LocaleCode): Promise<Said> {
  const [row] = await deps.db.read.select().from(messages).where(eq(messages.id, id));
  if (!row) return null;
  return [wholeMessage(deps, row, locale), screenOf(row), messageWireId(id)];
}

/** The receipt of the withdrawal that a message speaks of; messages of older versions do not say which. */
function screenOf({ kind, facts: { record } }: typeof messages.$inferSelect): string {
  if (!kind.startsWith("withdraw.")) return "/Messages";
  return record === undefined ? "/WithdrawRecord" : `/WithdrawRecord?id=${record}`;
}

async function aboutNotice({ db }: Deps, { about: id }: Queued, locale: LocaleCode): Promise<Said> {
  const [row] = await db.read.select().from(notices).where(eq(notices.id, id));
  return row?.takenBack === null ? [namedText(row.name, locale), "/Notice", `notice ${id}`] : null;
}

/** Many may come at once: the last one stands for all. */
async function aboutVideo({ db }: Deps, { about: id }: Queued, locale: LocaleCode): Promise<Said> {
  const [row] = await db.read.select().from(videos).where(eq(videos.id, id));
  return row ? [namedText(row.title, locale), `/PlayVideo?id=vid_${id}`, "videos"] : null;
}
