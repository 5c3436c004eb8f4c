import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeVideo } from "#server/domains/video/publish.ts";
import { pictureSrcset } from "#shared/picture.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { kick, lock, set } from "../../support/operator.ts";
import type { Player, World } from "../../support/world.ts";
import { everyEndpoint, send } from "../http/endpoints.ts";
import { goodInput } from "../http/furnished.ts";
import {
  activePlayer,
  fetchMedia,
  playing,
  read,
  statusesOf,
  twoVideos,
  video,
  type MadeVideo,
} from "./video-world.ts";

interface Card {
  id: string;
  vod_pic: string;
}

let w: World;
let film: MadeVideo;
let other: MadeVideo;
let mia: Player;
let noah: Player;

beforeAll(async () => {
  ({ w, film, other, mia, noah } = await twoVideos());
});
afterAll(() => w.close());

/** The address of the film's poster, as a list shows it. */
async function posterFor(token?: string, { id } = film): Promise<string> {
  const { list } = await read(w, "/video/getVideoList", {}, token);
  return (list as Card[]).find((card) => card.id === `vid_${id}`)!.vod_pic;
}
const statusOf = async (url: string) => (await fetchMedia(w, url)).status;
const folderOf = (url: string) => url.slice(0, url.lastIndexOf("/") + 1);
const passIn = (url: string) => /^\/media\/v\/(\d+)\.(\d+)\.([\w-]+)\//.exec(url)!.slice(1) as [string, string, string];

describe("the poster of a video", () => {
  it.each([
    ["a guest", () => undefined],
    ["a session without membership", () => noah.token],
    ["an active member", () => mia.token],
  ])("is shown to %s in every size, at addresses derived from one", async (_, token) => {
    const url = await posterFor(token());
    const all = (["avif", "webp"] as const).flatMap((format) => pictureSrcset(url, [320, 640], format).split(", "));
    const names = all.map((one) => one.split(" ")[0]!.slice(folderOf(url).length));
    expect(names.toSorted()).toEqual(film.poster.toSorted());
    for (const name of names) {
      const { status, headers, bytes } = await fetchMedia(w, folderOf(url) + name);
      expect([status, headers["content-type"], bytes.length]).toEqual([200, `image/${name.split(".")[1]}`, 2_000]);
      expect(headers["cache-control"]).toBe("private, max-age=5");
    }
  });

  it("is sent by parts, and not again to a client that has it", async () => {
    const url = await posterFor();
    const whole = (await fetchMedia(w, url)).bytes;
    const part = await fetchMedia(w, url, { range: "bytes=10-19" });
    expect([part.status, part.headers["content-range"]]).toEqual([206, "bytes 10-19/2000"]);
    expect(part.bytes.equals(whole.subarray(10, 20))).toBe(true);
    expect((await fetchMedia(w, url, { range: "bytes=2000-" })).status).toBe(416);
    const { etag } = (await fetchMedia(w, url, {}, "HEAD")).headers;
    expect((await fetchMedia(w, url, { "if-none-match": etag as string })).status).toBe(304);
  });

  it("is refused without a signature, with another's, another video's or a changed one", async () => {
    const [mine, theirs] = [await posterFor(mia.token), await posterFor()];
    const [session, expires, mac] = passIn(mine);
    const [, , guestMac] = passIn(theirs);
    const passes = [
      `${session}.${expires}.${guestMac}`,
      `0.${expires}.${mac}`,
      `${Number(session) + 1}.${expires}.${mac}`,
      `${session}.${Number(expires) + 1}.${mac}`,
      `${session}.${expires}.${"A".repeat(43)}`,
      "-",
    ];
    for (const pass of passes) {
      expect([pass, await statusesOf(w, `/media/v/${pass}/${film.id}/`, film.poster)]).toEqual([pass, new Set([403])]);
    }
    const swapped = folderOf(mine).replace(/\d+\/$/, `${other.id}/`);
    expect(await statusesOf(w, swapped, [...other.poster, ...film.poster])).toEqual(new Set([403]));
    expect(await statusesOf(w, folderOf(mine), other.poster)).toEqual(new Set([403]));
    for (const guess of ["poster.webp", "-640.webp", film.poster[0]!.replace("-320", "-1080")]) {
      expect(await statusOf(folderOf(mine) + guess)).toBe(403);
    }
    const open = ["/files/", "/files/pictures/..%2f..%2f", "/files/pictures/", "/media/", "/"];
    for (const path of open.flatMap((one) => [`${one}${film.folder}/`, one])) {
      for (const name of film.poster) expect([403, 404]).toContain(await statusOf(path + name));
    }
  });

  it("is gone with its video", async () => {
    const short = await video(w, "Short-lived");
    const url = await posterFor(undefined, short);
    expect(await statusOf(url)).toBe(200);
    await w.deps.db.transact((tx) => removeVideo(tx, w.deps, short.id));
    await w.site.relay.wake();
    expect(await statusOf(url)).toBe(403);
  });
});

