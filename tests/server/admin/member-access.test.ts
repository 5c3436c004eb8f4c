import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eq, isNotNull } from "drizzle-orm";
import { memberLeaves, members, plans } from "#db/schema/index.ts";
import * as decide from "#server/domains/payments/decide-withdrawal.ts";
import type { Refusal } from "#shared/refusal.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import { beProven, give } from "../../support/credentials.ts";
import { givePasskey } from "../../support/passkeys.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { send } from "../http/endpoints.ts";
import { asked, bind, PIN, saver } from "../payments/purse.ts";
import { logIn, PASSWORD, whoIs } from "../session/people.ts";
import { ask, operate } from "./operate.ts";

let w: World;
let mia: Player;
let name: string;
let count = 0;

beforeAll(async () => {
  // Commands go by the machine's clock.
  w = await world({ now: Date.now() });
});
afterAll(() => w.close());
beforeEach(async () => {
  w.jump(Date.now() - w.now());
  name = `mia_${++count}`;
  mia = await saver(w, name, 1_000);
  await give(w, mia.memberId, { password: PASSWORD });
});

const why = ["--reason", JSON.stringify({ en_us: "You asked for it", ko_kr: "요청하셨습니다" })];
const messages = async (lang: "en_us" | "ko_kr") =>
  (await mia.call("/member/messages", undefined, { lang })).data.filter(({ kind }) => kind.startsWith("security."));
const rules = async () => (await mia.call("/member/getUserWithdrawRole")).data;
const approve = (id: number) => w.deps.db.transact((tx) => decide.approveWithdrawal(tx, w.deps, id));
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (no: Refusal) => no.reason,
  );

describe("a replaced password", () => {
  it("opens the account once, together with the next one, and ends what ran", async () => {
    const { secret } = await ask<{ secret: string }>(w, "member:reset-password", name, ...why);
    expect((await logIn(w, name)).code).toBe(422);
    const ended = await whoIs(w, mia.token, "ko_kr");
    expect([ended.code, ended.msg]).toEqual([10001, "요청하셨습니다"]);
    expect((await logIn(w, name, secret)).data).toEqual({ reason: "password.choose" });
    const enter = (password: string) =>
      w.call("/member/doLogin", { username: name, password: secret.toLowerCase(), new_password: password });
    expect((await enter("short")).code).toBe(400);
    for (const weak of ["password", `${name}${name}`])
      expect((await enter(weak)).data).toHaveProperty("fields.new_password");
    const entered = await enter("a new horse");
    expect(entered.code).toBe(200);
    expect((await enter("another horse")).code).toBe(422);
    expect((await logIn(w, name, "a new horse")).code).toBe(200);
  });

  it("is chosen within a day", async () => {
    const { secret } = await ask<{ secret: string }>(w, "member:reset-password", name, ...why);
    w.pass(25 * HOUR_MS);
    const late = await w.call("/member/doLogin", { username: name, password: secret, new_password: "a new horse" });
    expect(late.data).toEqual({ reason: "login.failed" });
  });

  it("counts no right secret among the wrong ones, however often the next password is missing or weak", async () => {
    const { secret } = await ask<{ secret: string }>(w, "member:reset-password", name, ...why);
    for (let i = 0; i < 4; i++) expect((await logIn(w, name, "guess")).data).toEqual({ reason: "login.failed" });
    for (let i = 0; i < 8; i++) {
      expect((await logIn(w, name, secret)).data).toEqual({ reason: "password.choose" });
      const weak = await w.call("/member/doLogin", { username: name, password: secret, new_password: "password" });
      expect(weak.data).toHaveProperty("fields.new_password");
    }
    // Nor does it forgive them: they begin again, as after any right password.
    for (let i = 0; i < 5; i++) expect((await logIn(w, name, "guess")).code).toBe(422);
    expect((await logIn(w, name, secret)).code).toBe(429);
  });
});

