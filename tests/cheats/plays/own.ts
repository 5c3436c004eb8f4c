import { buyPlan, setLimits } from "#shared/contract/wallet.ts";
import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { bankAccounts } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import { bindBank } from "#server/domains/payments/bind-bank.ts";
import { creditMember } from "#server/domains/wallet/operator-credit.ts";
import { addMemberLeaf } from "#server/domains/log/member-leaves.ts";
import { payWithdrawal } from "#server/domains/payments/decide-withdrawal.ts";
import { checkExport } from "#shared/log/check-export.ts";
import { chainText } from "#shared/log/chain-note.ts";
import { noteText, signNote } from "#shared/log/note.ts";
import { fromUnits } from "#shared/money.ts";
import { fetchExport, type ExportedFile } from "../../server/member/exported.ts";
import type { Play, Plays } from "../play.ts";
import type { Stage } from "../trial/stage.ts";
import { BET, MIA, OTHER, PAIR, WITHDRAWAL } from "./ids.ts";
import { GOLD } from "./ledger.ts";

/* What concerns one member: what the house does in their name, and what it says of their chain of leaves. */

/** The house takes mia's account away and binds another one, which is not hers. */
async function rebind(tx: Tx, deps: Deps): Promise<void> {
  await tx.delete(bankAccounts).where(eq(bankAccounts.memberId, MIA));
  const account = { number: "19036624879999", bankCode: "vn_acb", holder: "Mia Tran", mobile: "" };
  await bindBank(tx, deps, MIA, account);
}

/** The house pays by all rules, and the books say when, how much and to which account. */
const paid: Play["data"] = (forger) =>
  forger.asMia(async (_mia, { deps }) => {
    await deps.db.transact((tx) => payWithdrawal(tx, deps, WITHDRAWAL.approved));
  });

/** What the house answers for mia's chain. */
type Mine = NonNullable<Stage["phone"]["lies"]["mine"]>;

/** Mia's phone knows a part of her chain, and is answered this for the rest. */
const answers =
  (mine: Mine): NonNullable<Play["live"]> =>
  async (stage) => {
    stage.phone.lies.mine = mine;
    await stage.phone.readBalance();
  };

/** The leaves of an answer, the newest one changed. */
const newestLeaf =
  (change: (leaf: Leaf) => Leaf): Mine =>
  (truth) => ({ ...truth!, leaves: truth!.leaves.map((one, i, all) => (i === all.length - 1 ? change(one) : one)) });
type Leaf = NonNullable<Parameters<Mine>[0]>["leaves"][number];

/** A note about the end of mia's chain, so many leaves after what is true, as the house signs it. */
async function endNote(stage: Stage, { by, time }: { by: number; time: number }): Promise<string> {
  const signer = await stage.signer();
  const { chain, number } = await stage.end();
  const text = chainText({ ...chain, number: number + by, hash: OTHER, time: chain.time + time });
  return noteText(signNote({ text, signatures: [] }, signer));
}

/** Mia bets, and downloads her data; the house leaves something out before it signs. */
export const exports =
  (change: (file: ExportedFile) => void): NonNullable<Play["live"]> =>
  async (stage) => {
    await stage.bet();
    const { site, phone } = stage;
    const { member, token } = phone.owner!;
    const held = await phone.watcher.answer("held", { member });
    const { body } = await fetchExport(site.w, { memberId: MIA, token }, "json");
    const file = JSON.parse(body) as ExportedFile;
    change(file);
    await phone.watcher.answer("export", { member, held, text: JSON.stringify(file) });
    const faults = checkExport(file, [])!.faulty;
    return faults.length > 0 ? { verifier: faults.join("\n") } : {};
  };
const BEST = `bet_${BET}`;

