import { describe, expect, it } from "vitest";
import { headAddress } from "#shared/log/address.ts";
import { keyOf, keyText, noteText, parseKey, parseNote } from "#shared/log/note.ts";
import { openShelf } from "#client/watch/shelf.ts";
import { GAME, House, roundAt } from "./house.ts";
import { restored } from "./restored.ts";
import { Phone } from "./phone.ts";

const flipped = (hex: string) => (hex.startsWith("0") ? "1" : "0") + hex.slice(1);

/** The house's head under the house's name, and signed by another. */
function withSignatureOf(house: House, other: House): string {
  const note = parseNote(house.note())!;
  const [theirs] = parseNote(other.note())!.signatures;
  return noteText({ ...note, signatures: [{ ...note.signatures[0]!, bytes: theirs!.bytes }] });
}

async function watching(): Promise<{ house: House; phone: Phone }> {
  const house = new House();
  const phone = new Phone(house);
  await phone.hear({ type: "head", head: house.note() });
  return { house, phone };
}

describe("a phone that watches an honest house", () => {
  it("keeps its key and its first head, counts each round, and finds nothing", async () => {
    const { house, phone } = await watching();
    const first = house.note();
    for (let number = 1; number <= 3; number++) await phone.round(number);
    await phone.wait();
    expect(await phone.found()).toEqual([]);
    expect(await phone.report()).toMatchObject({ rounds: 3, untold: 0, size: house.size, findings: [], lost: null });
    expect(await phone.kept.currentLog()).toMatchObject({ key: house.key, first, newest: house.note() });
  });

  it("asks for no proof while each head brings one", async () => {
    const { house, phone } = await watching();
    for (let number = 1; number <= 3; number++) await phone.round(number);
    await phone.wait();
    // The first closing follows from no head that the watchers were told before.
    expect(phone.asked.filter((one) => one === "consistency")).toHaveLength(1);
    expect((await phone.kept.currentLog())!.newest).toBe(house.note());
  });

  it("that missed heads asks for the proof, and goes on from there", async () => {
    const { house, phone } = await watching();
    await phone.round(1);
    await phone.wait();
    house.close(2);
    house.close(3);
    await phone.hear({ type: "head", head: house.note() });
    await phone.wait();
    expect((await phone.kept.currentLog())!.newest).toBe(house.note());
    expect(await phone.found()).toEqual([]);
  });

  it("counts apart what it was not told before the draw, and no round twice", async () => {
    const { house, phone } = await watching();
    await phone.hear(house.open(1));
    await phone.wait();
    await phone.hear(house.result(1), house.result(1));
    await phone.round(2);
    await phone.wait();
    await phone.hear(house.result(2), house.result(1));
    expect(await phone.report()).toMatchObject({ rounds: 1, untold: 1, findings: [] });
  });

  it("takes a closing that comes after its draw for none", async () => {
    const { house, phone } = await watching();
    await phone.hear(house.open(1));
    await phone.wait();
    const told = house.close(1);
    await phone.hear(house.result(1));
    await phone.hears(told);
    expect(await phone.kept.closing(house.signer.key.name, GAME, roundAt(1))).toBeUndefined();
  });

  it("keeps the anchor that it saw first, and walks back to the seed it checked last", async () => {
    const { house, phone } = await watching();
    await phone.round(5);
    await phone.round(9);
    expect(await phone.kept.seed(house.signer.key.name, GAME, "20260302")).toMatchObject({ number: 9 });
    expect(await phone.found()).toEqual([]);
  });
});

