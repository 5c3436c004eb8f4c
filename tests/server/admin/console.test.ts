import { request } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { COMMANDS } from "#server/admin/commands.ts";
import type { Command } from "#server/admin/command.ts";
import { AGE_MS, CHALLENGE_MS, Challenges, REST_MS, Sessions } from "#server/admin/console/sessions.ts";
import { GRANTS, mayRun } from "#server/admin/roles.ts";
import { fieldsOf } from "#server/admin/usage.ts";
import { operatorInvites, ROLES } from "#db/schema/operators.ts";
import { UNATTENDED } from "#shared/console.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { ConsoleGuest, ConsoleHere } from "../../support/console.ts";
import { world, type World } from "../../support/world.ts";
import { ask, everything, operate } from "./operate.ts";

let w: World;
let here: ConsoleHere;
let owner: ConsoleGuest;
beforeAll(async () => {
  w = await world();
  await w.player("mia_1", { balance: 10 });
  here = await ConsoleHere.open(w);
  owner = await here.join("olga", "owner");
});
afterAll(async () => {
  await here.close();
  await w.close();
});

let people = 0;
const join = (roles: string) => here.join(`person-${++people}`, roles);
const acts = () => ask<Record<string, unknown>[]>(w, "operators:log");

/** What a bare request with these headers is answered. */
const status = (path: string, headers: Record<string, string>, method = "POST") =>
  new Promise<number>((resolve, reject) => {
    const asking = request(`${here.origin}${path}`, { method, headers: { connection: "close", ...headers } });
    asking.on("response", (response) => resolve(response.resume().statusCode!)).on("error", reject);
    asking.end(method === "POST" ? "{}" : undefined);
  });

describe("the console", () => {
  it("answers its own name and its own page alone", async () => {
    const { host } = new URL(here.origin);
    const json = { "content-type": "application/json" };
    const { port } = new URL(here.origin);
    expect(await status("/api/sign-in-options", { ...json, host, origin: here.origin })).toBe(200);
    for (const foreign of [`127.0.0.1:${port}`, "evil.example", `localhost.evil.example:${port}`, "localhost"])
      expect(await status("/api/sign-in-options", { ...json, host: foreign, origin: here.origin })).toBe(421);
    for (const origin of ["http://evil.example", "null", `https://localhost:${port}`, "http://localhost:1"])
      expect(await status("/api/sign-in-options", { ...json, host, origin })).toBe(403);
    expect(await status("/api/sign-in-options", { ...json, host })).toBe(403);
    expect(await status("/api/me", { host, origin: "http://evil.example", cookie: owner.cookie }, "GET")).toBe(403);
  });

  it("runs nothing but its own scripts, in no frame, and its cookie is for no script", async () => {
    const response = await fetch(`${here.origin}/api/me`);
    expect(response.headers.get("content-security-policy")).toMatch(
      /default-src 'none'; script-src 'self';.*frame-ancestors 'none'/,
    );
    const fresh = await fetch(`${here.origin}/api/sign-out`, {
      method: "POST",
      body: "{}",
      headers: { origin: here.origin, "content-type": "application/json" },
    });
    expect(fresh.headers.get("set-cookie")).toContain("HttpOnly; SameSite=Strict");
  });

  it("tells strangers nothing", async () => {
    const stranger = new ConsoleGuest(here.origin);
    expect((await stranger.ask("me")).status).toBe(401);
    expect((await stranger.give("member:list")).status).toBe(401);
    expect((await stranger.signIn()).status).toBe(400);
  });

  it("does not take the port of the members", async () => {
    expect((await operate(w, "console", "--port", "3000")).err).toContain("members have the port 3000");
  });
});

