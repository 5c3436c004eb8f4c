import { eraseMember } from "#server/admin/erase/erase-member.ts";
import type { Site } from "#server/app/site.ts";
import type { Plays } from "../play.ts";
import type { Forger } from "../trial/forger.ts";
import { LAST, MIA, NILS } from "./ids.ts";

/* What the house does to comments, plays and whole members. */

/** What is in the wallet goes by a transfer, and nothing is under way: as if the member had been paid out. */
const paidOut = (memberId: number) => `
  insert into transfers (code, cause, debit, credit, amount, member_id, version, balance_after, created_at)
    select 'reversal', 'trf_0', 'member:${memberId}', 'house:operator', balance, ${memberId}, version + 1, 0, 1772582581000
    from wallets where member_id = ${memberId};
  insert into journal_index (member_id, version, kind, row_id)
    select ${memberId}, version + 1, 'transfer', (select max(id) from transfers) from wallets where member_id = ${memberId};
  update wallets set version = version + 1, balance = 0 where member_id = ${memberId};
  update withdrawals set status = 'refused' where member_id = ${memberId} and status in ('review', 'approved');
  update deposits set status = 'failed' where member_id = ${memberId} and status <> 'credited';
  delete from log_rounds`;

/** The house erases a member by its own command, without being asked. */
async function erased(forger: Forger, memberId: number): Promise<void> {
  await forger.run(`${paidOut(memberId)}; ${await openBets(forger, memberId)}`);
  await forger.serve(async ({ deps, publicLog }: Site) => {
    const why = await eraseMember(deps, memberId, "Asked for by letter");
    if (why !== null) throw new Error(why);
    for (let i = 0; i < 3; i++) await publicLog.advance();
  });
}

/** Bets under way are written into the member's money log, as if their round were over. */
async function openBets(forger: Forger, memberId: number): Promise<string> {
  const rows = await forger.all<{ id: number; version: number }>(
    `select b.id, b.version from bet_keys k join bets b on b.id = k.bet_id where k.member_id = ${memberId}`,
  );
  const indexed = rows.map(({ id, version }) => `(${memberId}, ${version}, 'bet', ${id})`).join();
  const insert = indexed && `insert into journal_index (member_id, version, kind, row_id) values ${indexed};`;
  return `${insert} delete from bet_keys where member_id = ${memberId}`;
}

export const erasures: Plays = {
  "edit-a-play-count": [
    {
      data: "update videos set plays = plays + 900 where id = 1",
      now: { audit: /^video 1: its play counter is 903, the log states 3, and 0 came since$/m },
    },
    {
      how: "and what was counted in its hour",
      data: (forger) =>
        forger.run(`update videos set plays = plays + 900 where id = 1;
          update play_hours set counts = ${forger.json("[[1,903]]").replace("jsonb", "json")}`),
      now: { audit: /^the plays of hour \d+: their hash is not that of their counts$/m },
    },
  ],
  "erase-a-comment": [
    {
      data: "delete from comments where id = 3",
      now: { audit: /^the log's comment, leaf \d+ of member 1, of cmt_3 has no comment in the tables$/m },
    },
    {
      how: "with its leaf",
      data: "delete from comments where id = 3; delete from member_leaves where key like 'comment:cmt_3:%'",
      now: { audit: /^the log's leaf \d+ of member 1 does not follow leaf \d+$/m },
    },
  ],
  "erase-a-member-who-won": {
    data: (forger) => erased(forger, MIA),
    now: { app: /^ended: Asked for by letter; \d+ lines and \d+ bets are kept$/m },
  },
  "erase-more-than-the-key": {
    data: async (forger) => {
      await erased(forger, NILS);
      await forger.run("delete from kept_salts");
    },
    now: { audit: /^member 2 was erased, and no salt was kept of \d+ bets and payouts$/m },
  },
  "erase-a-puppet-after-rewriting-its-bet": {
    data: async (forger) => {
      await forger.run(`update bets set mask = 3 where member_id = ${NILS} and round_id = ${LAST.id}`);
      await erased(forger, NILS);
    },
    now: { audit: new RegExp(`^the log's close of round k3-1m ${LAST.name}: bets_root is `, "m") },
  },
};
