import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { lockMember } from "#server/domains/account/change-status.ts";
import { verifyExport } from "#server/verify/export.ts";
import { HOUR_MS } from "#shared/time.ts";
import { documentOf } from "../../support/api-document.ts";
import { program } from "../../support/program.ts";
import { withConnection } from "../../support/own-connection.ts";
import { ENGINE } from "../../support/databases.ts";
import type { Player } from "../../support/world.ts";
import { furnishedWorld, type Furnished } from "../http/furnished.ts";
import { ExportFolder, exported, fetchExport, type ExportedFile } from "./exported.ts";

const folder = new ExportFolder();
afterAll(() => folder.clear());
let site: Furnished;
beforeAll(async () => {
  site = await furnishedWorld();
});
afterAll(() => site.w.close());
// Each member may export ten times an hour.
afterEach(() => site.w.pass(2 * HOUR_MS));

const fetchOwn = (format: string, player: Player = site.mia) => fetchExport(site.w, player, format);
const json = (player: Player = site.mia) => exported(site.w, player);

const key = async () => (await site.w.call("/fair/export-key")).data.key;
const verdictOn = async (bytes: Uint8Array) => verifyExport(folder.keep(bytes), await key());

describe("the signature of an export", () => {
  it.each(["json", "csv"])("holds for %s, and for no file with a byte changed, cut or added", async (format) => {
    const { rawPayload } = await fetchOwn(format);
    expect(await verdictOn(rawPayload)).toBe("genuine");
    for (const at of [0, 50, Math.floor(rawPayload.length / 2), rawPayload.length - 330]) {
      const changed = Buffer.from(rawPayload);
      changed[at]! ^= 1;
      expect(await verdictOn(changed)).toBe("changed");
    }
    expect(await verdictOn(Buffer.concat([Buffer.from(" "), rawPayload]))).toBe("changed");
    expect(await verdictOn(Buffer.concat([rawPayload, Buffer.from("\n")]))).toBe("unsigned");
    expect(await verdictOn(rawPayload.subarray(0, rawPayload.length - 40))).toBe("unsigned");
    expect(await verdictOn(rawPayload.subarray(rawPayload.lastIndexOf(10, -2) + 1))).toBe("unsigned");
    expect(await verifyExport(folder.keep(rawPayload), "ab".repeat(32))).toBe("changed");
  });

  it("is checked by the command, with the server's key or a supplied one", async () => {
    const { rawPayload } = await fetchOwn("csv");
    const address = await site.w.listen();
    const run = (...words: string[]) =>
      new Promise<[number, string]>((resolve) => {
        execFile(process.execPath, [...program("server/verify.ts"), "export", ...words], (error, out, err) =>
          resolve([Number(error?.code ?? 0), out + err]),
        );
      });
    const good = folder.keep(rawPayload);
    expect(await run(good, "--url", address)).toEqual([0, expect.stringContaining("genuine: every byte")]);
    expect(await run(good, "--key", await key())).toEqual([0, expect.stringContaining("genuine: every byte")]);
    const bad = folder.keep(Buffer.concat([Buffer.from("x"), rawPayload]));
    expect(await run(bad, "--url", address)).toEqual([1, expect.stringContaining("NOT genuine")]);
    expect((await run(good, "--key", "12"))[0]).toBe(2);
    expect((await run(join(folder.folder, "none"), "--key", await key()))[0]).toBe(1);
  });

  it("stays good after a restart: the key derives from the master key", async () => {
    const { rawPayload } = await fetchOwn("json");
    const before = await key();
    await site.w.restart();
    expect(await key()).toBe(before);
    expect(await verdictOn(rawPayload)).toBe("genuine");
  });
});