describe("an operator", () => {
  it("uses a link once, then signs in by passkey", async () => {
    const link = await here.invite("anna", "support");
    const anna = new ConsoleGuest(here.origin);
    expect((await anna.register(link)).status).toBe(200);
    expect((await new ConsoleGuest(here.origin).register(link)).body.error).toContain("this link was used");
    await anna.ask("sign-out", {});
    expect((await anna.ask("me")).status).toBe(401);
    expect((await anna.signIn()).status).toBe(200);
    expect((await anna.ask("me")).body).toMatchObject({ name: "anna", roles: ["support"] });
    expect((await acts()).slice(0, 2).map(({ who, command }) => [who, command])).toEqual([
      ["anna", "sign-in"],
      ["anna", "register"],
    ]);
  });

  it.each(["remove", "renew"])("is signed out at once by operator:%s", async (verb) => {
    const guest = await join("support");
    expect((await guest.ask("me")).status).toBe(200);
    await operate(w, `operator:${verb}`, `person-${people}`);
    expect((await guest.ask("me")).status).toBe(401);
    expect((await guest.signIn()).status).toBe(400);
  });

  it("is signed out after half an hour of rest, and eight hours after the sign-in", async () => {
    await join("support");
    let now = w.now();
    const { db, random, clock } = w.deps;
    const sessions = new Sessions({ db, random, clock: { ...clock, now: () => now } });
    const [resting, busy] = [sessions.begin(1), sessions.begin(1)];
    for (; now - w.now() < AGE_MS; now += REST_MS) expect(await sessions.find(busy, true)).not.toBeNull();
    expect([await sessions.find(resting, true), now - w.now()]).toEqual([null, AGE_MS]);
    // It has not rested at all.
    expect(await sessions.find(busy, true)).not.toBeNull();
    now++;
    expect(await sessions.find(busy, true)).toBeNull();
  });

  it("rests while the page alone asks, however often", async () => {
    let now = Date.now();
    const place = await ConsoleHere.open(w, () => now);
    const guest = new ConsoleGuest(place.origin);
    await guest.register(await place.invite("resting", "support"));
    const byItself = () => guest.ask("me", undefined, { [UNATTENDED]: "1" });
    expect((await byItself()).status).toBe(200);
    now += REST_MS - MINUTE_MS;
    expect((await byItself()).status).toBe(200);
    // Somebody reads on: it begins anew.
    expect((await guest.ask("me")).status).toBe(200);
    for (let minutes = 0; minutes < 30; minutes += 5, now += 5 * MINUTE_MS) expect((await byItself()).status).toBe(200);
    now++;
    expect((await byItself()).status).toBe(401);
    await place.close();
  });

  it("does not rest while a command runs that they gave", async () => {
    let now = w.now();
    const { db, random, clock } = w.deps;
    const sessions = new Sessions({ db, random, clock: { ...clock, now: () => now } });
    const token = sessions.begin(1);
    const { session } = (await sessions.find(token, true))!;
    await sessions.during(session, async () => {
      now += REST_MS + 1;
      expect(await sessions.find(token, false)).not.toBeNull();
    });
    now += REST_MS;
    expect(await sessions.find(token, false)).not.toBeNull();
    now++;
    expect(await sessions.find(token, false)).toBeNull();
  });

  it("answers a challenge within five minutes", () => {
    let now = w.now();
    const { random, clock } = w.deps;
    const challenges = new Challenges({ random, clock: { ...clock, now: () => now } });
    const [soon, late] = [challenges.make("sign in"), challenges.make("sign in")];
    now += CHALLENGE_MS - 1;
    expect(challenges.spend(soon, "sign in")).toBe(true);
    now++;
    expect(challenges.spend(late, "sign in")).toBe(false);
  });

  it("cannot use a link that has expired", async () => {
    const link = await here.invite("late", "support");
    const expired = { expiresAt: Date.now() - 1 };
    await w.deps.db.transact((tx) => tx.update(operatorInvites).set(expired));
    expect((await new ConsoleGuest(here.origin).register(link)).body.error).toContain("has expired");
  });

  it("whose authenticator was copied is refused where the copy's counter stayed behind", async () => {
    const guest = new ConsoleGuest(here.origin, { counts: true });
    await guest.register(await here.invite("counting", "support"));
    expect((await guest.signIn()).status).toBe(200);
    const before = guest.key.counter;
    expect((await guest.signIn()).status).toBe(200);
    guest.key.counter = before - 1;
    expect((await guest.signIn()).status).toBe(400);
  });

  it("has no other's passkey, and answers a challenge once", async () => {
    const { body } = await owner.ask("sign-in-options", {});
    const passkey = owner.key.answer(body as never);
    expect((await new ConsoleGuest(here.origin).ask("sign-in", { passkey })).status).toBe(200);
    expect((await new ConsoleGuest(here.origin).ask("sign-in", { passkey })).status).toBe(400);
  });
});

const ofShell = new Set(["console", "backup:due", "backup:check", "backup:key", "restore"]);

