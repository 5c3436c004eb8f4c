import { Passwords } from "#server/domains/account/passwords.ts";
import { addMember } from "#server/domains/account/add-member.ts";
import { memberWireId } from "#server/domains/account/find-member.ts";
import type { Command } from "./command.ts";
import { readPassword, readUsername } from "./read-words.ts";

export const memberAdd: Command = {
  usage: "NAME --password P",
  does: "Makes a member, without an invite",
  async run({ db, clock, random }, { args, options }) {
    const username = readUsername(args.NAME!);
    const passwordHash = await new Passwords(random).hash(readPassword(options.password!));
    const id = await db.transact((tx) => addMember(tx, { username, passwordHash }, clock.now()));
    return { text: `${username} is a member now.`, json: { ok: true, id: memberWireId(id), username } };
  },
};
