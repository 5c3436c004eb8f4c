import { and, count, eq, isNull } from "drizzle-orm";
import { sessions } from "#db/schema/session.ts";
import { readJournal } from "#server/domains/ledger/journal.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { memberWireId } from "#server/domains/account/find-member.ts";
import { toDecimal } from "#shared/money.ts";
import { toSeconds } from "#shared/time.ts";
import type { Command } from "./command.ts";
import { needMember } from "./read-words.ts";

const ENTRIES = 10;

export const memberShow: Command = {
  usage: "NAME",
  does: "Shows a member, their standing and their last entries",
  async run({ db }, { args }) {
    const member = await needMember(db.read, args.NAME!);
    const wallet = await readWallet(db.read, member.id);
    const [open] = await db.read
      .select({ sessions: count() })
      .from(sessions)
      .where(and(eq(sessions.memberId, member.id), isNull(sessions.endedAt)));
    const newest = await readJournal(db.read, member.id, Math.max(1, wallet.version - ENTRIES + 1), wallet.version);
    const entries = newest.map(({ kind, rowId, code, delta, balance, version, at, reason }) => ({
      id: kind === "transfer" ? `trf_${rowId}` : null,
      type: code,
      version,
      reason,
      time: toSeconds(at),
      money: toDecimal(delta),
      balance: toDecimal(balance),
    }));
    const json = {
      id: memberWireId(member.id),
      username: member.username,
      status: member.locked ? 0 : 1,
      money: toDecimal(wallet.balance),
      version: wallet.version,
      member_until: toSeconds(member.memberUntil),
      exclude_until: toSeconds(wallet.excludedUntil),
      sessions: open!.sessions,
      demo: member.demo,
      entries,
    };
    return { text: JSON.stringify(json, null, 2), json };
  },
};
