import { describe, expect, it } from "vitest";
import { verdictOfText } from "#client/screens/log/judge-evidence.ts";
import { evidenceOf, shownOf } from "#client/watch/evidence-of.ts";
import { nameOf } from "#client/watch/finding.ts";
import { checked, saidOf } from "../../log/evidence-of-app.ts";
import { House, MEMBER } from "./house.ts";
import { Phone } from "./phone.ts";
import { restored } from "./restored.ts";

/** A phone with three bets, whose house was then restored with the first one alone. */
async function afterLoss() {
  const house = new House();
  const phone = new Phone(house);
  await phone.hear({ type: "head", head: house.note() }, house.open(1));
  await phone.wait();
  for (const order of ["bet_1", "bet_2", "bet_3"]) {
    phone.now++;
    expect(await phone.watcher.answer("take", house.bet(order, 1))).toBe("right");
  }
  const next = restored(house);
  const asked: string[] = [];
  phone.instead.proof = ({ id }) => {
    asked.push(id);
    return id === "bet_1" ? house.proof(id) : null;
  };
  const visit = async (events = 6) => {
    await phone.hear({ type: "head", head: phone.house.note() }, { type: "member", member: MEMBER });
    for (let i = 0; i < events; i++) await phone.wait();
  };
  const states = async () => (await phone.kept.receipts(MEMBER)).map(({ state }) => state);
  return { house, next, phone, asked, visit, states };
}

describe("bets that a restore lost", () => {
  it("are not looked for where what came for a receipt names no bet", async () => {
    const house = new House();
    const phone = new Phone(house);
    await phone.hear({ type: "head", head: house.note() }, house.open(1));
    const { placed } = house.bet("bet_9", 1);
    expect(await phone.watcher.answer("take", { placed, receipt: "none" })).toBe("wrong");
    await phone.meets(restored(house));
    await phone.hear({ type: "member", member: MEMBER });
    await phone.wait();
    expect([phone.asked.includes("proof"), (await phone.found()).sort()]).toEqual([false, ["receipt", "restored"]]);
  });

  it("are listed, and no bet that the house still has", async () => {
    const { next, phone, asked, visit, states } = await afterLoss();
    phone.house = next;
    await visit();
    // What is still there is then checked as ever.
    expect(asked).toEqual(["bet_3", "bet_2", "bet_1", "bet_1"]);
    expect([(await phone.found()).sort(), await states()]).toEqual([
      ["betLost", "betLost", "restored"],
      ["taken", "lost", "lost"],
    ]);
    const lost = (await phone.kept.findings(MEMBER)).filter(({ kind }) => kind === "betLost");
    expect(lost.map(({ evidence }) => (evidence as { receipt: { order: string } }).receipt.order).sort()).toEqual([
      "bet_2",
      "bet_3",
    ]);
  });

  it("are each asked for once, and those that are there once more after another restore", async () => {
    const { next, phone, asked, visit, states } = await afterLoss();
    phone.house = next;
    await visit();
    await visit();
    expect(asked.filter((order) => order !== "bet_1")).toEqual(["bet_3", "bet_2"]);
    phone.house = restored(next);
    phone.instead.proof = () => null;
    await visit();
    expect(await states()).toEqual(["lost", "lost", "lost"]);
  });

  it("are lost, too, where another bet has the name now", async () => {
    const { house, next, phone, visit, states } = await afterLoss();
    phone.house = next;
    const other = new House("other");
    other.bet("bet_2", 1, { stake: 900 });
    phone.instead.proof = ({ id }) => (id === "bet_2" ? other : house).proof(id);
    await visit();
    expect(await states()).toEqual(["taken", "lost", "taken"]);
  });

  it("are each shown by the log that took them, also where another bet has the name now", async () => {
    const { house, next, phone, visit } = await afterLoss();
    phone.house = next;
    await visit();
    const again = next.bet("bet_2", 1);
    expect(await phone.watcher.answer("take", again)).toBe("right");
    const named = (origin: string | null) => phone.watcher.answer("order", { member: MEMBER, order: "bet_2", origin });
    const lost = (await named(house.signer.key.name))!;
    expect(lost).toMatchObject({ receipt: { state: "lost" }, findings: [{ kind: "betLost" }] });
    expect(await named(null)).toMatchObject({ receipt: { state: "taken", receipt: again.receipt }, findings: [] });
    // What its page saves is judged by itself, and so is what the page says of it.
    const file = evidenceOf(shownOf(lost), "https://house.example", phone.now);
    expect(saidOf(file, "signed")).toEqual([expect.stringContaining("The receipt of bet_2 is signed")]);
    expect([verdictOfText(file), saidOf(file, "claimed")]).toEqual([
      "claims",
      ["After a loss, the house no longer has the bet bet_2, of which it had signed this receipt."],
    ]);
    const told = phone.told.filter((one) => one.to === "found" && one.kind === "betLost");
    expect(told).toContainEqual(expect.objectContaining({ bet: nameOf(lost.receipt) }));
  });

  it("are in the file with their signed receipts, which convict nobody", async () => {
    const { next, phone, visit } = await afterLoss();
    phone.house = next;
    await visit();
    const content = await phone.evidence();
    expect(checked(content)).toMatchObject({ isProven: false, isBroken: false });
    expect(saidOf(content, "signed").filter((one) => one.startsWith("The receipt of bet_"))).toHaveLength(2);
    expect(saidOf(content, "claimed").join("\n")).toMatch(/no longer has the bet bet_[23], of which it had signed/);
  });

  it("are looked for again where the house did not answer", async () => {
    const { house, next, phone, visit, states } = await afterLoss();
    phone.house = next;
    phone.instead.proof = () => {
      throw new Error("no answer");
    };
    await phone.hear({ type: "head", head: next.note() }, { type: "member", member: MEMBER });
    for (let i = 0; i < 6; i++) await phone.wait().catch(() => undefined);
    expect(await states()).toEqual(["taken", "taken", "taken"]);
    phone.instead.proof = ({ id }) => (id === "bet_3" ? null : house.proof(id));
    await visit();
    expect(await states()).toEqual(["taken", "taken", "lost"]);
  });

  it("are not spoken of where another log does not say that it continues", async () => {
    const { phone, asked, visit, states } = await afterLoss();
    phone.house = new House("stranger");
    await visit();
    expect([await phone.found(), asked, await states()]).toEqual([["otherLog"], [], ["taken", "taken", "taken"]]);
  });
});
