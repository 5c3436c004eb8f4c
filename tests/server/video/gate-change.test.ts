import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { members } from "#db/schema/member.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import { DAY_MS } from "#shared/time.ts";
import { kick, lock, set } from "../../support/operator.ts";
import { world, type World } from "../../support/world.ts";
import {
  activePlayer,
  category,
  fetchMedia,
  FREE,
  mediaFilesOf,
  PLAYLISTS,
  playing,
  SEGMENTS,
  segmentsIn,
  statusesOf,
  video,
  type MadeVideo,
} from "./video-world.ts";

let w: World;
let film: MadeVideo;

beforeAll(async () => {
  w = await world();
  await category(w, "sea");
  film = await video(w, "Waves");
});
afterAll(() => w.close());

const statuses = (folder: string, names: string[]) => statusesOf(w, folder, names);

describe("a change since an address was signed", () => {
  const all = [...Array(SEGMENTS).keys()];
  const member = async (name: string) => {
    const player = await activePlayer(w, name);
    const folder = await playing(w, film.id, player.token);
    const playlist = await fetchMedia(w, `${folder}1.m3u8`);
    const own = segmentsIn(playlist.text);
    expect(await statuses(folder, own)).toEqual(new Set([200]));
    const seen = async () => {
      const answers = await Promise.all(own.map((segment) => fetchMedia(w, folder + segment)));
      return all.filter((i) => answers[i]!.status === 200);
    };
    return { player, folder, seen };
  };

  it("applies within five seconds: a logout, a kick and a lock end playback", async () => {
    const [out, kicked, locked] = [await member("out_1"), await member("kicked_1"), await member("locked_1")];
    await out.player.call("/member/doLogout", {});
    await kick(w, kicked.player.memberId);
    await lock(w, locked.player.memberId, true);
    w.pass(4_000);
    for (const { seen, folder } of [out, kicked, locked]) {
      expect(await seen()).toEqual([]);
      expect(await statuses(folder, PLAYLISTS)).toEqual(new Set([403]));
    }
  });

  it("applies even where this server missed the announcement", async () => {
    const { player, seen } = await member("deaf_1");
    await w.deps.db.transact((tx) => tx.update(members).set({ locked: true }).where(eq(members.id, player.memberId)));
    w.pass(4_000);
    expect(await seen()).toEqual([]);
  });

  it("leaves the beginning to a member whose membership ends midway, at that very moment", async () => {
    const player = await activePlayer(w, "short_1", 1);
    w.pass(DAY_MS - 1_000);
    const folder = await playing(w, film.id, player.token);
    const late = film.renditions[0]!.segments.at(-1)!.name;
    const early = film.renditions[0]!.segments[0]!.name;
    expect((await fetchMedia(w, folder + late)).status).toBe(200);
    w.pass(1_000);
    expect((await fetchMedia(w, folder + late)).status).toBe(403);
    expect((await fetchMedia(w, folder + early)).status).toBe(200);
    expect(segmentsIn((await fetchMedia(w, `${folder}0.m3u8`)).text)).toHaveLength(FREE);
    await w.deps.db.transact((tx) => extendMembership(tx, w.deps, player.memberId, 1));
    await w.site.relay.wake();
    expect((await fetchMedia(w, folder + late)).status).toBe(200);
  });

  it("applies to guests: once the operator requires a login they see nothing, and the free time is the current one", async () => {
    const folder = await playing(w, film.id);
    await set(w, "free_see_time", "5");
    expect(segmentsIn((await fetchMedia(w, `${folder}0.m3u8`)).text)).toHaveLength(2);
    await set(w, "free_see_time", "15");
    await set(w, "video_login", "1");
    expect(await statuses(folder, [...PLAYLISTS, ...mediaFilesOf(film)])).toEqual(new Set([403]));
    expect((await w.call("/video/getVideoInfo", { id: `vid_${film.id}` }, { method: "GET" })).code).toBe(401);
    await set(w, "video_login", "0");
  });
});
