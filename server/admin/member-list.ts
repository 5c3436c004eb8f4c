import { eq } from "drizzle-orm";
import { wallets } from "#db/schema/ledger.ts";
import { members } from "#db/schema/member.ts";
import { memberWireId } from "#server/domains/account/find-member.ts";
import { toDecimal } from "#shared/money.ts";
import type { Command } from "./command.ts";

export const memberList: Command = {
  usage: "",
  does: "Lists all members with their balances",
  reads: true,
  async run({ db }) {
    const rows = await db.read
      .select({ member: members, balance: wallets.balance })
      .from(members)
      .innerJoin(wallets, eq(wallets.memberId, members.id))
      .orderBy(members.id);
    const list = rows.map(({ member, balance }) => ({
      id: memberWireId(member.id),
      username: member.username,
      status: member.locked ? 0 : 1,
      money: toDecimal(balance),
    }));
    const lines = list.map(
      (row) => `${row.username.padEnd(21)} ${row.money.padStart(18)}${row.status ? "" : "  locked"}`,
    );
    return { text: lines.join("\n") || "There are no members yet.", json: list };
  },
};
