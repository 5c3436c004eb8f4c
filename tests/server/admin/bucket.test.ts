import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pngOf } from "../../support/pictures.ts";
import { program } from "../../support/program.ts";
import { S3Server } from "../../support/s3-server.ts";
import { ServerHere } from "../../support/server-here.ts";
import { makeClip } from "../video/clips.ts";

let s3: S3Server;
let server: ServerHere;

beforeAll(async () => {
  s3 = await S3Server.start();
  server = await ServerHere.start({ games: [], env: s3.env() });
});
afterAll(async () => {
  await server.close();
  await s3.close();
});

const at = (name: string) => join(server.folder, name);
interface Answer {
  vod_play_url: string;
  vod_pic: string;
  banners: { url: string }[];
}
const ask = async (path: string) => {
  const response = await fetch(server.address + path, { headers: { "x-data-encoding": "json" } });
  return (await response.json()) as { data: Answer };
};

/** Starts the server as an operator does, which must fail. */
const startRefused = (env: Record<string, string>) =>
  new Promise<{ exit: number; out: string }>((resolve) => {
    const whole = { PATH: process.env.PATH ?? "", PORT: "0", DEMO: "0", DATA_DIR: at("refused"), ...env };
    execFile(process.execPath, program("server/main.ts"), { env: whole }, (error, out) =>
      resolve({ exit: Number(error?.code), out }),
    );
  });

describe("an operator's command on a bucket", () => {
  it("publishes a video that the server plays, and removes it with all its files", async () => {
    makeClip(at("clip.mp4"), { seconds: 2, rate: 10 });
    expect((await server.command("video:category", "sea", "Sea")).code).toBe(0);
    const imported = await server.command("video:import", at("clip.mp4"), "--title", "Bars", "--category", "sea");
    expect(imported).toMatchObject({ code: 0, out: expect.stringContaining("vid_1 is published") });
    const { data } = await ask("/api/video/getVideoInfo?id=vid_1");
    const folder = data.vod_play_url.replace(/index\.m3u8$/, "");
    const playlist = await (await fetch(`${server.address}${folder}0.m3u8`)).text();
    const first = playlist.split("\n").find((line) => line.endsWith(".m4s"));
    const part = await fetch(`${server.address}${folder}${first}`, { headers: { range: "bytes=4-7" } });
    expect([part.status, await part.text()]).toEqual([206, expect.stringMatching(/^[a-z]{4}$/)]);
    expect((await fetch(server.address + data.vod_pic)).status).toBe(200);
    expect((await server.command("video:remove", "vid_1")).code).toBe(0);
    expect((await fetch(server.address + data.vod_pic)).status).toBe(403);
    expect((await fetch(`${server.address}${folder}${first}`)).status).toBe(403);
  });

  it("adds pictures that the server shows; nothing is in the folder", async () => {
    writeFileSync(at("banner.png"), await pngOf(900, 400));
    expect(await server.command("banner:add", at("banner.png"))).toMatchObject({ code: 0 });
    const { data } = await ask("/api/system/config");
    const picture = await fetch(server.address + data.banners[0]!.url);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect(existsSync(at("data/files"))).toBe(false);
  });

  it("that needs no files sends the bucket no request", async () => {
    const before = s3.asked.length;
    expect((await server.command("member:list")).code).toBe(0);
    expect(s3.asked).toHaveLength(before);
  });

  it("is refused with the reason while the bucket is away", async () => {
    s3.trouble = (_, response) => {
      response.writeHead(503).end();
      return true;
    };
    const { code, out } = await server.command("banner:add", at("banner.png"));
    s3.trouble = null;
    expect([code, out]).toEqual([1, expect.stringMatching(/^failed: .*s3:\/\/trio.*HTTP 503/)]);
  });
});

describe("a server whose bucket cannot be used", () => {
  it.each([
    ["is not there", { STORAGE: "s3://elsewhere" }, "NoSuchBucket"],
    ["is out of reach", { S3_ENDPOINT: "http://127.0.0.1:1" }, "ECONNREFUSED"],
    ["knows no such key", { S3_ACCESS_KEY_ID: "nobody" }, "InvalidAccessKeyId"],
  ])("does not start when it %s, and says so", async (_, wrong, why) => {
    const { exit, out } = await startRefused({ ...s3.env(), S3_SECRET_ACCESS_KEY: "never-to-be-seen", ...wrong });
    expect([exit, out]).toEqual([1, expect.stringMatching(/"msg":"Trio could not start: STORAGE at http/)]);
    expect(out).toContain(why);
    expect(out).not.toContain("never-to-be-seen");
    expect(existsSync(at("refused"))).toBe(false);
  });
});
