import { getUserInfo } from "#shared/contract/session.ts";
import { balanceText } from "#shared/log/chain-note.ts";
import { noteText, signNote } from "#shared/log/note.ts";
import { fromDecimal, toDecimal } from "#shared/money.ts";
import type { Play, Plays } from "../play.ts";
import { moved, unbet } from "./all-that-follows.ts";
import { MIA, OPEN_BET } from "./ids.ts";
import { dropped } from "./leaves.ts";

/** A plan that somebody may have bought. */
export const GOLD = `insert into plans (id, name, days, price, position) values ('gold', '"Gold"', 30, 100, 9)`;

/** The house adds something to mia's balance that it signs, or shows. Her phone was told the true one; so may another be. */
export const otherBalance =
  (more: { signed?: number; shown?: number; on: "the same" | "another" }): NonNullable<Play["live"]> =>
  async (stage) => {
    await stage.phone.readBalance();
    const isSame = more.on === "the same";
    const other = isSame ? stage.phone : await stage.another({ memory: stage.site.memories.before });
    const { member } = stage.phone.owner!;
    const { money, version } = await stage.phone.client.must(getUserInfo);
    const signer = await stage.signer();
    const balance = fromDecimal(money) + (more.signed ?? 0);
    const text = balanceText({ origin: signer.key.name, member: String(MIA), version, balance });
    const note = noteText(signNote({ text, signatures: [] }, signer));
    const shown = toDecimal(balance + (more.shown ?? 0));
    await other.hear({ type: "balance", member, note, version, money: shown });
    if (isSame) return {};
    const compared = await other.watcher.answer("compare", { address: (await stage.phone.code())!, member });
    const found = await other.found();
    return found.length > 0 ? { app: `${compared}: ${found.join()}` } : {};
  };

export const ledger: Plays = {
  "reverse-a-credit-that-never-was": {
    data: moved("reversal", "trf_999", "member:2", "house:operator"),
    now: {
      audit: /^transfer \d+ \(reversal\) takes back 100 from member 2: no operator gave that \(trf_999\)$/m,
    },
  },
  "sell-a-membership-nobody-bought": {
    data: `${GOLD}; ${moved("plan", "gold:30d:2:x", "member:2", "house:plans")}`,
    now: { audit: /^member 2: plans and prizes gave membership until \S+, it ends \S+$/m },
  },
  "edit-a-balance": {
    data: "update wallets set balance = balance + 5000 where member_id = 2",
    now: { audit: /^wallet of member 2: its rows sum to \d+, the balance is \d+$/m },
  },
  "credit-without-a-payment": {
    data: `${moved("deposit", "ord_x", "house:channels", "member:2")};
      update wallets set deposited_total = deposited_total + 100 where member_id = 2`,
    now: { audit: /^transfer \d+ \(deposit\) of 100 has no cause: there is no ord_x$/m },
  },
  "drop-all-triggers": {
    leavesGuards: true,
    data: async (forger) => {
      const triggers = await forger.all<{ statement: string }>(
        forger.engine === "sqlite"
          ? "select 'drop trigger ' || name as statement from sqlite_master where type = 'trigger'"
          : `select format('drop trigger %I on %s', tgname, tgrelid::regclass) as statement from pg_trigger
             where not tgisinternal`,
      );
      for (const { statement } of triggers) await forger.run(statement);
    },
    now: { audit: /^the trigger \S+ of the migrations is missing$/m },
  },
  "delete-the-seals": {
    data: "delete from seals",
    now: { audit: /^the log's seal \d+ has no row$/m },
  },
  "stop-sealing": {
    data: async (forger) => {
      await forger.run("delete from seals");
      await forger.relog({ change: dropped("seal") });
    },
    now: {
      audit: /^the seals end before transfer 1 of \S+: a server worked on for \d+ s$/m,
      verifier: /Money has moved since \S+, and no seal covers it/,
    },
  },
  "seal-other-rows": {
    data: async (forger) => {
      await forger.run("update transfers set reason = 'Another' where id = 3");
      await forger.reseal();
      await forger.run("update transfers set reason = 'A gift' where id = 3");
      await forger.relog({});
    },
    now: { audit: /^seal \d+: what it covers was changed$/m },
  },
  "lift-a-members-limit": {
    data: "update wallets set limit_loss_week = null where member_id = 1",
    now: { audit: /^the log's limit, leaf \d+ of member 1, differs from the tables: loss_week is none$/m },
  },
  "report-a-tenth-of-the-stakes": {
    data: "update wallets set staked_total = staked_total / 10 where member_id = 1",
    now: { audit: /^wallet of member 1: staked in all is \d+, its rows sum to \d+$/m },
  },
  "hide-a-debit": {
    data: `delete from journal_index where kind = 'transfer' and member_id = 1
      and version = (select version from transfers where code = 'plan')`,
    now: { audit: /^money log of member 1: it shows \d+ changes, the wallet has \d+$/m },
  },
  "cut-a-wallets-tail": {
    data: (forger) => unbet(forger, OPEN_BET),
    now: { audit: /^seal \d+: what it covers was changed$/m },
  },
  "move-money-between-house-accounts": {
    data: `insert into transfers (code, cause, debit, credit, amount, created_at)
      values ('credit', 'x', 'house:channels', 'house:operator', 5, 1772582581000)`,
    now: { audit: /moves money from house:channels to house:operator: nothing explains that$/m },
  },
  "give-too-few-spins": {
    data: "insert into wheel_members (member_id, day, extra) values (2, 20514, -1)",
    now: { audit: /^member 2 has had more spins than they were given$/m },
  },
  "tell-two-devices-two-balances": [
    { live: otherBalance({ signed: 100, on: "another" }), now: { app: /^otherBalance: found: balance$/m } },
    {
      how: "one after the other to one device",
      live: otherBalance({ signed: 100, on: "the same" }),
      now: { app: /^found: balance$/m },
    },
    {
      how: "and signs the true one",
      live: otherBalance({ shown: 100, on: "the same" }),
      now: { app: /^found: balance$/m },
    },
  ],
};