describe("a phone says of", () => {
  it("a head that is none", async () => {
    const { phone } = await watching();
    await phone.hear({ type: "head", head: "no head\n" });
    expect(await phone.found()).toEqual(["head"]);
  });

  it("a head that another key signed", async () => {
    const { house, phone } = await watching();
    house.close(1);
    await phone.hear({ type: "head", head: withSignatureOf(house, new House("other")) });
    expect(await phone.found()).toEqual(["signature"]);
    expect((await phone.kept.currentLog())!.newest).toBe(house.note(2));
  });

  it("a first key that the origin does not name", async () => {
    const [house, other] = [new House(), new House("other")];
    const phone = new Phone(house);
    const name = house.signer.key.name;
    const key = keyText(keyOf(name, other.signer.key.publicKey));
    expect(parseKey(key)).not.toBeNull();
    phone.instead.head = () => ({ ...house.headReply(), key });
    await phone.hear({ type: "head", head: house.note() });
    expect(await phone.found()).toEqual(["key"]);
    expect(await phone.kept.currentLog()).toBeUndefined();
  });

  it("two heads of one size", async () => {
    const [house, liar] = [new House(), new House()];
    const phone = new Phone(house);
    house.close(1);
    liar.close(1, { stake: 700 });
    await phone.hear({ type: "head", head: house.note() }, { type: "head", head: liar.note() });
    expect(await phone.found()).toEqual(["fork"]);
  });

  it("a head that does not begin with what was seen", async () => {
    const [house, liar] = [new House(), new House()];
    const phone = new Phone(house);
    house.close(1);
    await phone.hear({ type: "head", head: house.note() });
    liar.close(1, { stake: 700 });
    liar.close(2);
    phone.house = liar;
    await phone.hears(liar.tell(2));
    await phone.wait();
    expect(await phone.found()).toEqual(["fork"]);
    expect((await phone.kept.currentLog())!.newest).toBe(house.note());
  });

  it("a log that got shorter", async () => {
    const { house, phone } = await watching();
    house.close(1);
    await phone.hear({ type: "head", head: house.note() });
    await phone.wait();
    phone.house = new House();
    await phone.hear({ type: "head", head: phone.house.note() });
    await phone.wait();
    expect(await phone.found()).toEqual(["noProof"]);
  });

  it("nothing while the house does not answer", async () => {
    const { house, phone } = await watching();
    house.close(1);
    phone.instead.consistency = () => {
      throw new Error("no answer");
    };
    await phone.hear({ type: "head", head: house.note() });
    await phone.wait();
    expect(await phone.found()).toEqual([]);
  });

  it("another log that it does not say that it continues ours, once, and watches that one from then on", async () => {
    const { phone } = await watching();
    const other = new House("other");
    phone.house = other;
    await phone.hear({ type: "head", head: other.note() }, { type: "head", head: other.note() });
    await phone.round(1);
    expect(await phone.found()).toEqual(["otherLog"]);
    expect((await phone.report()).log!.origin).toBe(other.signer.key.name);
    expect(phone.told.filter(({ to }) => to === "found")).toEqual([{ to: "found", kind: "otherLog", member: "" }]);
  });

  it.each([
    ["of a few leaves", 0],
    ["of many leaves", 700],
  ])("a log %s that says it continues ours after a loss: that, and no worse", async (_, leaves) => {
    const { house, phone } = await watching();
    phone.house = restored(house);
    for (let time = 0; time < leaves; time++) phone.house.state({ kind: "time", time: 1_000 + time });
    await phone.hear({ type: "head", head: phone.house.note() });
    expect(await phone.found()).toEqual(["restored"]);
  });

  it("a log that says it continues another one, or whose files do not prove what they say", async () => {
    for (const lies of [false, true]) {
      const { house, phone } = await watching();
      phone.house = restored(lies ? house : new House("other"));
      const note = phone.house.note();
      if (lies) phone.house.file = async (path) => restored(house, { at: 6 }).file(path);
      await phone.hear({ type: "head", head: note });
      expect(await phone.found()).toEqual(["otherLog"]);
    }
  });

  it("another log nothing yet while its files cannot be read", async () => {
    const { house, phone } = await watching();
    phone.house = new House("other");
    phone.house.file = () => Promise.reject(new Error("no answer"));
    await phone.hear({ type: "head", head: phone.house.note() });
    expect(await phone.found()).toEqual([]);
    expect((await phone.kept.currentLog())!.origin).toBe(house.signer.key.name);
  });

  it.each([
    ["whose path leads elsewhere", (hex: string[]) => hex.map(flipped)],
    ["without its path", () => []],
    ["whose path is no path", () => ["short"]],
  ])("a closing %s", async (_, spoil) => {
    const { house, phone } = await watching();
    const told = house.close(1);
    await phone.hears({ ...told, path: spoil(told.path) });
    expect(await phone.found()).toEqual(["closing"]);
  });

  it("no seed of another log that was not met yet", async () => {
    const { phone } = await watching();
    await phone.round(1);
    phone.house = new House("other");
    await phone.hear(phone.house.result(2));
    expect(await phone.found()).toEqual(["otherLog"]);
  });

  it("a closing of another round", async () => {
    const { house, phone } = await watching();
    await phone.hears({ ...house.close(1), expect: roundAt(2) });
    expect(await phone.found()).toEqual(["closing"]);
  });

  it("a second closing of one round", async () => {
    const { house, phone } = await watching();
    await phone.hears(house.close(1));
    await phone.hears(house.close(1, { stake: 500 }));
    expect(await phone.found()).toEqual(["otherClosing"]);
  });

  it("an anchor that was another one", async () => {
    const { house, phone } = await watching();
    await phone.round(1);
    phone.instead.anchors = () => house.anchorsReply({ anchor: flipped(house.anchor) });
    await phone.hear({ ...house.open(1), expect: "20260303-0001" });
    await phone.wait();
    expect(await phone.found()).toEqual(["otherAnchor"]);
  });

  it("a commit that changes while the round is open", async () => {
    const { house, phone } = await watching();
    await phone.hear(house.open(1), { ...house.open(1), commit: house.commit(2) });
    expect(await phone.found()).toEqual(["otherCommit"]);
  });

  it("a seed that is not the committed one, nor in the chain", async () => {
    const { house, phone } = await watching();
    await phone.hear(house.open(2));
    await phone.wait();
    const other = new House("other");
    await phone.hear(house.result(2, { seed: other.seed(2), opencode: other.dice(2) }));
    expect((await phone.found()).sort()).toEqual(["otherCommit", "seed"]);
    expect(await phone.report()).toMatchObject({ rounds: 0, untold: 0 });
  });

  it.each([
    ["no seed at all", "none"],
    ["a seed in capitals", "AB".repeat(32)],
  ])("%s", async (_, seed) => {
    const { house, phone } = await watching();
    await phone.hear(house.open(1));
    await phone.wait();
    await phone.hear(house.result(1, { seed }));
    expect(await phone.found()).toEqual(["seed"]);
  });

  it("the seed of another place in the day", async () => {
    const { house, phone } = await watching();
    await phone.round(1);
    await phone.hear(house.result(3, { seed: house.seed(4), opencode: [] }));
    expect(await phone.found()).toContain("seed");
  });

  it("dice that the seed does not give", async () => {
    const { house, phone } = await watching();
    await phone.hear(house.open(1));
    await phone.wait();
    await phone.hear(house.result(1, { opencode: house.dice(2).map((face) => 7 - face) }));
    expect(await phone.found()).toEqual(["dice"]);
  });

  it.each([
    ["no head", () => null],
    ["a head without the closing", (house: House) => house.size - 2],
    ["a head after the one that was told", (house: House) => house.size + 1],
  ])("a result that names %s", async (_, head) => {
    const { house, phone } = await watching();
    await phone.hear(house.open(1));
    await phone.wait();
    await phone.hears(house.close(1));
    await phone.hear(house.result(1, { head: head(house) }));
    expect(await phone.found()).toEqual(["lateHead"]);
  });
});

