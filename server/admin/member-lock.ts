import { lockMember } from "#server/domains/account/change-status.ts";
import type { Command } from "./command.ts";
import { needMember } from "./read-words.ts";

const lock = (locked: boolean, does: string): Command => ({
  usage: "NAME",
  does,
  async run(operator, { args }) {
    const { id, username } = await needMember(operator.db.read, args.NAME!);
    await operator.db.transact((tx) => lockMember(tx, operator, id, locked));
    return { text: `${username} is ${locked ? "locked" : "no longer locked"}.`, json: { ok: true, locked } };
  },
});

export const memberLock = lock(true, "Locks a member out of everything but looking; what they hold stays theirs");
export const memberUnlock = lock(false, "Lets a locked member back in");