describe("a command", () => {
  it("is given as at the shell, and noted with the operator and the address", async () => {
    const guest = await join("support");
    const { body } = await guest.give("member:kick", { NAME: "mia_1" }, { reason: "Asked for" });
    expect(body.done).toMatchObject({ json: { ok: true } });
    expect((await acts())[0]).toMatchObject({
      who: `person-${people}`,
      host: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      command: "member:kick",
      words: "mia_1",
      reason: "Asked for",
      outcome: "done",
    });
    expect((await guest.give("member:show", { NAME: "nobody" })).body).toEqual({
      refused: "there is no member nobody",
    });
  });

  it("that may hurt takes a fresh proof for its very words", async () => {
    const guest = await join("finance");
    const sent = { name: "member:credit", args: { NAME: "mia_1", AMOUNT: "5" }, options: { reason: "A gift" } };
    const { body } = await guest.ask("give", sent);
    const proof = guest.key.answer(body.prove as never);
    const more = { ...sent, args: { ...sent.args, AMOUNT: "500" }, proof };
    expect((await guest.ask("give", more)).body).toEqual({ refused: "the passkey was not accepted" });
    expect((await acts())[0]).toMatchObject({ command: "member:credit", words: "mia_1 500", outcome: "refused" });
    expect((await guest.ask("give", { ...sent, proof })).body).toEqual({ refused: "the passkey was not accepted" });
    expect((await guest.give(sent.name, sent.args, sent.options)).body.done).toMatchObject({ json: { ok: true } });
    const other = await join("finance");
    const asked = await guest.ask("give", sent);
    const foreign = other.key.answer(asked.body.prove as never);
    expect((await guest.ask("give", { ...sent, proof: foreign })).body.refused).toBeDefined();
    expect(await ask(w, "member:show", "mia_1")).toMatchObject({ money: "15.00" });
  });

  it("takes no path from the page, and no other session's file", async () => {
    const guest = await join("content,owner");
    const path = "/etc/passwd";
    expect((await guest.give("plan:set", { "FILE.json": path })).body.refused).toContain("no such file");
    const id = await guest.send("plans.json", "[]");
    expect((await owner.give("plan:set", { "FILE.json": id })).body.refused).toContain("no such file");
    expect((await guest.give("plan:set", { "FILE.json": id })).body.done).toMatchObject({ json: { plans: 0 } });
  });

  it("that makes a file hands it over, to its session alone", async () => {
    const { body } = await owner.give("backup", { FILE: "../../copy.db" });
    const [file] = body.files as { id: string; name: string }[];
    expect(file!.name).toBe("copy.db");
    expect((await acts())[0]).toMatchObject({ command: "backup", words: "copy.db" });
    const fetched = await fetch(`${here.origin}/api/files/${file!.id}`, { headers: { cookie: owner.cookie } });
    expect([fetched.status, (await fetched.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
    const guest = await join("owner");
    expect((await guest.ask(`files/${file!.id}`)).status).toBe(400);
  });

  it("asks for its secret, as at the shell", async () => {
    expect((await owner.give("member:add", { NAME: "nina_1" })).body).toEqual({ asks: "Password of nina_1" });
    const { body } = await owner.give("member:add", { NAME: "nina_1" }, {}, { secret: "a long password" });
    expect(body.done).toMatchObject({ json: { username: "nina_1" } });
  });

  it("is there by itself as soon as it is a command, unless the shell alone may give it", async () => {
    const { body } = await owner.ask("me");
    const names = (body.commands as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(Object.keys(COMMANDS).filter((name) => !ofShell.has(name)));
    const named = (body.ofShell as { name: string }[]).map(({ name }) => name);
    expect(named).toEqual(Object.keys(COMMANDS).filter((name) => ofShell.has(name)));
    expect((await (await join("support,finance,content")).ask("me")).body.ofShell).toEqual([]);
  });
});

describe("a role", () => {
  beforeEach(() => people++);

  it.each(ROLES)("%s gives its commands and is refused every other, which changes nothing", async (role) => {
    const guest = await join(role);
    const { body } = await guest.ask("me");
    const names = (body.commands as { name: string }[]).map(({ name }) => name);
    const granted = Object.keys(GRANTS).filter((name) => mayRun([role], name) && !ofShell.has(name));
    expect([...names].sort()).toEqual([...granted].sort());
    const before = await everything(w);
    const closed = Object.keys(COMMANDS).filter((name) => !granted.includes(name));
    for (const name of closed)
      expect((await guest.give(name)).body).toEqual({ refused: `none of your roles may give ${name}` });
    expect(await everything(w)).toEqual(before);
    const noted = (await acts()).slice(0, closed.length).map(({ command, outcome }) => [command, outcome]);
    expect(noted.reverse()).toEqual(closed.map((name) => [name, "refused"]));
  });

  it("every word of a usage line has a kind", async () => {
    for (const load of Object.values(COMMANDS)) expect(fieldsOf((await load()) as Command)).toBeDefined();
  });
});