describe("two phones", () => {
  it("that saw the same head, or one after the other, agree", async () => {
    const { house, phone } = await watching();
    const { address } = await phone.report();
    expect(await phone.watcher.answer("compare", { address: address!, member: "" })).toBe("same");
    house.close(1);
    await phone.watcher.answer("renew", {});
    expect(await phone.watcher.answer("compare", { address: address!, member: "" })).toBe("linked");
    expect(await phone.found()).toEqual([]);
  });

  it("that were shown two faces of one log find it", async () => {
    const [house, liar] = [new House(), new House()];
    house.close(1);
    liar.close(1, { stake: 700 });
    liar.close(2);
    const [mine, theirs] = [new Phone(house), new Phone(liar)];
    await mine.hear({ type: "head", head: house.note() });
    const { address } = await theirs.report();
    mine.house = liar;
    expect(await mine.watcher.answer("compare", { address: address!, member: "" })).toBe("differs");
    expect(await mine.found()).toEqual(["fork"]);
  });

  it("are told what cannot be compared", async () => {
    const { house, phone } = await watching();
    const compare = (address: string) => phone.watcher.answer("compare", { address, member: "" });
    const other = new Phone(new House("other"));
    expect(await compare((await other.report()).address!)).toBe("otherLog");
    expect(await compare("https://house.example/Proof#head=AAAA")).toBe("unreadable");
    const forged = headAddress(
      "https://house.example/Proof",
      parseNote(withSignatureOf(house, other.house))!,
      house.signer.key,
    )!;
    expect(await compare(forged)).toBe("unsigned");
    house.close(1);
    const newer = new Phone(house);
    const their = (await newer.report()).address!;
    phone.instead.consistency = () => {
      throw new Error("no answer");
    };
    expect(await compare(their)).toBe("unknown");
  });
});