export const own: Plays = {
  "export-without-the-best-bet": [
    {
      live: exports((file) => void (file.bets = file.bets!.filter(({ id }) => id !== BEST))),
      now: { app: /^found: export$/m, verifier: /^bet_17$/m },
    },
    {
      how: "and without its change of the balance",
      live: exports((file) => {
        for (const section of ["bets", "entries", "proofs"])
          file[section] = file[section]!.filter(({ id }) => id !== BEST);
      }),
      now: { app: /^found: export$/m, verifier: /^entries \d+$/m },
    },
    {
      how: "and renumbers what came after it",
      live: exports((file) => {
        for (const section of ["bets", "entries", "proofs"])
          file[section] = file[section]!.filter(({ id }) => id !== BEST);
        let cents = 0;
        for (const [i, entry] of file.entries!.entries()) {
          cents += Math.round(Number(entry.amount) * 100);
          Object.assign(entry, { version: String(i + 1), balance: (cents / 100).toFixed(2) });
        }
      }),
      now: { app: /^found: export$/m },
    },
  ],
  "buy-in-a-members-name": {
    data: async (forger) => {
      await forger.run(GOLD);
      await forger.asMia(async (mia) => void (await mia.must(buyPlan, { id: "gold" })));
    },
    now: { app: /^own: .*"code":"plan".*"kind":"debit"/m },
  },
  "invent-a-chargeback": {
    data: (forger) =>
      forger.asMia(async (_mia, { deps }) => {
        const at = forger.now;
        const leaf = {
          kind: "debit",
          at,
          code: "chargeback",
          cause: "ord_1",
          amount: 100,
          unit: "point",
          days: 0,
        } as const;
        await deps.db.transact((tx) => addMemberLeaf(tx, MIA, leaf));
      }),
    now: { app: /^own: .*"code":"chargeback".*"kind":"debit"/m },
  },
  "raise-a-limit-in-a-members-name": {
    data: (forger) => forger.asMia(async (mia) => void (await mia.must(setLimits, { stake_day: "5000" }))),
    now: { app: /^own: .*"kind":"limit".*"limit":"stake_day".*"value":500000/m },
  },
  "add-an-account-in-a-members-name": {
    data: (forger) => forger.asMia((_mia, { deps }) => deps.db.transact((tx) => rebind(tx, deps))),
    now: { app: /^own: .*"account":"19036624879999".*"kind":"bank"/m },
  },
  "pay-in-the-books-alone": {
    data: paid,
    now: { app: /^own: .*"kind":"withdrawal".*"state":"paid"/m },
  },
  "pay-less-than-was-asked": {
    data: paid,
    now: { app: /^own: .*"amount":11000.*"kind":"withdrawal".*"state":"paid"/m },
  },
  "pay-to-an-older-account": {
    data: (forger) =>
      forger.asMia(async (_mia, { deps }) => {
        await deps.db.transact(async (tx) => {
          await rebind(tx, deps);
          await payWithdrawal(tx, deps, WITHDRAWAL.approved);
        });
      }),
    now: { app: /^own: .*"kind":"withdrawal".*"state":"paid"/m, audit: /names another account than the leaf before$/m },
  },
  "never-decide-a-withdrawal": {
    live: async ({ phone }) => {
      await phone.readBalance();
      const { own } = await phone.watcher.answer("report", {
        member: phone.owner!.member,
        page: "https://house.example/Proof",
      });
      const texts = own.newest.map(({ content }) => content);
      const waits = texts.filter((one) => one.includes('"id":"wdr_1"'));
      return { app: waits.join("\n") };
    },
    now: { app: /^\{"amount":10000,"at":\d+,.*"id":"wdr_1","kind":"withdrawal",.*"state":"review"/ },
  },
  "change-rows-without-a-leaf": [
    {
      how: "of a pair",
      data: `update wheel_pairs set "commit" = '${OTHER}' where id = ${PAIR.open};
        delete from member_leaves where key like 'pair:2:%' and number = (select max(number) from member_leaves where key like 'pair:2:%')`,
      now: { audit: /^the log's leaf \d+ of member 2 does not follow leaf \d+$/m },
    },
    {
      how: "of a credit",
      data: async (forger) => {
        const before = await forger.one<{ number: number }>(
          "select max(number) as number from member_leaves where member_id = 1",
        );
        await forger.asMia(async (_mia, { deps }) => {
          await deps.db.transact(async (tx) => {
            await creditMember(tx, deps, MIA, fromUnits(7), "A gift");
          });
        });
        await forger.run(`delete from member_leaves where member_id = 1 and number > ${before.number};
          update member_chains set number = ${before.number}, hash = (select hash from member_leaves
            where member_id = 1 and number = ${before.number}) where member_id = 1`);
      },
      now: { audit: /^the log does not state transfer \d+ \(credit\)$/m },
    },
  ],
  "undo-what-is-in-no-head-yet": {
    live: async (stage) => {
      await stage.phone.readBalance();
      const said = [await endNote(stage, { by: 1, time: 1_000 }), await endNote(stage, { by: 0, time: 60_000 })];
      await stage.phone.hear({ type: "chain", member: stage.phone.owner!.member, note: said[0]! });
      await stage.phone.hear({ type: "chain", member: stage.phone.owner!.member, note: said[1]! });
    },
    now: { app: /^found: chainGap$/m },
  },
  "hide-the-newest-leaf": {
    live: async (stage) => {
      await stage.phone.readBalance();
      const note = await endNote(stage, { by: -1, time: 60_000 });
      await stage.phone.hear({ type: "chain", member: stage.phone.owner!.member, note });
    },
    now: { app: /^found: chainGap$/m },
  },
  "jump-in-a-members-chain": {
    live: answers(newestLeaf((leaf) => ({ ...leaf, number: leaf.number + 1 }))),
    now: { app: /^found: chain$/m },
  },
  "fork-a-members-chain": {
    live: answers(newestLeaf((leaf) => ({ ...leaf, salt: OTHER }))),
    now: { app: /^found: chain$/m },
  },
  "keep-a-salt-back": {
    live: answers(newestLeaf((leaf) => ({ ...leaf, salt: "" }))),
    now: { app: /^found: chain$/m },
  },
};
