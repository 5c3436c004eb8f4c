import { generateKeyPairSync, sign } from "node:crypto";
import type { Plays } from "../play.ts";
import type { Stage } from "../trial/stage.ts";
import { siteFiles } from "#server/verify/log-files.ts";
import { fairHead } from "#shared/contract/log.ts";
import { checkpointText, parseCheckpoint } from "#shared/log/checkpoint.ts";
import { keyOf, keyText, noteText, parseNote, signNote, type Signer } from "#shared/log/note.ts";
import type { LogFiles } from "#shared/log/read-tiles.ts";
import { anotherWorld, unpay } from "./all-that-follows.ts";
import { FORKED } from "./finders.ts";
import { EARLIER, FIRST, GAME, LAST, NILS } from "./ids.ts";
import { edited, followed } from "./leaves.ts";

/** The end of a pause that nobody announced. */
const RESUME = { kind: "resume", game: GAME, from: "20260304-0009" } as const;

/** The newest head with another root, signed by the true key. */
async function secondTree(stage: Stage): Promise<string> {
  const note = await newest(stage);
  const head = parseCheckpoint(parseNote(note)!.text)!;
  const text = checkpointText({ ...head, root: head.root.map((byte) => byte ^ 1) });
  return noteText(signNote({ text, signatures: [] }, await stage.signer()));
}

const newest = async ({ phone }: Stage): Promise<string> => (await phone.client.must(fairHead)).head!;

const reads =
  (path: string, file: (truth: Uint8Array) => Uint8Array | null) =>
  (truth: LogFiles): LogFiles => ({
    async read(name, most) {
      const content = await truth.read(name, most);
      return content && name.startsWith(path) ? file(content) : content;
    },
  });

/** The same files, but for one. */
const instead = (truth: LogFiles, name: string, content: string): LogFiles => ({
  read: async (path, most) => (path === name ? new TextEncoder().encode(content) : truth.read(path, most)),
});

/** A key that bears the log's name, and that the log's own never confirmed. */
async function strangeSigner(stage: Stage): Promise<Signer> {
  const { key } = await stage.signer();
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { x } = publicKey.export({ format: "jwk" });
  return { key: keyOf(key.name, Buffer.from(x!, "base64url")), sign: (message) => sign(null, message, privateKey) };
}

const flipped = (file: Uint8Array) => Uint8Array.from(file, (byte, i) => (i === 40 ? byte ^ 1 : byte));

const strangerOf = async ({ site }: Stage, change: (truth: LogFiles) => LogFiles) => ({
  verifier: await site.watchers.strangerReads(change(siteFiles(site.address))),
  witness: await site.watchers.sayTo(change(siteFiles(site.address)), "behind"),
});