describe("access to exports", () => {
  it("needs a session, also of a locked member; a refusal is an envelope", async () => {
    const url = "/api/member/export?format=json";
    const plain = { "x-data-encoding": "json", lang: "en_us" };
    const guest = await site.w.site.app.inject({ url, headers: plain });
    expect([guest.statusCode, guest.json<{ code: number }>().code]).toEqual([200, 401]);
    const liv = await site.w.player("liv_1");
    await site.w.deps.db.transact((tx) => lockMember(tx, site.w.deps, liv.memberId, true));
    expect((await json(liv)).account!.find(({ kind }) => kind === "status")).toMatchObject({ status: "locked" });
    for (const wrong of ["?format=xml", "?format=", "", "?format=json&format=csv"]) {
      const { code, fields } = await liv.call(`/member/export${wrong}`);
      expect([code, Object.keys(fields!)]).toEqual([400, ["format"]]);
    }
  });

  it("is limited to ten an hour", async () => {
    const sam = await site.w.player("sam_1");
    for (let i = 0; i < 10; i++) expect((await fetchOwn("csv", sam)).statusCode).toBe(200);
    const { statusCode, headers } = await fetchOwn("csv", sam);
    expect([statusCode, headers["retry-after"]]).toEqual([429, "3600"]);
    expect((await fetchOwn("csv")).statusCode).toBe(200);
    site.w.pass(HOUR_MS);
    expect((await fetchOwn("csv", sam)).statusCode).toBe(200);
  });

  it("makes no export for a HEAD request", async () => {
    const { app } = site.w.site;
    const headers = { token: Buffer.from(site.mia.token).toString("base64") };
    expect((await app.inject({ method: "HEAD", url: "/api/member/export?format=csv", headers })).statusCode).toBe(404);
  });

  it("is documented, as a file", async () => {
    const { paths } = await documentOf(site.w.site.app);
    const said = paths["/api/member/export"]!;
    expect(Object.keys(said)).toEqual(["get"]);
    expect(Object.keys(said.get!.responses["200"]!.content!)).toEqual(["application/json", "text/csv"]);
    expect(said.get!.parameters!.at(-1)).toMatchObject({ name: "format", in: "query" });
  });
});

describe("a member with a long history", () => {
  const MANY = 60_000;

  /** Credits of one point, one after another, as the ledger records them. */
  const addHistory = (memberId: number) =>
    withConnection(site.w.config.database, async ({ run }) => {
      await run(`with recursive versions (version) as (select 2 union all select version + 1 from versions where version < ${MANY})
        insert into transfers (code, cause, debit, credit, amount, member_id, version, balance_after, created_at)
        select 'credit', 'ada:' || version, 'house:operator', 'member:${memberId}', 100, ${memberId}, version,
        version * 100, ${site.w.now()} from versions`);
      await run(`insert into journal_index (member_id, version, kind, row_id)
        select member_id, version, 'transfer', id from transfers where member_id = ${memberId} and version > 1`);
      // All at once, which the guard of the wallets would refuse.
      await run(
        { sqlite: "drop trigger wallets_version", postgres: "alter table wallets disable trigger user" }[ENGINE],
      );
      await run(`update wallets set balance = ${MANY * 100}, version = ${MANY} where member_id = ${memberId}`);
    });

  it("is streamed in small pieces, stops when its reader goes, and delays no other request", async () => {
    const { w } = site;
    const ada = await w.player("ada_1", { balance: 1 });
    await addHistory(ada.memberId);
    const address = await w.listen();
    const headers = { token: Buffer.from(ada.token).toString("base64") };
    const url = `${address}/api/member/export?format=json`;
    const aborted = new AbortController();
    const cut = await fetch(url, { headers, signal: aborted.signal });
    await cut.body!.getReader().read();
    expect((await fetch(url, { headers })).status).toBe(429);
    aborted.abort();
    const again = async () => {
      const answer = await fetch(url, { headers });
      await answer.arrayBuffer();
      return answer.status;
    };
    await expect.poll(again).toBe(200);

    let longest = 0;
    // The processor's time of this thread: what else the machine does is no block.
    const ownMs = () => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1_000;
    };
    let last = ownMs();
    const beat = setInterval(() => {
      longest = Math.max(longest, ownMs() - last);
      last = ownMs();
    }, 1);
    const { body } = await fetchOwn("json", ada);
    clearInterval(beat);
    expect((JSON.parse(body) as ExportedFile).entries).toHaveLength(MANY);
    expect(longest).toBeLessThan(400);
  });
});
