import { execFile } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bankAccounts, logKeys, masterKeys, memberLeaves, members } from "#db/schema/index.ts";
import { adoptMasterKeys } from "#server/config/master-key.ts";
import { makeRecoveryCodes, spendRecoveryCode } from "#server/domains/account/recovery-codes.ts";
import { openNumber } from "#server/domains/account/seal-number.ts";
import { verifyExport } from "#server/verify/export.ts";
import { failedChecks, type DrawnRound } from "#shared/lottery/fairness.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { problemsOf } from "../../support/audited.ts";
import { beProven } from "../../support/credentials.ts";
import { program } from "../../support/program.ts";
import type { Player, World } from "../../support/world.ts";
import { ask } from "../admin/operate.ts";
import { ExportFolder, fetchExport } from "../member/exported.ts";
import { begin, pairOf, spin } from "../wheel/wheel-world.ts";
import { bet, DAY_START, move, NUMBER, owner, PASSWORD, RING, ringWorld, TWO, until, withKeys } from "./ring-world.ts";

let w: World;
let mia: Player;
beforeEach(async () => {
  w = await ringWorld();
  mia = await owner(w, "mia_1");
});
afterEach(() => w.close());

const sealed = async () => (await w.deps.db.read.select().from(bankAccounts))[0]!.sealed;
const fair = async (expect: string): Promise<DrawnRound> => {
  const { data } = await w.call("/fair/round", { key: "k3-1m", expect }, { method: "GET" });
  const own = { gameKey: "k3-1m", round: expect, signature: data.beacon_signature, dice: data.opencode! };
  return { ...data, ...own, commit: data.commit!, seed: data.seed! };
};
const logIn = () => w.call("/member/doLogin", { username: "mia_1", password: PASSWORD });
const status = () => ask<{ id: number; state: string; left: string }[]>({ env: w.env }, "keys:status");

const verify = (...words: string[]) =>
  new Promise<[number, string]>((resolve) => {
    execFile(process.execPath, [...program("server/verify.ts"), ...words], (error, out, err) =>
      resolve([Number(error?.code ?? 0), out + err]),
    );
  });