describe("the address of a poster", () => {
  it("is the same for two and a half minutes, and valid for at least that and at most five", async () => {
    const until = (url: string) => Number(passIn(url)[1]) - w.now();
    w.pass(5 * MINUTE_MS - (w.now() % (5 * MINUTE_MS)));
    const first = await posterFor(mia.token);
    expect(until(first)).toBe(5 * MINUTE_MS);
    w.pass(2.5 * MINUTE_MS - 1);
    expect(await posterFor(mia.token)).toBe(first);
    w.pass(1);
    const next = await posterFor(mia.token);
    expect([next === first, until(first), until(next)]).toEqual([false, 2.5 * MINUTE_MS, 5 * MINUTE_MS]);
    w.pass(2.5 * MINUTE_MS - 1);
    expect([await statusOf(first), await statusOf(next)]).toEqual([200, 200]);
    w.pass(1);
    expect([await statusOf(first), await statusOf(next)]).toEqual([403, 200]);
  });

  it("stops within five seconds of a logout, a kick and a lock, and outlives a membership", async () => {
    const names = ["out_1", "kicked_1", "locked_1"];
    const [out, kicked, locked] = (await Promise.all(names.map((name) => activePlayer(w, name)))) as [
      Player,
      Player,
      Player,
    ];
    const ended = await activePlayer(w, "ended_1", 1);
    w.pass(DAY_MS - 1_000);
    const urls = await Promise.all([out, kicked, locked, ended].map(({ token }) => posterFor(token)));
    expect(await Promise.all(urls.map(statusOf))).toEqual([200, 200, 200, 200]);
    await out.call("/member/doLogout", {});
    await kick(w, kicked.memberId);
    await lock(w, locked.memberId, true);
    w.pass(4_000);
    expect(await Promise.all(urls.map(statusOf))).toEqual([403, 403, 403, 200]);
    // With an invalid token a member is a guest again.
    expect(passIn(await posterFor(kicked.token))[0]).toBe("0");
    expect(passIn(await posterFor(locked.token))[0]).toBe("0");
  });

  it("needs a session while guests see the login first", async () => {
    const [guests, members] = [await posterFor(), await posterFor(noah.token)];
    await set(w, "video_login", "1");
    expect([await statusOf(guests), await statusOf(await posterFor()), await statusOf(members)]).toEqual([
      403, 403, 200,
    ]);
    await set(w, "video_login", "0");
    expect(await statusOf(guests)).toBe(200);
  });
});

describe("a crawler over every endpoint", () => {
  /** Every address behind the gate in everything that a caller is answered. */
  async function addressesFor(token?: string): Promise<string[]> {
    const found: string[] = [];
    for (const { path, methods } of await everyEndpoint()) {
      if (methods.join() !== "GET") continue;
      const given = { ...(goodInput(w)[path] as Record<string, string> | undefined), id: `vid_${film.id}` };
      for (const input of [given, {}]) {
        const headers = { "x-data-encoding": "json" };
        const asked = { method: "GET", path: `${path}?${new URLSearchParams(input)}`, token, headers };
        const { text } = await send(w, asked).catch(() => ({ text: "" }));
        found.push(...(text.match(/\/media\/v\/[^"]+/g) ?? []));
      }
    }
    return found;
  }
  const sessionsIn = (urls: string[]) => new Set(urls.map((url) => passIn(url)[0]));

  it("gets addresses of its own session alone, whichever caller was answered just before", async () => {
    await mia.call("/video/place", { id: `vid_${film.id}`, position_ms: "8000" });
    const tokens = [undefined, mia.token, noah.token, undefined, noah.token];
    const answers: string[][] = [];
    for (const token of tokens) answers.push(await addressesFor(token));
    const sessions = answers.map(sessionsIn);
    expect(sessions.map(({ size }) => size)).toEqual(tokens.map(() => 1));
    expect(new Set(sessions.flatMap((all) => [...all])).size).toBe(3);
    expect([...sessions[0]!]).toEqual(["0"]);
    for (const urls of answers) expect(urls.filter((url) => url.endsWith(".webp")).length).toBeGreaterThanOrEqual(6);
  });

  it("finds no address of a video or its poster that opens while guests see the login first", async () => {
    const before = [...(await addressesFor()), await playing(w, film.id)];
    await set(w, "video_login", "1");
    const urls = [...before, ...(await addressesFor())];
    expect(urls.length).toBeGreaterThan(8);
    expect(new Set(await Promise.all(urls.map(statusOf)))).toEqual(new Set([403]));
    await set(w, "video_login", "0");
  });
});
