import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listingLooks } from "#db/schema/listing.ts";
import { DAY_MS, HOUR_MS } from "#shared/time.ts";
import { kick, lock, set } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { everyEndpoint, send } from "../http/endpoints.ts";
import { goodInput } from "../http/furnished.ts";
import { activePlayer, city, listing, read, save } from "./listing-world.ts";

const SECRETS = ["Q7-secret-street", "q7-secret@example.org", "Q7-secret-service"] as const;
const [address, contact, service] = SECRETS;
const PICTURE = { name: "/files/pictures/ab", widths: [320, 640], ratio: 1.5, blur: "abcd" };

let w: World;
let mia: Player;

beforeAll(async () => {
  w = await world();
  await city(w, "Hanoi");
  const secret = { address: { en_us: address }, contact, service: [{ en_us: service }], pictures: [PICTURE] };
  await save(w, listing("a", secret), listing("b"), listing("c", secret));
  mia = await activePlayer(w, "mia_1");
});
afterAll(() => w.close());

const detail = (token?: string, id = "lst_1") =>
  w.call("/xuanfei/xuanfeidata", { id }, { method: "GET", lang: "en_us", ...(token !== undefined && { token }) });
const looks = () => w.deps.db.read.select().from(listingLooks);

describe("the private part of a listing", () => {
  it("is for active members, and for no one before or after", async () => {
    expect((await detail()).data).toMatchObject({ activated: 0, private: null, media_level: 88, demo: 0 });
    const answer = await detail(mia.token);
    expect(answer.data).toMatchObject({ activated: 1, private: { address, contact, service: [service] } });
    expect((await detail()).data.private).toBeNull();
    const guest = await w.player("guest_1");
    expect((await detail(guest.token)).data.private).toBeNull();
  });

  it("is closed the moment a membership ends", async () => {
    const ben = await activePlayer(w, "ben_1", 1);
    w.pass(DAY_MS - 1);
    expect((await detail(ben.token)).data.activated).toBe(1);
    w.pass(1);
    expect((await detail(ben.token)).data).toMatchObject({ activated: 0, private: null });
  });

  it.each(["made up", "", "ÿ"])("is closed to an invalid token (%s), which is answered as a guest", async (token) => {
    const { code, data } = await detail(token);
    expect([code, data.private]).toEqual([200, null]);
  });

  it("is closed to an ended session and a locked member, who are answered as guests", async () => {
    const ada = await activePlayer(w, "ada_1");
    await lock(w, ada.memberId, true);
    expect((await detail(ada.token)).data).toMatchObject({ activated: 0, private: null });
    await lock(w, ada.memberId, false);
    expect((await detail(ada.token)).data.activated).toBe(1);
    await kick(w, ada.memberId);
    expect([(await detail(ada.token)).code, (await detail(ada.token)).data.private]).toEqual([200, null]);
    const { list } = await read(w, "/xuanfei/xuanfeilist", {}, ada.token);
    expect((list as { service_data: string[] }[]).flatMap((row) => row.service_data)).toEqual([]);
  });
});

describe("while guests see the login first", () => {
  it("a listing needs a session: without one 401, with an ended one 10001, before any field", async () => {
    const ida = await w.player("ida_1");
    await set(w, "video_login", "1");
    expect([(await detail()).code, (await detail(undefined, "a b")).code, (await detail("made up")).code]).toEqual([
      401, 401, 401,
    ]);
    expect((await detail(ida.token)).data).toMatchObject({ activated: 0, private: null });
    await kick(w, ida.memberId);
    expect((await detail(ida.token)).code).toBe(10001);
    expect((await w.call("/nHomeList")).code).toBe(401);
    await set(w, "video_login", "0");
    expect((await w.call("/nHomeList")).code).toBe(200);
    expect((await detail()).code).toBe(200);
  });

  it("no endpoint names a listing's picture to a guest, nor to a locked member", async () => {
    const [ida, locked] = [await w.player("ida_2"), await w.player("ida_3")];
    await lock(w, locked.memberId, true);
    const namesOne = async (token?: string) => {
      const naming: string[] = [];
      for (const { path, methods } of await everyEndpoint()) {
        if (methods.join() !== "GET") continue;
        const given = { ...(goodInput(w)[path] as Record<string, string> | undefined), id: "lst_1" };
        for (const input of [given, {}]) {
          const headers = { "x-data-encoding": "json" };
          const asked = { method: "GET", path: `${path}?${new URLSearchParams(input)}`, token, headers };
          const { text } = await send(w, asked).catch(() => ({ text: "" }));
          if (text.includes(PICTURE.name)) naming.push(path);
        }
      }
      return [...new Set(naming)].sort();
    };
    const all = await namesOne();
    expect(all).toContain("/xuanfei/address");
    await set(w, "video_login", "1");
    expect([await namesOne(), await namesOne("made up"), await namesOne(locked.token)]).toEqual([[], [], []]);
    expect(await namesOne(ida.token)).toEqual(all);
    const [there] = (await w.call("/xuanfei/address")).data;
    expect(there).toMatchObject({ name: "Hanoi", count: 3, cover: "", cover_shape: null });
    await set(w, "video_login", "0");
    expect(await namesOne()).toEqual(all);
  });
});

