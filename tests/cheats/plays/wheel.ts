import { keepSent, wordsForNext } from "#client/screens/wheel/kept-pairs.ts";
import type { Plays } from "../play.ts";
import type { Site } from "#server/app/site.ts";
import { beginPair } from "#server/domains/wheel/pairs.ts";
import { readTable } from "#server/domains/wheel/prize-table.ts";
import { WheelSeeds } from "#server/domains/wheel/seeds.ts";
import { setPrizes } from "#server/domains/wheel/set-prizes.ts";
import { spinAll } from "#server/domains/wheel/spin.ts";
import { luckdrawList, wheelSeeds } from "#shared/contract/wheel.ts";
import { tableHash } from "#shared/wheel.ts";
import type { Said } from "../cheat.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { Phone } from "../trial/phone.ts";
import { GAME } from "../trial/played-site.ts";
import type { Stage } from "../trial/stage.ts";
import { MIA, OTHER, PAIR } from "./ids.ts";

/** What the app says as it is about to make words for the wheel that is shown. */
async function wordsFor(phone: Phone): Promise<Said> {
  const { member, next_number: number, next_commit: commit } = await phone.client.must(wheelSeeds);
  const table = tableHash(await phone.client.must(luckdrawList));
  return { app: `words: ${await phone.watcher.answer("pair", { member, number, commit, table })}` };
}

/** The house has heard mia's next words, and makes a table in which they win nothing. */
async function suitATable({ deps }: Site): Promise<void> {
  const seeds = new WheelSeeds(deps);
  await deps.db.transact(async (tx) => {
    const poor = { title: "Nothing", memo: "", image: "/x.svg", kind: "thanks", amount: 0, weight: 1 } as const;
    await setPrizes(tx, deps, [{ id: "poor", ...poor }]);
    const begun = { words: "mias-next-words", wordsBy: "member" as const, table: (await readTable(tx))! };
    await beginPair(tx, deps, seeds, MIA, begun);
    await spinAll(tx, deps, seeds, [{ memberId: MIA }]);
  });
  await deps.publicLog.advance();
}

type Past = NonNullable<ReplyOf<typeof wheelSeeds>["previous"]>;

/** The house shows mia's public pair changed. */
const shows =
  (change: (pair: Past) => Past | null, on: (stage: Stage) => Promise<Phone> = async ({ phone }) => phone) =>
  async (stage: Stage): Promise<Said> => {
    const phone = await on(stage);
    const said = await phone.checkWheel((seeds) => ({ ...seeds, previous: change(seeds.previous!) }));
    return { app: said.join("\n") };
  };

/** Another phone of mia's, which never saw her pairs. */
async function newPhone(stage: Stage): Promise<Phone> {
  const phone = await stage.another();
  phone.hasPairs = false;
  await phone.visit(GAME);
  return phone;
}

/** A spin that could give nothing but this. */
const wonBy =
  (id: string) =>
  (spin: Past["spins"][number]): Past["spins"][number] => ({ ...spin, id, prizes: [{ id, weight: 1 }] });

const NOT_DRAWN = /^spin \d of pair 5 was not drawn from the table of its pair$/m;