describe("a site whose master key is replaced", () => {
  it("lives through the day: what was sealed, promised and signed before holds", async () => {
    const folder = new ExportFolder();
    expect((await bet(mia, "20260302-0001", "before")).code).toBe(200);
    await beProven(w, mia.memberId);
    const old = folder.keep((await fetchExport(w, mia, "json")).rawPayload);
    const codes = await w.deps.db.transact((tx) => makeRecoveryCodes(tx, w.deps, mia.memberId));
    await w.live(2 * MINUTE_MS);

    await withKeys(w, RING);
    const known = await w.deps.db.read.select().from(masterKeys).orderBy(masterKeys.id);
    expect(known.map(({ id, fromDay }) => [id, fromDay * DAY_MS])).toEqual([
      [1, 0],
      [2, DAY_START],
    ]);
    // Nothing changes before the day.
    await move(w);
    expect(await sealed()).not.toContain(".");
    await until(w, DAY_START - 30_000);
    const last = await bet(mia, "20260311-1440", "over-midnight");
    expect(last.code).toBe(200);
    await until(w, DAY_START + 1_000);
    // The same bet, sent again after midnight, is the same bet.
    expect((await bet(mia, "20260311-1440", "over-midnight")).data.id).toBe(last.data.id);
    expect((await bet(mia, "20260312-0001", "after")).code).toBe(200);
    await w.live(2 * MINUTE_MS);
    for (const round of ["20260302-0001", "20260311-1440", "20260312-0001"])
      expect(failedChecks(await fair(round))).toEqual([]);

    await move(w);
    expect(await sealed()).toMatch(/^2\./);
    expect(openNumber(w.deps, mia.memberId, await sealed())).toBe(NUMBER);
    const leaves = await w.deps.db.read.select().from(memberLeaves);
    expect(leaves.filter(({ key }) => key.startsWith("bank:")).map(({ content }) => content)).toEqual([
      expect.stringContaining('"account":"2.'),
    ]);
    expect((await w.deps.db.read.select().from(logKeys))[0]!.sealedKey).toMatch(/^2\./);

    // Passwords and passcodes are renewed as they are used; recovery codes stay good.
    expect((await logIn()).code).toBe(200);
    const [member] = await w.deps.db.read.select().from(members);
    expect(member!.passwordHash).toMatch(/^p2\$/);
    expect(member!.payPinHash).toMatch(/^p1\$/);
    expect(await w.deps.db.transact((tx) => spendRecoveryCode(tx, w.deps, mia.memberId, codes[0]!))).toBe(true);

    // Exports of both times verify with the keys that the site names.
    await beProven(w, mia.memberId);
    const fresh = folder.keep((await fetchExport(w, mia, "json")).rawPayload);
    const { key, keys } = (await w.call("/fair/export-key", {}, { method: "GET" })).data;
    expect(keys).toEqual([
      { key: expect.any(String), from: null },
      { key, from: "20260312" },
    ]);
    expect(await verifyExport(old, keys[0]!.key)).toBe("genuine");
    expect(await verifyExport(fresh, key)).toBe("genuine");
    const address = await w.listen();
    for (const file of [old, fresh])
      expect(await verify("export", file, "--url", address)).toEqual([
        0,
        expect.stringContaining("genuine: every byte"),
      ]);
    expect(await verify("export", old, "--key", key)).toEqual([1, expect.stringContaining("NOT genuine")]);
    folder.clear();
    expect(await problemsOf(w)).toEqual([]);
  });

  it("ends the wheel's open pairs first, and draws no spin from a seed of the old key", async () => {
    const words = await pairOf(mia);
    await w.deps.publicLog.advance();
    expect((await begin(mia, "my-words", words.next_commit)).code).toBe(200);
    const before = await spin(mia, undefined, { commit: words.next_commit });
    expect(before.code).toBe(200);
    const waiting = await pairOf(mia);
    await withKeys(w, RING);
    await until(w, DAY_START + 1_000);
    // The pair in use is over, and its seed public; nothing is drawn from it.
    expect((await spin(mia, undefined, { commit: words.next_commit })).code).not.toBe(200);
    const shown = await pairOf(mia);
    expect([shown.number, shown.previous?.commit]).toEqual([null, words.next_commit]);
    // Words that a device sends for the commit that it keeps end that pair with these words, and without a spin.
    const table = shown.previous!.table!.hash;
    const asked = { client_seed: "sent-words", commit: waiting.next_commit, table };
    expect((await spin(mia, undefined, asked)).reason).toBe("prizes.changed");
    expect((await begin(mia, "sent-words", waiting.next_commit)).code).toBe(200);
    const after = await pairOf(mia);
    expect(after.previous).toMatchObject({
      commit: waiting.next_commit,
      client_seed: "sent-words",
      words_by: "member",
      spins: [],
    });
    expect(after.number).toBeNull();
    await w.deps.publicLog.advance();
    expect((await begin(mia, "new-words", after.next_commit)).code).toBe(200);
    expect((await spin(mia, undefined, { commit: after.next_commit })).code).toBe(200);
    await w.settle();
    expect(await problemsOf(w)).toEqual([]);
  });

  it("lets the old key go once nothing needs it, and refuses to start without it before", async () => {
    await pairOf(mia);
    await withKeys(w, RING);
    const without = () => adoptMasterKeys(w.deps.db, { ...w.config, masterKey: `${TWO}@2026-03-12` });
    expect((await status()).map(({ id }) => id)).toEqual([1, 2]);
    await until(w, DAY_START + 1_000);
    await w.live(MINUTE_MS);
    await expect(without()).rejects.toThrow(
      /^MASTER_KEY lacks the key [0-9a-f]{16}, which this database still needs: 1 bank accounts, /,
    );
    await until(w, DAY_START + DAY_MS + MINUTE_MS);
    await until(w, DAY_START + 3 * DAY_MS + MINUTE_MS);
    for (let i = 0; i < 20; i++) await w.live(MINUTE_MS);
    await move(w);
    await logIn();
    expect((await status())[0]!.left).toBe("1 passcodes");
    await w.deps.db.transact((tx) => tx.update(members).set({ payPinHash: null }));
    expect((await status())[0]!.left).toBe("nothing");
    await withKeys(w, `${TWO}@2026-03-12`);
    expect(openNumber(w.deps, mia.memberId, await sealed())).toBe(NUMBER);
    expect(await problemsOf(w)).toEqual([]);
  });
});