describe("a head with a line that is too long for a code", () => {
  it("is kept, and hides nothing of what was found", async () => {
    const { house, phone } = await watching();
    await phone.hear({ type: "head", head: withSignatureOf(house, new House("other")) });
    house.endHead();
    const head = house.noteWith("x".repeat(1_000));
    await phone.hear({ type: "head", head });
    await phone.wait();
    const report = await phone.report();
    expect(report).toMatchObject({ address: null, log: { newest: head }, findings: [{ kind: "signature" }] });
  });
});

describe("what is kept", () => {
  it.each(["report", "findings"] as const)("is said again at each visit until somebody got the %s", async (request) => {
    const { phone } = await watching();
    await phone.hear({ type: "head", head: "no head\n" });
    const visit = async () => {
      phone.told.length = 0;
      await phone.hear({ type: "member", member: "" });
      return phone.told;
    };
    expect(await visit()).toEqual([{ to: "found", kind: "head", member: "" }]);
    await expect(phone.watcher.answer("report", { member: "", page: "no address" })).rejects.toThrow("Invalid URL");
    expect(await visit()).toHaveLength(1);
    await phone.watcher.answer(request, { member: "", page: "https://house.example/Proof" });
    expect(await visit()).toEqual([]);
  });

  it("and was lost is said when the page remembers that it was there", async () => {
    const phone = new Phone(new House());
    await phone.watcher.begin(5);
    expect((await phone.report()).lost).toEqual({ since: 5, at: phone.now });
  });

  it("lives in memory where the browser has no database, and says so", async () => {
    const shelf = await openShelf();
    expect(shelf.isLasting).toBe(false);
  });

  it("is dropped after 30 days, but not what was found", async () => {
    const { house, phone } = await watching();
    await phone.round(1);
    await phone.hear({ type: "head", head: "no head\n" });
    phone.now += 31 * 86_400_000;
    await phone.watcher.begin(null);
    const { name } = house.signer.key;
    expect(await phone.kept.closing(name, GAME, roundAt(1))).toBeUndefined();
    expect(await phone.kept.anchor(name, GAME, "20260302")).toBeUndefined();
    expect(await phone.found()).toEqual(["head"]);
    await phone.wait();
    expect((await phone.report()).rounds).toBe(1);
  });
});
