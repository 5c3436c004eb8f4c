import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UrlSigner } from "#server/domains/video/url-signer.ts";
import { MINUTE_MS } from "#shared/time.ts";
import type { Player, World } from "../../support/world.ts";
import {
  fetchMedia,
  FREE,
  mediaFilesOf,
  PLAYLISTS,
  playing,
  segmentsIn,
  statusesOf,
  twoVideos,
  type MadeVideo,
} from "./video-world.ts";

let w: World;
let film: MadeVideo;
let other: MadeVideo;
let mia: Player;
let noah: Player;

beforeAll(async () => {
  ({ w, film, other, mia, noah } = await twoVideos());
});
afterAll(() => w.close());

const beyond = ({ renditions, strip }: MadeVideo) => [
  ...renditions.flatMap(({ segments }) => segments.slice(FREE).map(({ name }) => name)),
  strip,
];
const statuses = (folder: string, names: string[]) => statusesOf(w, folder, names);

describe("an active member", () => {
  it("plays the whole of a video in each size, and every file it names", async () => {
    const folder = await playing(w, film.id, mia.token);
    const master = await fetchMedia(w, `${folder}index.m3u8`);
    expect(master.headers["content-type"]).toBe("application/vnd.apple.mpegurl");
    expect(master.text).toContain("RESOLUTION=640x360");
    for (const [i, { segments, init }] of film.renditions.entries()) {
      const { text } = await fetchMedia(w, `${folder}${i}.m3u8`);
      expect(segmentsIn(text)).toEqual(segments.map(({ name }) => name));
      expect(text).toContain(`#EXT-X-MAP:URI="${init}"`);
      expect(text.endsWith("#EXT-X-ENDLIST\n")).toBe(true);
    }
    expect(await statuses(folder, mediaFilesOf(film))).toEqual(new Set([200]));
    expect((await fetchMedia(w, folder + film.captions)).text).toContain("Late words");
  });
});

describe.each([
  ["a guest", () => undefined],
  ["a session without membership", () => noah.token],
])("%s", (_, token) => {
  it("gets playlists that end with the segment in which the free time ends, and everything in them", async () => {
    const folder = await playing(w, film.id, token());
    for (const [i, { segments, init }] of film.renditions.entries()) {
      const { text } = await fetchMedia(w, `${folder}${i}.m3u8`);
      expect(segmentsIn(text)).toEqual(segments.slice(0, FREE).map(({ name }) => name));
      expect(text.endsWith("#EXT-X-ENDLIST\n")).toBe(true);
      expect(await statuses(folder, [init, ...segmentsIn(text)])).toEqual(new Set([200]));
    }
  });

  it("gets no byte beyond it, by its name, a part of it, or a guess", async () => {
    const folder = await playing(w, film.id, token());
    for (const name of beyond(film)) {
      for (const headers of [{}, { range: "bytes=0-0" }, { range: "bytes=-1" }, { "if-none-match": `"${name}"` }]) {
        for (const query of ["", "?member=1", "?session=1"]) {
          const { status, bytes } = await fetchMedia(w, folder + name + query, headers);
          expect([status, bytes.length]).toEqual([403, 0]);
        }
      }
      expect((await fetchMedia(w, folder + name, {}, "HEAD")).status).toBe(403);
    }
    const guesses = ["5.m4s", "seg-005.m4s", "0/5.m4s", "2.m3u8", "master.m3u8", `${"0".repeat(32)}.m4s`];
    for (const guess of guesses) expect((await fetchMedia(w, folder + guess)).bytes.length).toBe(0);
  });

  it("reads no caption of later, and sees no frame of it", async () => {
    const folder = await playing(w, film.id, token());
    const { text, headers } = await fetchMedia(w, folder + film.captions);
    expect(headers["content-type"]).toContain("text/vtt");
    expect([text.includes("Early words"), text.includes("Late"), text.includes("NOTE")]).toEqual([true, false, false]);
    expect((await fetchMedia(w, folder + film.strip)).status).toBe(403);
  });
});