describe("an account that an operator changed", () => {
  it.each([
    ["member:reset-password", "security.resetPassword", "We reset your login password and logged out all your devices"],
    [
      "member:reset-passcode",
      "security.resetPasscode",
      "We removed your payment passcode, so that you can set a new one",
    ],
    ["member:remove-passkeys", "security.removedPasskeys", "We removed your passkeys"],
    ["member:end-sessions", "security.endedSessions", "We logged out all your devices"],
  ])("pays nothing out until the cooling time is over, and reads why: %s", async (command, kind, text) => {
    await givePasskey(w, mia.memberId);
    const id = await asked(mia, 300);
    const { cooling_until } = await ask<{ cooling_until: number }>(w, command, name, ...why);
    expect(await reasonOf(approve(id))).toBe("withdraw.cooling");
    const refused = await operate(w, "withdraw:approve", `wdr_${id}`);
    expect([refused.exit, refused.err]).toEqual([
      1,
      "This account was changed a short time ago. Its withdrawals are paid out once the waiting time is over.\n",
    ]);
    mia = { ...mia, call: (path, input, options) => w.call(path, input, { token: again, ...options }) };
    const again = await anotherSession();
    const { cooling_until_ms: until } = await rules();
    expect(Math.floor(until / SECOND_MS)).toBe(cooling_until);
    expect(until).toBeGreaterThanOrEqual(w.now() + 24 * HOUR_MS);
    const told = (await messages("en_us")).filter(({ kind: one }) => one === kind);
    expect(told).toMatchObject([{ text: `${text}. Reason: You asked for it` }]);
    expect((await messages("ko_kr"))[0]!.text).toContain("요청하셨습니다");
    w.pass(until - w.now());
    expect(await rules()).toMatchObject({ cooling_until_ms: 0 });
    expect(await reasonOf(approve(id))).toBe("done");
  });

  it("gets its held money back whenever the withdrawal is refused", async () => {
    const id = await asked(mia, 300);
    await ask(w, "member:end-sessions", name, ...why);
    expect((await operate(w, "withdraw:reject", `wdr_${id}`, "--reason", "Stolen")).exit).toBe(0);
  });

  it("cools an approved withdrawal too", async () => {
    const id = await asked(mia, 300);
    await approve(id);
    await ask(w, "member:end-sessions", name, ...why);
    expect((await operate(w, "withdraw:pay", `wdr_${id}`)).exit).toBe(1);
  });

  it("cools as long as the setting says, and never shorter than before", async () => {
    await ask(w, "setting:set", "cooling_hours", "2");
    const end = async () =>
      (await ask<{ cooling_until: number }>(w, "member:end-sessions", name, ...why)).cooling_until;
    const until = await end();
    expect(Math.abs(until * SECOND_MS - w.now() - 2 * HOUR_MS)).toBeLessThan(HOUR_MS);
    await ask(w, "setting:set", "cooling_hours", "0");
    expect(await end()).toBe(until);
    await ask(w, "setting:set", "cooling_hours", "24");
  });
});

describe("a bank account", () => {
  it("is taken away, stated in the log, and replaced; the next one cools down", async () => {
    expect((await rules()).cooling_until_ms).toBe(0);
    await ask(w, "member:unbind-bank", name, ...why);
    expect((await mia.call("/member/getUserBankInfo")).data).toEqual({ is_bank: 0, info: null });
    expect((await mia.call("/member/setUserWirhdraw", { money: "300", paypwd: PIN })).data).toEqual({
      reason: "bank.missing",
    });
    w.pass(26 * HOUR_MS);
    await beProven(w, mia.memberId);
    expect((await bind(mia, { bankid: "9988776655" })).code).toBe(200);
    expect((await rules()).cooling_until_ms).toBe(w.now() + 24 * HOUR_MS);
    await asked(mia, 300);
    const leaves = await w.deps.db.read.select().from(memberLeaves).where(eq(memberLeaves.memberId, mia.memberId));
    const said = leaves.map(({ content }) => JSON.parse(content) as { kind: string; bank?: string });
    expect(said.map(({ kind }) => kind)).toEqual(["credit", "bank", "unbind", "bank", "withdrawal"]);
    expect([said[2]!.bank, said[4]!.bank]).toEqual([leaves[1]!.hash, leaves[3]!.hash]);
    expect(await ask(w, "audit")).toMatchObject({ ok: true });
  });

  it("stays while a withdrawal to it is open", async () => {
    const id = await asked(mia, 300);
    const { exit, err } = await operate(w, "member:unbind-bank", name, ...why);
    expect([exit, err]).toEqual([1, `decide first: wdr_${id} (withdraw:reject or withdraw:pay)\n`]);
    expect((await rules()).cooling_until_ms).toBe(0);
  });
});

describe("a real name", () => {
  it("is corrected, but not into another person's than the bank account's", async () => {
    expect((await operate(w, "member:rename", name, "--name", "Tom Le", ...why)).err).toBe(
      "their bank account is Mia Tran's: use member:unbind-bank first\n",
    );
    await ask(w, "member:rename", name, "--name", "Mía TRAN", ...why);
    expect((await mia.call("/member/getUserInfo")).data.name).toBe("Mía TRAN");
  });
});

describe("a password", () => {
  const change = (old = PASSWORD, next = "another horse") =>
    mia.call("/member/setLoginPassword", { old_password: old, new_password: next });

  it("cools down when its member changes it, and money waits until the time that they are shown", async () => {
    const id = await asked(mia, 300);
    expect((await change()).code).toBe(200);
    const { cooling_until_ms: until } = await rules();
    expect(until).toBe(w.now() + 24 * HOUR_MS);
    expect(await reasonOf(approve(id))).toBe("withdraw.cooling");
    w.pass(until - w.now());
    expect(await rules()).toMatchObject({ cooling_until_ms: 0 });
    expect(await reasonOf(approve(id))).toBe("done");
  });

  it("cools nothing down when it stays as it is", async () => {
    expect((await change("guess")).code).toBe(422);
    expect((await change(PASSWORD, "password")).code).toBe(400);
    expect((await rules()).cooling_until_ms).toBe(0);
  });

  it("that changes while a withdrawal is approved lets no money leave", async () => {
    const id = await asked(mia, 300);
    const [changed, approved] = await Promise.all([change(), reasonOf(approve(id))]);
    expect([changed.code, approved]).toEqual([200, expect.toBeOneOf(["done", "withdraw.cooling"])]);
    expect((await operate(w, "withdraw:pay", `wdr_${id}`)).exit).toBe(1);
  });

  it("that two devices change at once cools down once, with the one that was first", async () => {
    const replies = await Promise.all([change(PASSWORD, "battery one"), change(PASSWORD, "battery two")]);
    expect(replies.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 422]);
    expect((await rules()).cooling_until_ms).toBe(w.now() + 24 * HOUR_MS);
  });
});

