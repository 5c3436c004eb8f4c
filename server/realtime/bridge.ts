import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { games, rounds } from "#db/schema/lottery.ts";
import { deposits } from "#db/schema/payments.ts";
import { notices } from "#db/schema/site.ts";
import type { Deps, OutboxEvents, WalletChange } from "#server/app/deps.ts";
import { countdownView, findGameNow } from "#server/domains/lottery/read-round.ts";
import { messageWireId } from "#server/domains/member/read-messages.ts";
import { countUnread } from "#server/domains/support/read-conversation.ts";
import { baseInfo } from "#server/domains/site/base-info.ts";
import { withdrawalWireId } from "#server/domains/payments/withdraw.ts";
import { noticeView } from "#server/domains/site/notices.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { KICKED } from "#shared/contract/envelope.ts";
import { rooms } from "#shared/contract/events.ts";
import { RECHARGE_STATUS } from "#shared/contract/payments.ts";
import { WITHDRAW_STATUS } from "#shared/contract/withdrawals.ts";
import { formatMoney } from "#shared/format.ts";
import { LOCALES, namePacked } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { toSeconds } from "#shared/time.ts";
import type { HubSocket } from "./socket.ts";
import type { RunningHub } from "./watchers.ts";
import type { Results } from "./results.ts";
import { emitToRoom } from "./emit.ts";

/** Pushes committed changes, made here or elsewhere, to the sockets of this process. `results.ts` pushes results. */
export class Bridge {
  readonly #hub: RunningHub;
  readonly #deps: Deps;

  readonly #results: Results;
  /** Rounds whose draw waits for a beacon, as everybody was told. */
  readonly #waiting = new Set<number>();

  constructor(hub: RunningHub, deps: Deps, results: Results) {
    this.#hub = hub;
    this.#deps = deps;
    this.#results = results;
  }