export const log: Plays = {
  "answer-from-another-database": { data: anotherWorld, now: FORKED },
  "fork-for-one-member": {
    data: anotherWorld,
    now: { "two-members": FORKED["two-members"]!, witness: FORKED.witness! },
  },
  "fork-by-browser": {
    data: anotherWorld,
    now: { "two-members": FORKED["two-members"]!, witness: FORKED.witness! },
  },
  "feed-the-witness-a-clean-log": {
    data: anotherWorld,
    now: { app: FORKED.app!, "two-members": FORKED["two-members"]! },
  },
  "run-a-tamed-audit": {
    data: "update wallets set balance = balance + 5000 where member_id = 2",
    now: { audit: /^wallet of member 2: its rows sum to \d+, the balance is \d+$/m },
  },
  "delay-a-members-heads": {
    live: async (stage) => ({ app: await stage.closingTooLate() }),
    now: { app: /: 1$/ },
  },
  "fork-for-new-members": {
    data: async (forger) => {
      await forger.run("update bets set mask = 1 where id = 12");
      await unpay(forger, EARLIER.id, NILS, false);
      await forger.rewriteAll();
    },
    now: { "two-members": FORKED["two-members"]!, witness: FORKED.witness! },
  },
  "sign-two-trees-of-one-size": {
    live: async (stage) => {
      await stage.phone.hear(
        { type: "head", head: await newest(stage) },
        { type: "head", head: await secondTree(stage) },
      );
      await stage.phone.wait();
      await stage.phone.hear({ type: "head", head: await secondTree(stage) });
      return strangerOf(
        stage,
        reads("checkpoint", () => null),
      );
    },
    now: { app: /^found: fork$/m },
  },
  "shrink-the-log": { older: true, now: { app: /^found: noProof$/m } },
  "log-a-leaf-without-rows": {
    data: (forger) =>
      forger.relog({
        change: followed("draw", { round: LAST.name }, ({ drawn: at }) => ({ ...RESUME, at })),
      }),
    now: { audit: /^the log's resume of k3-1m from 20260304-0009 has no row$/m, witness: FORKED.witness! },
  },
  "leave-a-leaf-unnumbered": {
    data: `insert into log_leaves (log, key, text)
        values (1, 'zz', '{"at":1,"from":"20260304-0009","game":"k3-1m","kind":"resume"}');
      update rounds set opened_at = opened_at + 300000 where id = 14`,
    now: {
      audit: /^the log's resume of k3-1m from 20260304-0009 waits for its number: a server worked on for \d+ s$/m,
    },
  },
  "log-a-leaf-twice": {
    data: (forger) => forger.relog({ change: followed("open", { round: LAST.name }, (leaf) => leaf) }),
    now: {
      audit: /^the log states the open of round k3-1m 20260304-0003 twice, as leaf \d+ and as leaf \d+$/m,
      verifier: /says a second time what was said before/,
    },
  },
  "edit-a-logged-leaf": [
    {
      data: `update log_leaves set text = replace(text, '"bets":3', '"bets":2') where text like '%"kind":"close"%0304-0003%'`,
      now: {
        audit: /^the log's head of \d+ leaves has another root than its leaves$/m,
        verifier: /does not hold the hashes of the entries/,
      },
    },
    {
      how: "and makes the log anew",
      data: (forger) => forger.relog({ change: edited("close", { round: FIRST.name }, { bets: 2 }), asSaid: true }),
      now: { ...FORKED, audit: /^the log's close of round k3-1m 20260302-0001: bets is 2, the rows give 3$/m },
    },
  ],
  "serve-other-tiles-to-strangers": {
    live: (stage) => strangerOf(stage, reads("tile/0/", flipped)),
    now: { verifier: /does not hold the hashes of the entries/ },
  },
  "withhold-the-tiles": {
    live: (stage) =>
      strangerOf(
        stage,
        reads("tile/", () => null),
      ),
    now: { verifier: /is missing or has another length/, witness: /^refuses: tile\/\S+ is missing$/ },
  },
  "rotate-without-the-old-key": {
    live: async (stage) => {
      const signer = await strangeSigner(stage);
      const note = parseNote(await newest(stage))!;
      const signed = noteText(signNote({ text: note.text, signatures: [] }, signer));
      await stage.phone.hear({ type: "head", head: signed });
      return strangerOf(stage, (truth) =>
        instead(instead(truth, "checkpoint", signed), "key", `${keyText(signer.key)}\n`),
      );
    },
    now: {
      app: /^found: signature$/m,
      witness: /^refuses: /,
      verifier: /The first key does not have the hash|signed by another key/,
    },
  },
  "rotate-the-key-for-one-member": {
    data: async (forger) => {
      const reason = forger.json('{"en_us":"A new key"}');
      await forger.run(`insert into log_rotations (id, reason, created_at) values (1, ${reason}, ${forger.now})`);
      await forger.serve(async (site) => {
        for (let i = 0; i < 3; i++) await site.publicLog.advance();
      });
    },
    now: { "two-members": /^unsigned$/ },
  },
  "hand-out-another-key": {
    live: async (stage) => {
      const phone = await stage.another();
      const other = `${(await stage.signer()).key.name}+00000000+AQ==`;
      phone.lies.head = (truth) => ({ ...truth!, key: other });
      await phone.visit(GAME);
      const stranger = await stage.site.watchers.strangerReads(
        reads("key", () => new TextEncoder().encode(`${other}\n`))(siteFiles(stage.site.address)),
      );
      return { ...(await stage.saidBy(phone)), verifier: stranger };
    },
    now: { app: /^found: key$/m, verifier: /What stands as the log's key is none/ },
  },
};
