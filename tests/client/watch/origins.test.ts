import { describe, expect, it } from "vitest";
import { takesNothing } from "#client/screens/log/found-words.ts";
import { noteText, parseNote } from "#shared/log/note.ts";
import { entriesPath, tilePath } from "#shared/log/tiles.ts";
import { checked, saidOf } from "../../log/evidence-of-app.ts";
import { GAME, House, MEMBER } from "./house.ts";
import { restored } from "./restored.ts";
import { Phone } from "./phone.ts";

async function watching(house = new House()): Promise<{ house: House; phone: Phone }> {
  const phone = new Phone(house);
  await phone.round(1);
  await phone.wait();
  return { house, phone };
}

/** The phone is shown another log than before. */
async function showing(phone: Phone, house: House): Promise<string[]> {
  phone.house = house;
  await phone.hear({ type: "head", head: house.note() });
  await phone.wait();
  return phone.found();
}

/** A head that its key did not sign. */
function unsigned(head: string): string {
  const note = parseNote(head)!;
  const spoil = (bytes: Uint8Array) => bytes.map((byte, i) => (i === 9 ? byte ^ 1 : byte));
  return noteText({ ...note, signatures: note.signatures.map((one) => ({ ...one, bytes: spoil(one.bytes) })) });
}

describe("a house that was restored more than once between two visits", () => {
  it("is said to be restored, and no worse, and each restore is kept", async () => {
    const { house, phone } = await watching();
    const third = restored(restored(restored(house)));
    expect(await showing(phone, third)).toEqual(["restored"]);
    const { log } = await phone.report();
    expect([log!.before, log!.restores!.map(({ number }) => number)]).toEqual([house.signer.key.name, [1, 2, 3]]);
  });

  it("is not taken for another log by a browser that keeps files of the log before for ever", async () => {
    const { house, phone } = await watching();
    const next = restored(house);
    while (next.size < house.size) next.endHead();
    while (house.size < next.size) house.endHead();
    const { size, signer } = house;
    for (const path of [entriesPath({ index: 0, width: size }), tilePath({ level: 0, index: 0, width: size })])
      await phone.read(path, signer.key.name);
    expect(await showing(phone, next)).toEqual(["restored"]);
  });

  it("counts the restores of all visits", async () => {
    const { house, phone } = await watching();
    const first = restored(house);
    await showing(phone, first);
    expect(await showing(phone, restored(restored(first)))).toEqual(["restored", "restored"]);
    expect((await phone.report()).log!.restores!.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it("is another log nothing yet while it does not say what it continues", async () => {
    const { house, phone } = await watching();
    phone.instead.origins = () => {
      throw new Error("no answer");
    };
    expect(await showing(phone, restored(restored(house)))).toEqual([]);
    delete phone.instead.origins;
    expect(await showing(phone, restored(restored(house)))).toEqual(["restored"]);
  });

  it.each([
    ["leaves one out", (all: House["origins"]) => all.slice(1)],
    ["shows another key", ([one, ...all]: House["origins"]) => [{ ...one!, key: all[0]!.key }, ...all]],
    ["shows another head", ([one, ...all]: House["origins"]) => [{ ...one!, head: all[0]!.head }, ...all]],
    ["shows a head of its own", ([one, ...all]: House["origins"]) => [{ ...one!, head: unsigned(one!.head) }, ...all]],
    ["shows another leaf", ([one, ...all]: House["origins"]) => [{ ...one!, leaf: all[0]!.leaf }, ...all]],
    ["shows no path", ([one, ...all]: House["origins"]) => [{ ...one!, path: ["00".repeat(32)] }, ...all]],
  ])("is another log where it %s", async (_, spoil) => {
    const { house, phone } = await watching();
    const second = restored(restored(house));
    phone.instead.origins = () => spoil(second.origins);
    expect(await showing(phone, second)).toEqual(["otherLog"]);
  });

  it("is another log where a restore skips one, or counts otherwise", async () => {
    const skipping = await watching();
    const next = restored(skipping.house, { number: 2 });
    expect(await showing(skipping.phone, next)).toEqual(["otherLog"]);
    const later = await watching();
    const last = restored(restored(later.house), { number: 3 });
    expect(await showing(later.phone, last)).toEqual(["otherLog"]);
    const back = await watching();
    await showing(back.phone, restored(back.house));
    expect(await showing(back.phone, restored(restored(back.house), { number: 1 }))).toEqual(["restored", "otherLog"]);
  });
});

describe("a restore that names the end of the log before", () => {
  const endOf = (house: House, size: number, root: string) => `${house.signer.key.name}\n${size}\n${root}\n`;

  it("with another head than was seen of that size is another log", async () => {
    const { house, phone } = await watching();
    const old = endOf(house, house.size, `${"A".repeat(43)}=`);
    expect(await showing(phone, restored(house, { old }))).toEqual(["otherLog"]);
  });

  it("earlier than was seen is a restore that lost something: nothing is green", async () => {
    const { house, phone } = await watching();
    const { text } = parseNote(house.note(2))!;
    expect(await showing(phone, restored(house, { old: text, kept: 2 }))).toEqual(["restored"]);
    expect((await phone.report()).findings.every(takesNothing)).toBe(false);
    const whole = await watching();
    await showing(whole.phone, restored(whole.house));
    expect((await whole.phone.report()).findings.every(takesNothing)).toBe(true);
  });
});

describe("a log that a restore has ended", () => {
  /** The phone was shown the restore, and that is a while ago. */
  async function afterRestore() {
    const { house, phone } = await watching();
    const next = restored(house);
    await showing(phone, next);
    const origin = async () => (await phone.kept.currentLog())!.origin;
    return { house, next, phone, origin, name: next.signer.key.name };
  }
  const grow = (house: House) => {
    for (let i = 0; i < 5; i++) house.endHead();
  };

  it("is not followed again, whoever still shows it, and nobody is accused for its end", async () => {
    const { house, next, phone, origin, name } = await afterRestore();
    const long = 3_600_000;
    for (const passed of [1_000, long]) {
      phone.now += passed;
      expect([await showing(phone, house), await origin()]).toEqual([["restored"], name]);
      expect(await phone.watcher.answer("log", {})).toBe(name);
    }
    expect((await phone.report()).unchecked.log).toMatchObject({ origin: name });
    next.endHead();
    await showing(phone, next);
    expect((await phone.report()).unchecked.log).toBeNull();
  });

  it("and a server that had told more of it than the restore knows is accused of nothing in the first minutes", async () => {
    const { house, phone, origin, name } = await afterRestore();
    grow(house);
    phone.now += 60_000;
    expect([await showing(phone, house), await origin()]).toEqual([["restored"], name]);
    // What comes late of it is not what the house shows now.
    phone.now += 3_600_000;
    const late = house.note();
    phone.house = restored(house);
    await phone.hear({ type: "head", head: late });
    expect(await phone.found()).toEqual(["restored"]);
  });

  it("and that a server still signs notes for is no fraud in the first minutes, and is later", async () => {
    const { house, phone } = await afterRestore();
    await phone.hear(house.balance(1, 400));
    await phone.hear({ type: "chain", member: MEMBER, note: house.chainNote() });
    expect(await phone.found()).toEqual(["restored"]);
    phone.now += 3_600_000;
    await phone.hear(house.balance(1, 400));
    expect(await phone.found()).toEqual(["restored", "balance"]);
  });

  it("that goes on is another log, and its head is the evidence", async () => {
    const { house, phone, origin, name } = await afterRestore();
    grow(house);
    house.rotate("another key");
    phone.now += 3_600_000;
    expect([await showing(phone, house), await origin()]).toEqual([["restored", "otherLog"], name]);
    const [finding] = await phone.kept.findings("");
    expect(finding).toMatchObject({
      origin: name,
      subject: house.signer.key.name,
      evidence: { before: { origin: name }, now: { newest: house.note() } },
    });
    const content = await phone.evidence();
    expect(checked(content).isBroken).toBe(false);
    expect(saidOf(content, "signed").join("\n")).toContain(`${house.size} leaves`);
  });

  it("does not hide what the new one does: the answer is open, and then held against it", async () => {
    const { house, next, phone } = await afterRestore();
    await phone.hear(next.open(2));
    await phone.wait();
    await phone.hears(next.close(2));
    phone.house = house;
    await phone.hear(next.result(2, { opencode: [6, 6, 6] }));
    phone.house = next;
    phone.now += 3_600_000;
    next.endHead();
    expect(await showing(phone, next)).toEqual(["restored", "dice"]);
  });

  it("is not entered, where this device had never met it", async () => {
    const { house, phone } = await watching();
    const second = restored(house);
    const third = restored(second);
    await showing(phone, third);
    expect(await showing(phone, second)).toEqual(["restored"]);
    expect((await phone.kept.currentLog())!.origin).toBe(third.signer.key.name);
  });
});

describe("two phones on both sides of a restore", () => {
  const addressOf = async (phone: Phone) => ({ address: (await phone.report()).address!, member: "" });

  it("are told that one log continues the other, whichever of them compares", async () => {
    const { house, phone } = await watching();
    const before = await addressOf(phone);
    const next = restored(restored(house));
    const after = new Phone(next);
    await showing(after, next);
    const theirs = await addressOf(after);
    // One that has not met the restore, and whose server has not heard of it.
    phone.instead.origins = () => next.origins;
    expect(await phone.watcher.answer("compare", theirs)).toBe("restored");
    phone.instead.origins = () => {
      throw new Error("no answer");
    };
    expect(await phone.watcher.answer("compare", theirs)).toBe("unknown");
    delete phone.instead.origins;
    expect(await phone.watcher.answer("compare", theirs)).toBe("otherLog");
    phone.house = next;
    expect(await phone.watcher.answer("compare", theirs)).toBe("restored");
    expect(await phone.watcher.answer("compare", before)).toBe("restored");
    expect(await phone.watcher.answer("compare", theirs)).toBe("same");
    expect(await phone.found()).toEqual(["restored"]);
  });

  it("that were shown two faces of the log before find it", async () => {
    const { house, phone } = await watching();
    const liar = new House();
    liar.close(1, { stake: 700 });
    while (liar.size < house.size) liar.endHead();
    const other = new Phone(liar);
    await other.hear({ type: "head", head: liar.note() });
    const theirs = await addressOf(other);
    await showing(phone, restored(house));
    expect(await phone.watcher.answer("compare", theirs)).toBe("differs");
    expect(await phone.found()).toEqual(["restored", "fork"]);
    expect(checked(await phone.evidence())).toMatchObject({ isProven: true, isBroken: false });
  });
});

describe("the days of a house that was restored", () => {
  it("are those of before, and as old as they were there", async () => {
    const { house, phone } = await watching();
    const next = restored(house);
    next.told.time = Date.UTC(2026, 2, 2);
    await showing(phone, next);
    await phone.round(2);
    expect(await phone.found()).toEqual(["restored"]);
    expect((await phone.report()).days).toEqual({ young: 0, unproved: 0 });
    expect(await phone.kept.anchor(next.signer.key.name, GAME, "20260302")).toMatchObject({ anchor: house.anchor });
  });

  it.each([
    ["once", (house: House, days?: string) => restored(house, {}, days)],
    ["twice", (house: House, days?: string) => restored(restored(house), {}, days)],
  ])("are not others after it was restored %s", async (_, restoring) => {
    const { house, phone } = await watching();
    const next = restoring(house, "another day");
    await showing(phone, next);
    await phone.hear(next.open(2));
    await phone.wait();
    expect(await phone.found()).toEqual(["restored", "otherAnchor"]);
    const [finding] = await phone.kept.findings("");
    expect(finding!.evidence).toMatchObject({ kept: { anchor: house.anchor }, shown: { anchor: next.anchor } });
  });
});
