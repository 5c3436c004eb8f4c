import { eraseMember } from "./erase-member.ts";
import { memberWireId } from "#server/domains/account/find-member.ts";
import { Refused, type Command } from "#server/admin/command.ts";
import { needMember, readReason, readUsername } from "#server/admin/read-words.ts";

export const memberErase: Command = {
  usage: "NAME --reason T",
  local: ["reason"],
  does: "Erases a member for good; the ledger keeps their number. The public log says so",
  more: () =>
    [
      "Pay out their balance and decide their withdrawals first. It asks for the name once more. What goes and what stays is in",
      "docs/operating.md. T is kept, and the member's devices show it: do not name the member there. If it was interrupted, enter",
      "the same command again.",
    ].join("\n"),
  asks: ({ args }) => `Nothing brings ${readUsername(args.NAME!)} back. Type the name again`,
  async run(operator, { args, options, secret = "" }) {
    const [name, reason] = [readUsername(args.NAME!), readReason(options.reason)];
    if (secret.trim().toLowerCase() !== name) throw new Refused("the names differ: nobody was erased");
    const { id, username } = await needMember(operator.db.read, name);
    const why = await eraseMember(operator, id, reason);
    if (why !== null) throw new Refused(`${username} is not erased: ${why}`);
    return { text: `${memberWireId(id)} is erased.`, json: { ok: true, id: memberWireId(id) } };
  },
};