describe("an address", () => {
  it("is refused without its signature, with another's, or changed in any part", async () => {
    const mine = await playing(w, film.id, mia.token);
    const theirs = await playing(w, film.id);
    const [, sessionId, expires, mac] = /v\/(\d+)\.(\d+)\.([\w-]+)\//.exec(mine)!;
    const [, , guestExpires, guestMac] = /v\/(\d+)\.(\d+)\.([\w-]+)\//.exec(theirs)!;
    const last = mac!.at(-1) === "A" ? "B" : "A";
    const words = [
      `${sessionId}.${guestExpires}.${guestMac}`,
      `${sessionId}.${Number(expires) + 1}.${mac}`,
      `${Number(sessionId) + 1}.${expires}.${mac}`,
      `0${sessionId}.${expires}.${mac}`,
      `${sessionId}.${expires}.${mac!.slice(0, -1)}${last}`,
      `${sessionId}.${expires}.`,
      `${sessionId}.${expires}.${"A".repeat(43)}`,
      "0",
      "-",
      "%00",
    ];
    const names = [...PLAYLISTS, ...mediaFilesOf(film)];
    for (const word of words) {
      expect([word, await statuses(`/media/v/${word}/${film.id}/`, names)]).toEqual([word, new Set([403])]);
    }
    for (const path of ["/media/v/", `/media/v/${film.id}/index.m3u8`, `/media/${film.folder}/`, `/${film.folder}/`]) {
      for (const name of mediaFilesOf(film)) {
        expect([403, 404]).toContain((await fetchMedia(w, path + name)).status);
      }
    }
  });

  it("plays no other video, nor its files, nor leads out of its folder", async () => {
    const folder = await playing(w, film.id, mia.token);
    const swapped = folder.replace(/\d+\/$/, `${other.id}/`);
    expect(await statuses(swapped, [...PLAYLISTS, ...mediaFilesOf(other)])).toEqual(new Set([403]));
    expect(await statuses(folder, mediaFilesOf(other))).toEqual(new Set([403]));
    const away = other.folder.split("/")[1]!;
    const outs = [`..%2f${away}%2f${mediaFilesOf(other)[0]}`, "%2e%2e%2f%2e%2e%2ftrio.db", "..%5ctrio.db", "%00", "."];
    for (const out of outs) expect((await fetchMedia(w, folder + out)).bytes.length).toBe(0);
    const unknown = new UrlSigner(w.deps.keys).write({ sessionId: 0, videoId: 99, expiresMs: w.now() + 1_000 });
    expect((await fetchMedia(w, `/media/v/${unknown}/99/index.m3u8`)).status).toBe(403);
  });

  it("gives no reason when it is refused, and a refusal is never cached", async () => {
    const { headers, text } = await fetchMedia(w, `/media/v/x/${film.id}/index.m3u8`);
    expect([text, headers["cache-control"], headers["content-type"]]).toEqual(["", "no-store", undefined]);
    const gone = await fetchMedia(w, "/media/v/x", { accept: "text/html" });
    expect([gone.status, gone.text]).toEqual([404, ""]);
    expect((await fetchMedia(w, await playing(w, film.id), {}, "POST")).status).toBe(404);
  });

  it("plays for five minutes, and is then followed by the next one", async () => {
    const folder = await playing(w, film.id, mia.token);
    w.pass(5 * MINUTE_MS - 1);
    expect((await fetchMedia(w, `${folder}0.m3u8`)).status).toBe(200);
    w.pass(1);
    expect(await statuses(folder, [...PLAYLISTS, ...mediaFilesOf(film)])).toEqual(new Set([403]));
    const next = await playing(w, film.id, mia.token);
    expect(next).not.toBe(folder);
    expect(await statuses(next, mediaFilesOf(film))).toEqual(new Set([200]));
  });
});