describe("a view of a private part", () => {
  it("is recorded once an hour, by member and listing, even when it is requested many times at once", async () => {
    const eva = await activePlayer(w, "eva_1");
    const own = async () => (await looks()).filter(({ memberId }) => memberId === eva.memberId);
    await Promise.all(Array.from({ length: 20 }, () => detail(eva.token)));
    expect(await own()).toEqual([{ id: expect.any(Number), memberId: eva.memberId, listingId: 1, createdAt: w.now() }]);
    await detail(eva.token, "lst_3");
    w.pass(HOUR_MS - 1);
    await detail(eva.token);
    expect((await own()).map(({ listingId }) => listingId)).toEqual([1, 3]);
    w.pass(1);
    await detail(eva.token);
    expect((await own()).map(({ listingId }) => listingId)).toEqual([1, 3, 1]);
  });

  it("is known to a restarted server", async () => {
    const uma = await activePlayer(w, "uma_1");
    await detail(uma.token);
    const before = (await looks()).length;
    await w.restart();
    await detail(uma.token);
    expect((await looks()).length).toBe(before);
  });

  it("is not recorded without a membership, or for an unknown listing", async () => {
    const before = (await looks()).length;
    await detail();
    await detail((await w.player("kim_1")).token);
    await detail(mia.token, "lst_99");
    expect((await looks()).length).toBe(before);
  });

  it("is refused when it cannot be recorded", async () => {
    const lou = await activePlayer(w, "lou_1");
    const { db } = w.deps;
    const { transact } = db;
    db.transact = () => Promise.reject(new Error("the disk is full"));
    const { status, data } = await detail(lou.token);
    db.transact = transact;
    expect([status, JSON.stringify(data).includes("Q7")]).toEqual([500, false]);
    expect((await detail(lou.token)).data.activated).toBe(1);
  });
});

describe("a crawler without membership", () => {
  it("over every endpoint and picture address finds none of the private fields", async () => {
    const expired = await activePlayer(w, "old_1", 1);
    w.pass(2 * DAY_MS);
    const someone = await w.player("new_1");
    // Answers to members must not be cached for others.
    const active = await activePlayer(w, "sue_1");
    for (const id of ["lst_1", "lst_3"]) expect((await detail(active.token, id)).data.activated).toBe(1);
    const found: string[] = [];
    for (const endpoint of await everyEndpoint()) {
      for (const method of endpoint.methods) {
        for (const token of [undefined, someone.token, expired.token]) {
          for (const input of inputsOf(endpoint.path)) found.push(await body(method, endpoint.path, input, token));
        }
      }
    }
    for (const address of ["/files/pictures/ab-320.webp", "/files/pictures/ab.json", "/nHomeDetail?id=lst_1"]) {
      found.push((await w.site.app.inject({ url: address })).body);
    }
    for (const secret of SECRETS) expect(found.filter((text) => text.includes(secret))).toEqual([]);
    expect(found.filter((text) => text.includes("Model a")).length).toBeGreaterThan(5);
  });

  const inputsOf = (path: string): Record<string, string>[] => {
    const given = Object.entries(goodInput(w)[path] ?? {});
    const good = Object.fromEntries(given.filter((field): field is [string, string] => typeof field[1] === "string"));
    const more = { q: "Q7", id: "lst_1", page: "1", limit: "50" };
    return [good, { id: "lst_1" }, { id: "lst_3", page: "1" }, { id: "cty_1" }, { city: "cty_1", limit: "50" }, more];
  };

  async function body(method: string, path: string, input: Record<string, string>, token: string | undefined) {
    const form = new URLSearchParams(input).toString();
    const to = method === "GET" ? { path: `${path}?${form}` } : { path, payload: form };
    const plain = await send(w, { method, ...to, token, lang: "en_us", headers: { "x-data-encoding": "json" } }).catch(
      () => null,
    );
    return plain?.text ?? "";
  }
});
