import { isoDay } from "#server/config/given-keys.ts";
import { readKeyRows } from "#server/config/master-key.ts";
import { needOfKey, needText } from "#server/domains/keys/still-needed.ts";
import { dayOf } from "#shared/time.ts";
import type { Command } from "./command.ts";

export const keysStatus: Command = {
  usage: "",
  does: "Lists the master keys by their fingerprints: from which day each is in force, and what still needs it",
  more: () =>
    [
      "Servers encrypt bank accounts and the log's keys anew by themselves. Passwords, passcodes and recovery codes are renewed",
      "as their members use them, or by member:reset-password. A key that nothing needs may be taken out of MASTER_KEY.",
    ].join("\n"),
  reads: true,
  async run({ db, clock }) {
    const now = clock.now();
    const rows = await readKeyRows(db.read);
    const newest = rows.findLast(({ fromDay }) => fromDay <= dayOf(now));
    const list = [];
    for (const row of rows) {
      const needs = await needOfKey(db.read, row, rows, now);
      const before = row.fromDay > dayOf(now) ? "to come" : "replaced";
      const { id, fingerprint, fromDay } = row;
      const from = fromDay === 0 ? "the beginning" : isoDay(fromDay);
      list.push({
        id,
        fingerprint,
        from,
        state: row === newest ? "in force" : before,
        left: needText(needs) || "nothing",
      });
    }
    const lines = list.map(
      ({ id, fingerprint, from, state, left }) =>
        `${id}  ${fingerprint}  from ${from}, ${state}${state === "replaced" ? `; needed for: ${left}` : ""}`,
    );
    return { text: lines.join("\n") || "No server has started on this database yet.", json: list };
  },
};
