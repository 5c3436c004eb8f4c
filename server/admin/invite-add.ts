import { invites } from "#db/schema/session.ts";
import { Misused, Refused, type Command } from "./command.ts";
import { readNumber } from "./read-words.ts";

export const inviteAdd: Command = {
  usage: "CODE [--uses N]",
  does: "Makes an invite; without --uses, for any number of people",
  async run({ db, clock }, { args, options }) {
    const code = args.CODE!;
    if (!/^[\x21-\x7e]{1,64}$/.test(code)) throw new Misused("CODE has 1 to 64 visible ASCII characters");
    const usesLeft = options.uses === undefined ? null : readNumber(options.uses, "--uses", 1, 1_000_000);
    const row = { code, usesLeft, createdAt: clock.now() };
    const made = await db.transact((tx) => tx.insert(invites).values(row).onConflictDoNothing().returning());
    if (made.length === 0) throw new Refused(`there is an invite ${code} already`);
    return {
      text: `Invite ${code} is good for ${usesLeft ?? "any number of"} people.`,
      json: { ok: true, code, uses: usesLeft },
    };
  },
};
