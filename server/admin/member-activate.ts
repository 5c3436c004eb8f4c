import { extendMembership } from "#server/domains/account/change-status.ts";
import { toSeconds } from "#shared/time.ts";
import type { Command } from "./command.ts";
import { needMember, readNumber } from "./read-words.ts";

const MOST_DAYS = 3_660;

export const memberActivate: Command = {
  usage: "NAME --days N",
  does: "Adds days of membership",
  async run(operator, { args, options }) {
    const days = readNumber(options.days!, "--days", 1, MOST_DAYS);
    const { id, username } = await needMember(operator.db.read, args.NAME!);
    const until = await operator.db.transact((tx) => extendMembership(tx, operator, id, days));
    const text = `The membership of ${username} runs until ${new Date(until).toISOString()}.`;
    return { text, json: { ok: true, member_until: toSeconds(until) } };
  },
};