export const wheel: Plays = {
  "insert-a-winner": {
    data: `insert into wheel_pairs (member_id, number, "commit", nonce, created_at, words, words_by, table_id, table_hash)
        select 3, 0, '${OTHER}', 1, created_at, 'her-words', 'member', table_id, table_hash from wheel_pairs where id = ${PAIR.open};
      insert into spins (member_id, pair_id, nonce, table_id, prize_id, kind, amount, price, won, created_at)
        select 3, (select max(id) from wheel_pairs), 0, table_id, prize_id, kind, amount, price, won, created_at
        from spins where id = 1`,
    now: { audit: /^pair \d+: its commit does not follow from the master key$/m },
  },
  "edit-the-chances": {
    data: async (forger) => {
      const { prizes } = await forger.one<{ prizes: string }>(
        "select cast(prizes as text) as prizes from wheel_tables",
      );
      const rows = JSON.parse(prizes) as { id: string; weight: number }[];
      const other = rows.map((row) => (row.id === "thanks" ? { ...row, weight: 7 } : row));
      await forger.run(`update wheel_tables set prizes = ${forger.json(JSON.stringify(other))}`);
    },
    now: { audit: /: its table is not the one that its words were bound to$/m, app: /^wheel: otherTable$/m },
  },
  "grind-a-pairs-number": {
    data: `update wheel_pairs set number = 104972 where id = ${PAIR.miasNext}`,
    now: { audit: /^member 1: their pairs are not numbered in a row$/m },
  },
  "edit-a-members-words": {
    data: `update wheel_pairs set words = 'better-words' where id = ${PAIR.miasPublic}`,
    now: { audit: /^spin \d of pair 4: the seed gives another prize$/m, app: /^wheel: otherWords$/m },
  },
  "unmake-a-spin": {
    data: `delete from spins where pair_id = ${PAIR.miasOpen} and nonce = 2;
      update wheel_pairs set nonce = 2 where id = ${PAIR.miasOpen}`,
    now: { audit: /^the log's spin, leaf \d+ of member 1, has no spin in the tables$/m },
  },
  "edit-a-revealed-seed": {
    data: async (forger) => {
      const { facts } = await forger.one<{ facts: string }>(
        "select cast(facts as text) as facts from messages where kind = 'wheel.revealed' and member_id = 1",
      );
      const other = JSON.stringify({ ...(JSON.parse(facts) as object), seed: OTHER });
      await forger.run(
        `update messages set facts = ${forger.json(other)} where kind = 'wheel.revealed' and member_id = 1`,
      );
    },
    now: { audit: /^pair 4: its seed is not the committed one$/m },
  },
  "make-the-secret-after-the-words": {
    data: `update wheel_pairs set "commit" = '${OTHER}' where id = ${PAIR.miasOpen}`,
    now: { audit: /^pair 5: its commit does not follow from the master key$/m, app: /^wheel: otherCommit$/m },
  },
  "give-one-number-two-secrets": {
    data: `update wheel_pairs set "commit" = '${OTHER}' where id = ${PAIR.miasNext}`,
    now: { app: /^wheel: otherCommit$/m },
  },
  "choose-the-members-words": {
    data: `update wheel_pairs set words = 'words-of-the-house' where id = ${PAIR.miasOpen}`,
    now: { app: /^wheel: otherWords$/m },
  },
  "skip-a-winning-spin": {
    data: `update wheel_pairs set nonce = nonce + 1 where id = ${PAIR.miasOpen}`,
    now: { audit: /^pair 5: 3 spins, it counts 4$/m },
  },
  "draw-from-another-table": {
    data: async (forger) => {
      const { prizes } = await forger.one<{ prizes: string }>(
        "select cast(prizes as text) as prizes from wheel_tables",
      );
      const poorer = forger.json(prizes.replace("500", "400"));
      await forger.run(`insert into wheel_tables (prizes, created_at) select ${poorer}, created_at from wheel_tables;
        update spins set table_id = 2, prize_id = 'thanks', kind = 'thanks', amount = 0
          where pair_id in (${PAIR.miasOpen}, ${PAIR.miasPublic})`);
    },
    now: { audit: NOT_DRAWN, app: /^wheel: (table|prize)$/m },
  },
  "show-a-commit-in-no-head": {
    live: async (stage) => {
      const { leaves } = await stage.end();
      const next = leaves.findLast(({ content }) => content.includes('"kind":"pair"'))!;
      const { pair, next_commit: commit } = JSON.parse(next.content) as { pair: number; next_commit: string };
      const phone = await stage.another();
      phone.lies.mine = (truth) => ({ ...truth!, leaves: truth!.leaves.map((one) => ({ ...one, place: null })) });
      const table = tableHash(await phone.client.must(luckdrawList));
      const asked = { member: phone.owner!.member, number: pair, commit, table };
      const [held, told] = [await phone.watcher.answer("pair", asked), await stage.phone.watcher.answer("pair", asked)];
      return { app: `with that head ${told}, without it ${held}` };
    },
    now: { app: /^with that head told, without it waits$/ },
  },
  "refuse-words-until-better-ones-come": {
    live: async ({ phone }) => {
      const seeds = { ...(await phone.client.must(wheelSeeds)), member: "mem_refused" };
      const first = wordsForNext(seeds);
      keepSent(seeds, first.words, undefined);
      const again = [wordsForNext(seeds), wordsForNext(seeds)];
      return { app: again.every((one) => one.words === first.words && one.isSent) ? "sends the same words again" : "" };
    },
    now: { app: /^sends the same words again$/ },
  },
  "call-a-prize-exhausted": {
    data: async (forger) => {
      const { prizes } = await forger.one<{ prizes: string }>(
        "select cast(prizes as text) as prizes from wheel_tables",
      );
      const rows = JSON.parse(prizes) as { id: string }[];
      const left = forger.json(JSON.stringify(rows.filter(({ id }) => id !== "five")));
      await forger.run(`insert into wheel_tables (prizes, created_at) select ${left}, created_at from wheel_tables;
        update spins set table_id = 2, prize_id = 'thanks', kind = 'thanks', amount = 0
          where pair_id in (${PAIR.miasOpen}, ${PAIR.miasPublic})`);
    },
    now: { audit: NOT_DRAWN, app: /^wheel: (table|prize)$/m },
  },
  "take-words-for-a-table-in-no-head": [
    {
      data: (forger) => forger.serve(suitATable),
      now: { audit: /^the log's spin, leaf \d+ of member 1: no head before held the table of its words$/m },
    },
    {
      how: "and shows it before the words",
      live: async ({ phone }) => {
        phone.lies.table = () => null;
        return wordsFor(phone);
      },
      now: { app: /^words: noTable$/m },
    },
  ],
  "show-other-chances-than-are-logged": {
    live: async ({ phone }) => {
      phone.lies.table = (truth) => truth && { ...truth, leaf: truth.leaf.replace(/"weight":\d+/, '"weight":9') };
      return wordsFor(phone);
    },
    now: { app: /^words: noTable$/m },
  },
  "show-a-past-pair-otherwise": [
    {
      how: "with chances of its own for each spin, and without a table",
      live: shows((pair) => ({ ...pair, table: null, spins: pair.spins.map(wonBy("thanks")) })),
      now: { app: /^wheel: otherTable$/m },
    },
    {
      how: "as one from the time when nothing bound the words, to a phone that kept nothing",
      live: shows(
        (pair) => ({ ...pair, table: null, words_by: null, spins: pair.spins.map(wonBy("thanks")) }),
        newPhone,
      ),
      now: { app: /^wheel: prize$/m },
    },
    {
      how: "without its last spin",
      live: shows((pair) => ({ ...pair, spins: pair.spins.slice(0, -1) })),
      now: { app: /^wheel: spins$/m },
    },
    {
      how: "without any spin, to a phone that kept nothing",
      live: shows((pair) => ({ ...pair, spins: [] }), newPhone),
      now: { app: /^wheel: spins$/m },
    },
    { how: "not at all", live: shows(() => null), now: { app: /^wheel: unshown$/m } },
    {
      how: "in the place of the one that it is to show",
      live: shows((pair) => ({ ...pair, number: pair.number - 1 })),
      now: { app: /^wheel: unshown$/m },
    },
  ],
  "charge-more-for-a-spin": {
    data: "update transfers set amount = amount + 100 where cause = 'wheel:1:1:1' and code = 'spin'",
    now: { audit: /^spin 1 of pair 5: its transfers are not what it cost and won$/m },
  },
  "keep-a-prize-back": {
    // Nobody can choose which spins win: of all that were made here, some did.
    data: "delete from transfers where code = 'prize'",
    now: { audit: /^spin \d+ of pair \d+: its transfers are not what it cost and won$/m },
  },
};