describe("a passcode", () => {
  it("cools down when its member changes it, and not when it is the first", async () => {
    await ask(w, "setting:set", "edit_paypwd", "1");
    expect((await rules()).cooling_until_ms).toBe(0);
    const changed = await mia.call("/member/editPayPassword", { oldpaypwd: PIN, paypassword: "135791" });
    expect(changed.code).toBe(200);
    expect((await rules()).cooling_until_ms).toBe(w.now() + 24 * HOUR_MS);
  });

  it("is taken from its member alone", async () => {
    const { db } = w.deps;
    const withPasscode = () =>
      db.read.select({ id: members.id }).from(members).where(isNotNull(members.payPinHash)).orderBy(members.id);
    const ben = await w.player(`ben_${count}`);
    await give(w, ben.memberId, { pin: "246810" });
    const before = await withPasscode();
    await ask(w, "member:reset-passcode", name, ...why);
    expect(await withPasscode()).toEqual(before.filter(({ id }) => id !== mia.memberId));
  });

  it("is free of its lock once an operator reset it", async () => {
    for (let i = 0; i < 6; i++) await mia.call("/member/setUserWirhdraw", { money: "300", paypwd: "999999" });
    await ask(w, "member:reset-passcode", name, ...why);
    expect((await mia.call("/member/setPayPassword", { paypassword: "975310" })).code).toBe(200);
    w.pass(MINUTE_MS);
    expect((await mia.call("/member/setUserWirhdraw", { money: "300", paypwd: "975310" })).code).toBe(200);
  });
});

describe("a name or an invite", () => {
  it("is found with spaces around it, and in capitals", async () => {
    await ask(w, "invite:add", "Spring26", "--uses", "1");
    expect((await operate(w, "invite:add", "SPRING26")).exit).toBe(1);
    const form = { username: ` Kim_${count} `, password: PASSWORD, code: " spring26" };
    expect((await w.call("/member/doRegister", form)).code).toBe(200);
    expect((await w.call("/member/doRegister", { ...form, username: `lea_${count}` })).code).toBe(400);
    expect((await logIn(w, `KIM_${count} `)).code).toBe(200);
  });
});

describe("what a terminal prints", () => {
  it("neither moves its cursor nor turns its direction", async () => {
    await ask(w, "notice:add", "--name", "a\u202eb", "--text", "t");
    await ask(w, "member:rename", name, "--name", "Mia Tran", "--reason", "why");
    await asked(mia, 300);
    await operate(w, "withdraw:reject", "wdr_1", "--reason", "x\u001b[2J\u202ey");
    const { out } = await operate(w, "withdraw:list", "--json");
    expect(["\u001b", "\u202e"].filter((one) => out.includes(one))).toEqual([]);
    const lost = await operate(w, "member:show", "a\u001b[2J\u202e");
    expect(lost.err).toBe("there is no member a\\u001b[2J\\u202e\n");
  });
});

describe("a write by GET", () => {
  it("is served while the setting says so", async () => {
    const byGet = () => send(w, { method: "GET", path: `/member/setName?name=Mia`, token: mia.token });
    expect((await byGet()).code).toBe(409);
    await ask(w, "setting:set", "get_writes", "0");
    expect((await byGet()).code).toBe(404);
    await ask(w, "setting:set", "get_writes", "1");
  });
});

describe("a member on a break, or locked", () => {
  it("buys no plan on a break", async () => {
    await w.deps.db.transact((tx) =>
      tx.insert(plans).values({ id: `p${count}`, name: "A month", days: 30, price: 100, position: 0 }),
    );
    const until = String(Math.floor(w.now() / SECOND_MS) + 7 * 86_400);
    expect((await mia.call("/member/limits", { exclude_until: until })).code).toBe(200);
    expect((await mia.call("/member/buyPlan", { id: `p${count}` })).data).toEqual({ reason: "member.excluded" });
  });

  it("logs out while locked", async () => {
    await ask(w, "member:lock", name, "--reason", "A test");
    expect((await mia.call("/member/doLogout", {})).code).toBe(200);
    expect((await whoIs(w, mia.token)).code).toBe(401);
  });
});

/** A session of the same member, whatever became of the first. */
async function anotherSession(): Promise<string> {
  const { openSession } = await import("#server/domains/session/open-session.ts");
  return w.deps.db.transact((tx) => openSession(tx, w.deps, mia.memberId, { ip: "127.0.0.1", agent: "test" }));
}
