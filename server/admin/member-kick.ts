import { kickMember } from "#server/domains/session/end-sessions.ts";
import type { Command } from "./command.ts";
import { needMember, readReason } from "./read-words.ts";

export const memberKick: Command = {
  usage: "NAME [--reason T]",
  does: "Logs a member out everywhere, telling them why",
  async run(operator, { args, options }) {
    const member = await needMember(operator.db.read, args.NAME!);
    const reason = options.reason === undefined ? null : readReason(options.reason);
    const sessions = await operator.db.transact((tx) => kickMember(tx, operator, member.id, reason));
    return { text: `${sessions} sessions of ${member.username} ended.`, json: { ok: true, sessions } };
  },
};
