import { hash } from "@node-rs/argon2";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { attempts, members } from "#db/schema/index.ts";
import type { Asker } from "#server/domains/account/hash-lanes.ts";
import { verifyPasscode } from "#server/domains/account/passcode.ts";
import { Passwords } from "#server/domains/account/passwords.ts";
import { makeRecoveryCodes } from "#server/domains/account/recovery-codes.ts";
import { checkPassword } from "#server/domains/session/check-password.ts";
import { logIn } from "#server/domains/session/login.ts";
import { recover } from "#server/domains/session/recover.ts";
import { resetPassword } from "#server/domains/session/reset-password.ts";
import { Refusal } from "#shared/refusal.ts";
import { give } from "../../support/credentials.ts";
import { world, type World } from "../../support/world.ts";

const PASSWORD = "correct horse";
const NEXT = "battery staple";
const PIN = "246810";
const FREE = 5;
const EASY = { memoryCost: 8, timeCost: 1, parallelism: 1 };

let w: World;
let id: number;
let passwords: Crowded;

/** Lanes of hashes that have no place, for as many as are said. */
class Crowded extends Passwords {
  full = { verify: 0, hash: 0 };

  override async verify(stored: string | null, password: string, asker: Asker): Promise<boolean> {
    this.#enter("verify");
    return super.verify(stored, password, asker);
  }

  override async hash(password: string, asker: Asker): Promise<string> {
    this.#enter("hash");
    return super.hash(password, asker);
  }

  #enter(lane: "verify" | "hash"): void {
    if (this.full[lane] === 0) return;
    this.full[lane]--;
    throw new Refusal("attempts.many", { retryAfterS: 1 });
  }
}

beforeEach(async () => {
  w = await world();
  id = (await w.player("mia_1")).memberId;
  await give(w, id, { password: PASSWORD, pin: PIN });
  passwords = new Crowded(w.deps.keys);
});
afterEach(() => w.close());

const who = { username: "mia_1", ip: "192.0.2.1", agent: "test" };
const enter = (password = PASSWORD, newPassword?: string) =>
  logIn(w.deps, passwords, { ...who, password, newPassword, locale: "en_us", isDirect: true });
const prove = (password = PASSWORD) =>
  checkPassword(w.deps, passwords, { caller: { memberId: id, sessionId: 1 }, ip: who.ip, password });
const pay = (pin = PIN) => verifyPasscode(w.deps, passwords, id, pin);
/** The member's secrets as they were stored before there was a pepper: a right one is hashed anew. */
const age = async () => {
  const older = { passwordHash: await hash(PASSWORD, EASY), payPinHash: await hash(PIN, EASY) };
  await w.deps.db.transact((tx) => tx.update(members).set(older).where(eq(members.id, id)));
};
const reset = () => w.deps.db.transact((tx) => resetPassword(tx, w.deps, id, "Somebody else had it"));
const makeCodes = () => w.deps.db.transact((tx) => makeRecoveryCodes(tx, w.deps, id));

const reasonOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "let in",
    ({ reason }: Refusal) => reason,
  );
const reasonsOf = async (times: number, work: () => Promise<unknown>) => {
  const reasons: string[] = [];
  for (let i = 0; i < times; i++) reasons.push(await reasonOf(work()));
  return reasons;
};
const many = (reason: string, times = FREE) => Array<string>(times).fill(reason);

interface Way {
  enter: () => Promise<unknown>;
  /** The hash that finds no place. */
  lane: "verify" | "hash";
}

describe("a right secret that was refused for want of a place in the lanes of hashes", () => {
  const ways: [string, () => Promise<Way>][] = [
    ["a log-in", async () => ({ enter, lane: "verify" })],
    ["a log-in whose hash is to be renewed", () => age().then(() => ({ enter, lane: "hash" }))],
    [
      "a log-in by the operator's secret",
      async () => {
        const { secret } = await reset();
        return { enter: () => enter(secret, NEXT), lane: "hash" };
      },
    ],
    [
      "a recovery",
      async () => {
        const [code] = await makeCodes();
        return { enter: () => recover(w.deps, passwords, { ...who, code: code!, newPassword: NEXT }), lane: "hash" };
      },
    ],
    ["a proof", async () => ({ enter: prove, lane: "verify" })],
    ["a proof whose hash is to be renewed", () => age().then(() => ({ enter: prove, lane: "hash" }))],
    ["a passcode", async () => ({ enter: pay, lane: "verify" })],
    ["a passcode whose hash is to be renewed", () => age().then(() => ({ enter: pay, lane: "hash" }))],
  ];

  it.each(ways)("is let in as soon as there is one: %s", async (_, prepare) => {
    const { enter: come, lane } = await prepare();
    passwords.full[lane] = FREE;
    expect(await reasonsOf(FREE, () => come())).toEqual(many("attempts.many"));
    expect(await reasonOf(come())).toBe("let in");
  });
});

describe("guesses that find no place in the lanes of hashes", () => {
  const counts = async () =>
    (await w.deps.db.read.select().from(attempts).orderBy(attempts.kind)).map(({ kind, failures, blockedUntil }) => [
      kind,
      failures,
      blockedUntil > w.now(),
    ]);
  const crowded = (times: number, work: () => Promise<unknown>) => {
    passwords.full.verify = times;
    return reasonsOf(times, work);
  };

  it("give none back of those that were checked: passwords", async () => {
    expect(await reasonsOf(4, () => enter("guess"))).toEqual(many("login.failed", 4));
    const before = await counts();
    expect(await crowded(3, () => enter("guess"))).toEqual(many("attempts.many", 3));
    expect(await counts()).toEqual(before);
    expect(await reasonsOf(2, () => enter("guess"))).toEqual(["login.failed", "login.locked"]);
  });

  it("give none back of those that were checked: passcodes", async () => {
    expect(await reasonsOf(4, () => pay("000000"))).toEqual(many("passcode.wrong", 4));
    const before = await counts();
    expect(await crowded(3, () => pay("000000"))).toEqual(many("attempts.many", 3));
    expect(await counts()).toEqual(before);
    expect(await reasonsOf(2, () => pay("000000"))).toEqual(["passcode.wrong", "passcode.locked"]);
  });

  it("end no wait that others caused for the name", async () => {
    const blocked = { failures: 50, blockedUntil: w.now() + 15_000, lastAt: w.now() };
    await w.deps.db.transact((tx) => tx.insert(attempts).values({ kind: "name", subject: "mia_1", ...blocked }));
    expect(await crowded(1, prove)).toEqual(["attempts.many"]);
    const [name] = await w.deps.db.read.select().from(attempts).where(eq(attempts.kind, "name"));
    expect(name).toMatchObject(blocked);
  });
});
