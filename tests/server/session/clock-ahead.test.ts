import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startCooling } from "#server/domains/account/cooling.ts";
import { openSession } from "#server/domains/session/open-session.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import { give } from "../../support/credentials.ts";
import { set } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { fetchExport } from "../member/exported.ts";
import { INVITE, logIn, PASSWORD, register } from "./people.ts";

const YEAR_MS = 365 * DAY_MS;
const PIN = "246810";
const from = "192.0.2.1";
let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world({ env: { RATE_LIMIT: "off" } });
  await w.invite(INVITE);
  mia = await w.player("mia_1", { balance: 1_000 });
  await give(w, mia.memberId, { pin: PIN });
});
afterEach(() => w.close());

/** Another session: those of before are over where the clock was ahead. */
async function comeAgain(): Promise<void> {
  const token = await w.deps.db.transact((tx) =>
    openSession(tx, w.deps, mia.memberId, { ip: "127.0.0.1", agent: "test" }),
  );
  mia = { ...mia, token, call: (path, input, options) => w.call(path, input, { token, ...options }) };
}

describe("what was made to wait while the clock was a year ahead", () => {
  it("a name that was guessed at may log in once the clock is right, and is guarded as ever", async () => {
    await register(w, "anna_1");
    w.jump(YEAR_MS);
    for (let i = 0; i < 6; i++) await logIn(w, "anna_1", "guess", { from });
    expect((await logIn(w, "anna_1", PASSWORD, { from })).code).toBe(429);
    w.jump(-YEAR_MS);
    expect((await logIn(w, "anna_1", "guess", { from })).code).toBe(422);
    // The failures of then count, so that the next guess waits.
    expect((await logIn(w, "anna_1", "guess", { from })).code).toBe(429);
    w.pass(15 * MINUTE_MS);
    expect((await logIn(w, "anna_1", PASSWORD, { from })).code).toBe(200);
  });

  it("a passcode that was locked is asked again", async () => {
    await set(w, "edit_paypwd", "1");
    const edit = (oldpaypwd: string) => mia.call("/member/editPayPassword", { oldpaypwd, paypassword: "135790" });
    w.jump(YEAR_MS);
    await comeAgain();
    for (let i = 0; i < 5; i++) await edit("000000");
    expect((await edit(PIN)).reason).toBe("passcode.locked");
    w.jump(-YEAR_MS);
    await comeAgain();
    expect((await edit(PIN)).code).toBe(200);
  });

  it("an account that cooled down does not for a year, and cools down again after another change", async () => {
    const until = async () => (await mia.call("/member/getUserWithdrawRole")).data.cooling_until_ms;
    const cool = () => w.deps.db.transact((tx) => startCooling(tx, w.deps, mia.memberId));
    w.jump(YEAR_MS);
    await cool();
    await comeAgain();
    expect(await until()).toBe(w.now() + 24 * HOUR_MS);
    w.jump(-YEAR_MS);
    await comeAgain();
    expect(await until()).toBe(0);
    await cool();
    expect(await until()).toBe(w.now() + 24 * HOUR_MS);
  });

  it("exports are begun again", async () => {
    const download = async () => (await fetchExport(w, mia, "json")).statusCode;
    w.jump(YEAR_MS);
    await comeAgain();
    for (let i = 0; i < 10; i++) expect(await download()).toBe(200);
    expect(await download()).toBe(429);
    w.jump(-YEAR_MS);
    await comeAgain();
    expect(await download()).toBe(200);
  });
});