  listen(reloadSettings: () => Promise<void>): void {
    const { bus, background } = this.#deps;
    const guard = (work: Promise<void>) => void background.run(work, "an event could not be sent to the sockets");
    bus.on("wallet.changed", (change) => this.#pushBalance(change));
    bus.on("deposit.changed", (change) => guard(this.#pushDeposit(change)));
    bus.on("withdrawal.changed", (change) => this.#pushWithdrawal(change));
    bus.on("member.changed", ({ memberId }) => guard(this.#pushMember(memberId)));
    bus.on("security.told", ({ memberId, messageId }) =>
      this.#each(memberId, (socket) => {
        socket.emit("message:new", { id: messageWireId(messageId) });
      }),
    );
    bus.on("messages.read", ({ memberId, messageId }) =>
      this.#each(memberId, (socket) => {
        socket.emit("message:read", { id: messageWireId(messageId) });
      }),
    );
    bus.on("history.switched", (change) => this.#pushHistory(change));
    bus.on("support.changed", ({ memberId }) => guard(this.#pushSupport(memberId)));
    bus.on("notice.added", ({ noticeId }) => guard(this.#pushNotice(noticeId)));
    bus.on("site.changed", ({ names }) => guard(reloadSettings().then(() => this.#pushSite(names))));
    bus.on("round.opened", ({ gameId }) =>
      guard(this.#results.delivered(gameId).then(() => this.#pushCountdown(gameId))),
    );
    bus.on("round.closed", ({ gameId }) => guard(this.#pushCountdown(gameId)));
    bus.on("beacon.came", (came) => guard(this.#pushBeacon(came)));
    bus.on("round.waits", ({ gameId, roundId }) => {
      if (this.#waiting.has(roundId)) return;
      this.#waiting.add(roundId);
      guard(this.#pushCountdown(gameId));
    });
    bus.on("round.drawn", ({ gameId, roundId }) => {
      if (this.#waiting.delete(roundId)) guard(this.#pushCountdown(gameId));
    });
    bus.on("game.changed", ({ gameId }) => guard(this.#pushCountdown(gameId)));
    bus.on("session.ended", (ending) => this.#endSessions(ending));
  }

  /** Tells the watchers of the games that wait for it: a phone then knows how right its clock is. */
  async #pushBeacon(came: { rule: string; signature: string }): Promise<void> {
    const waiting = await this.#deps.db.read
      .selectDistinct({ key: games.key })
      .from(rounds)
      .innerJoin(games, eq(games.id, rounds.gameId))
      .where(and(isNull(rounds.indexedAt), isNotNull(rounds.closedAt), eq(rounds.beaconRule, came.rule)));
    for (const { key } of waiting) await emitToRoom(this.#hub.io, rooms.game(key), "fair:beacon", came);
  }

  #each(memberId: number, push: (socket: HubSocket) => void): void {
    this.#hub.byMember.get(memberId)?.forEach(push);
  }

  #pushBalance({ memberId, balance, delta, code, version }: WalletChange): void {
    const unit = this.#deps.settings.get<string>("unit");
    const change = { money: toDecimal(balance), delta: toDecimal(delta), type: code, version };
    this.#each(memberId, (socket) => {
      socket.emit("balance:change", { ...change, money_value: formatMoney(balance, unit, socket.data.locale) });
    });
  }

  async #pushDeposit({ memberId, depositId, status }: OutboxEvents["deposit.changed"]): Promise<void> {
    const { db, text } = this.#deps;
    const [deposit] = await db.read.select().from(deposits).where(eq(deposits.id, depositId));
    const record = { kind: "recharge" as const, id: deposit!.orderNo, status: RECHARGE_STATUS[status] };
    this.#each(memberId, (socket) => {
      socket.emit("record:change", { ...record, status_text: text(socket.data.locale, `deposit.${status}`) });
    });
  }

  #pushWithdrawal({ memberId, withdrawalId, status }: OutboxEvents["withdrawal.changed"]): void {
    const record = { kind: "withdraw" as const, id: withdrawalWireId(withdrawalId), status: WITHDRAW_STATUS[status] };
    this.#each(memberId, (socket) => {
      socket.emit("record:change", {
        ...record,
        status_text: this.#deps.text(socket.data.locale, `withdraw.${status}`),
      });
    });
  }

  #pushHistory({ memberId, on }: { memberId: number; on: boolean }): void {
    this.#each(memberId, (socket) => {
      socket.emit("history:change", { keeps_history: on ? 1 : 0 });
    });
  }

  async #pushMember(memberId: number): Promise<void> {
    const { locked, memberUntil } = await readMember(this.#deps.db.read, memberId);
    const is_see = memberUntil > this.#deps.clock.now() ? 1 : 0;
    const member = { status: locked ? 0 : 1, is_see, member_until: toSeconds(memberUntil) } as const;
    this.#each(memberId, (socket) => {
      // The socket's caller decides what it may do, so it follows the change.
      if (socket.data.caller) socket.data.caller = { ...socket.data.caller, locked, memberUntil };
      socket.emit("member:change", member);
    });
  }

  async #pushSupport(memberId: number): Promise<void> {
    const unread = await countUnread(this.#deps.db.read, memberId);
    this.#each(memberId, (socket) => {
      socket.emit("support:change", { unread });
    });
  }

  async #pushNotice(noticeId: number): Promise<void> {
    const [notice] = await this.#deps.db.read.select().from(notices).where(eq(notices.id, noticeId));
    for (const { code } of LOCALES) {
      this.#hub.io.to(rooms.locale(code)).emit("notice:new", noticeView(this.#deps, notice!, code));
    }
  }

  #pushSite(names: string[]): void {
    for (const { code } of LOCALES) {
      const info = baseInfo(this.#deps, code);
      const changed = Object.entries(info).filter(([name]) => names.includes(name));
      if (changed.length === 0) continue;
      const { langs } = info;
      this.#hub.io.to(rooms.locale(code)).emit("site:change", { ...Object.fromEntries(changed), langs });
    }
  }

  async #pushCountdown(gameId: number): Promise<void> {
    const { read } = this.#deps.db;
    const [game] = await read.select({ key: games.key }).from(games).where(eq(games.id, gameId));
    const countdown = countdownView(await findGameNow(read, game!.key), this.#deps.clock.now());
    await emitToRoom(this.#hub.io, rooms.game(game!.key), "lottery:countdown", countdown);
  }

  /** Each socket gets the kick in its language before its connection closes. */
  #endSessions({ sessionIds, kicked, reason }: OutboxEvents["session.ended"]): void {
    const { sockets } = this.#hub.io;
    for (const sessionId of sessionIds) {
      // Disconnecting changes the room, so the loop uses a copy.
      for (const id of Array.from(sockets.adapter.rooms.get(rooms.session(sessionId)) ?? [])) {
        const socket = sockets.sockets.get(id);
        const { locale } = socket!.data;
        const msg = reason === null ? this.#deps.text(locale, "refusal.session.kicked") : namePacked(reason, locale);
        if (kicked) socket?.emit("session:kick", { code: KICKED, msg });
        socket?.disconnect(true);
      }
    }
  }
}
