import { siteFiles } from "#server/verify/log-files.ts";
import { fairHead } from "#shared/contract/log.ts";
import { cosign } from "#shared/log/cosignature.ts";
import { COSIGNATURE_KEY, keyText, noteText, parseNote, signNote } from "#shared/log/note.ts";
import { logRotations } from "#db/schema/index.ts";
import { openCopy } from "../trial/serve-copy.ts";
import { SECOND_MS } from "#shared/time.ts";
import { signerOf } from "../../log/world.ts";
import type { Play, Plays } from "../play.ts";
import type { Stage } from "../trial/stage.ts";
import { anotherWorld } from "./all-that-follows.ts";
import { FORKED } from "./finders.ts";
import { GAME } from "./ids.ts";

/* Who signs heads beside the house, and when; and a house that signs no more. */

const [one, two] = ["one", "two"].map((word) => signerOf(`${word}.example/w`, COSIGNATURE_KEY, word)) as [
  ReturnType<typeof signerOf>,
  ReturnType<typeof signerOf>,
];
const PAGE = "https://house.example/Proof";
const wanted = (needed: number) => ({ keys: [one, two].map(({ key }) => keyText(key)), needed });

const newest = async ({ phone }: Stage): Promise<string> => (await phone.client.must(fairHead)).head!;
const witnessesOf = async ({ phone }: Stage) =>
  (await phone.watcher.answer("report", { member: phone.owner!.member, page: PAGE })).witnesses;

/** A head with the lines of both witnesses. */
function cosigned(head: string, seconds: number): string {
  const note = parseNote(head)!;
  const lines = [one, two].map((signer) => cosign(note.text, seconds, signer));
  return noteText({ ...note, signatures: [...note.signatures, ...lines] });
}

/** The last head names a time that is so far from that of a witness which signs as it is made. */
const datedBy =
  (ms: number): NonNullable<Play["live"]> =>
  async ({ site }) => {
    const seconds = Math.floor((site.w.now() - ms) / SECOND_MS);
    return { verifier: await site.watchers.strangerOf(siteFiles(site.address), one, seconds) };
  };

export const heads: Plays = {
  "starve-the-witnesses": {
    live: async (stage) => {
      const head = await newest(stage);
      const signed = stage.life.closing.head;
      await stage.phone.hear({ type: "head", head: cosigned(signed, 1_772_582_579), witnesses: wanted(2) });
      await stage.phone.hear({ type: "head", head });
      await stage.phone.wait();
      const { size, by } = await witnessesOf(stage);
      const { size: now } = await stage.phone.watcher.answer("report", { member: "", page: PAGE });
      const witness = await stage.site.watchers.sayLater(siteFiles(stage.site.address));
      return {
        app: `${by.length} signed until leaf ${size}, nobody but the house the ${now - size} after it`,
        witness,
      };
    },
    now: {
      app: /^2 signed until leaf \d+, nobody but the house the [1-9]\d* after it$/,
      witness: /^No head of \S+ came since /,
    },
  },
  "lower-the-number-of-witnesses": {
    live: async (stage) => {
      const head = await newest(stage);
      await stage.phone.hear({ type: "head", head, witnesses: wanted(2) });
      await stage.phone.hear({ type: "head", head, witnesses: wanted(1) });
      const { needed, mostNeeded } = await witnessesOf(stage);
      return { app: `${needed} has to sign, and ${mostNeeded} had` };
    },
    now: { app: /^1 has to sign, and 2 had$/ },
  },
  "play-its-own-witness": {
    data: anotherWorld,
    now: { "two-members": FORKED["two-members"]! },
  },
  "date-a-head-falsely": {
    live: datedBy(-3_600_000),
    now: { verifier: /^The head names \S+, and one\.example\/w signed it at \S+, 3\d{3} s later\.$/m },
  },
  "date-a-head-ahead": {
    live: datedBy(3_600_000),
    now: { verifier: /^The head names \S+, and one\.example\/w had signed it at \S+\.$/m },
  },
  "play-on-with-a-wrong-clock": {
    live: datedBy(7_200_000),
    now: { verifier: /^The head names \S+, and one\.example\/w had signed it at \S+\.$/m },
  },
  "log-a-kind-nobody-knows": {
    data: async (forger) => {
      await forger.run(`insert into log_leaves (log, key, text) values (1, 'zz', '{"at":1,"kind":"secret"}')`);
      await forger.serve(async (site) => {
        for (let i = 0; i < 3; i++) await site.publicLog.advance();
      });
    },
    now: { verifier: /is of an unknown kind or form, so nothing of this log is proven/ },
  },
  "sign-with-a-retired-key": {
    live: async (stage) => {
      const { copies, w } = stage.site;
      const old = await stage.signer();
      const place = await copies.tampered(async () => undefined);
      const copy = await openCopy(place, w.now());
      try {
        const reason = { en_us: "A new key" };
        await copy.deps.db.transact((tx) => tx.insert(logRotations).values({ reason, createdAt: w.now() }));
        for (let i = 0; i < 4; i++) await copy.publicLog.advance();
        stage.phone.address = await copy.app.listen({ host: "127.0.0.1", port: 0 });
        await stage.phone.visit(GAME);
        const head = parseNote(await newest(stage))!;
        const signed = noteText(signNote({ text: head.text, signatures: [] }, old));
        await stage.phone.hear({ type: "head", head: signed });
        await stage.phone.wait();
        return await stage.saidBy();
      } finally {
        await copy.close();
        await copies.drop();
      }
    },
    now: { app: /^found: signature$/m },
  },
  "replay-an-old-head": {
    live: async (stage) => {
      await stage.phone.hear({ type: "head", head: stage.life.closing.head });
      await stage.phone.wait();
      const old = stage.life.closing.head;
      stage.phone.lies.head = (truth) => ({ ...truth!, head: old });
      await stage.bet();
      await stage.result({ head: stage.life.result.head! + 3 });
      const { untold } = await stage.phone.counted();
      return { app: `rounds whose closing was not told in time: ${untold}` };
    },
    now: { app: /: [1-9]\d*$/ },
  },
};
