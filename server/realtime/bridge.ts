import { eq } from "drizzle-orm";
import { deposits } from "#db/schema/payments.ts";
import { games } from "#db/schema/lottery.ts";
import { notices } from "#db/schema/site.ts";
import type { Deps, WalletChange } from "#server/deps.ts";
import { readCountdown } from "#server/domains/lottery/read-round.ts";
import { readMember } from "#server/domains/standing/find-member.ts";
import { baseInfo } from "#server/domains/site/base-info.ts";
import { noticeView } from "#server/domains/site/notices.ts";
import { rooms } from "#shared/contract/events.ts";
import { RECHARGE_STATUS } from "#shared/contract/payments.ts";
import { formatMoney } from "#shared/format.ts";
import { LOCALES } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { toSeconds } from "#shared/time.ts";
import type { HubSocket, RunningHub } from "./hub.ts";

/** Tells the sockets of this process what has been committed, here or elsewhere. Results are told by `results.ts`. */
export function bridge({ io, byMember }: RunningHub, deps: Deps, reloadSettings: () => Promise<void>): void {
  const { bus, clock, db, settings, text } = deps;
  const guard = (work: Promise<void>) =>
    void work.catch((error: unknown) => deps.log.error({ err: error }, "could not tell the sockets"));
  const each = (memberId: number, tell: (socket: HubSocket) => void) => byMember.get(memberId)?.forEach(tell);

  bus.on("wallet.changed", (change) => each(change.memberId, (socket) => tellBalance(socket, change)));
  bus.on("deposit.changed", ({ memberId, depositId, status }) => guard(tellDeposit(memberId, depositId, status)));
  bus.on("member.changed", ({ memberId }) => guard(tellMember(memberId)));
  bus.on("notice.added", ({ noticeId }) => guard(tellNotice(noticeId)));
  bus.on("site.changed", ({ names }) => guard(reloadSettings().then(() => tellSite(names))));
  bus.on("round.opened", ({ gameId }) => guard(tellCountdown(gameId)));
  bus.on("round.closed", ({ gameId }) => guard(tellCountdown(gameId)));
  bus.on("session.ended", ({ sessionIds, kicked, reason }) => {
    for (const id of sessionIds) endSession(rooms.session(id), kicked, reason);
  });

  function tellBalance(socket: HubSocket, { balance, delta, code, version }: WalletChange): void {
    socket.emit("balance:change", {
      money: toDecimal(balance),
      money_value: formatMoney(balance, settings.get("unit"), socket.data.locale),
      delta: toDecimal(delta),
      type: code,
      version,
    });
  }

  async function tellDeposit(memberId: number, depositId: number, status: keyof typeof RECHARGE_STATUS): Promise<void> {
    const [deposit] = await db.read.select().from(deposits).where(eq(deposits.id, depositId));
    const record = { kind: "recharge" as const, id: deposit!.orderNo, status: RECHARGE_STATUS[status] };
    each(memberId, (socket) => {
      socket.emit("record:change", { ...record, status_text: text(socket.data.locale, `deposit.${status}`) });
    });
  }

  async function tellMember(memberId: number): Promise<void> {
    const { locked, memberUntil } = await readMember(db.read, memberId);
    const is_see = memberUntil > clock.now() ? 1 : 0;
    const member = { status: locked ? 0 : 1, is_see, member_until: toSeconds(memberUntil) } as const;
    each(memberId, (socket) => socket.emit("member:change", member));
  }

  async function tellNotice(noticeId: number): Promise<void> {
    const [notice] = await db.read.select().from(notices).where(eq(notices.id, noticeId));
    for (const { code } of LOCALES) io.to(rooms.locale(code)).emit("notice:new", noticeView(notice!, code));
  }

  function tellSite(names: string[]): void {
    for (const { code } of LOCALES) {
      const changed = Object.entries(baseInfo(deps, code)).filter(([name]) => names.includes(name));
      if (changed.length) io.to(rooms.locale(code)).emit("site:change", Object.fromEntries(changed));
    }
  }

  async function tellCountdown(gameId: number): Promise<void> {
    const [game] = await db.read.select().from(games).where(eq(games.id, gameId));
    io.to(rooms.game(game!.key)).emit("lottery:countdown", await readCountdown(db.read, deps, game!));
  }

  /** The kick is said to each socket in its language before the line is closed. */
  function endSession(room: string, kicked: boolean, reason: string | null): void {
    for (const id of io.sockets.adapter.rooms.get(room) ?? []) {
      const socket = io.sockets.sockets.get(id) as HubSocket | undefined;
      if (kicked) {
        const msg = reason ?? text(socket?.data.locale ?? "vn_vn", "refusal.session.kicked");
        socket?.emit("session:kick", { code: 10001, msg });
      }
      socket?.disconnect(true);
    }
  }
}
