// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Checked } from "#client/screens/log/Proof.tsx";
import type { WatchReport } from "#client/watch/messages.ts";
import { cosign } from "#shared/log/cosignature.ts";
import { COSIGNATURE_KEY, keyText, noteText, parseNote } from "#shared/log/note.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { signerOf } from "../../../log/world.ts";
import { House } from "../../watch/house.ts";
import { Phone } from "../../watch/phone.ts";
import { setStage, show } from "../../../support/Stage.tsx";
import { wordsIn } from "../../../support/words.ts";

setStage();

const { text, like } = wordsIn("en_us");
const witness = signerOf("one.example/w", COSIGNATURE_KEY, "one");

/** A phone that watched rounds of a house with witnesses, or none; its anchors are old. */
async function watched(rounds: number, needed: number): Promise<Phone> {
  const house = new House();
  house.wanted = { keys: needed > 0 ? [keyText(witness.key)] : [], needed };
  const phone = new Phone(house);
  await phone.hear({ type: "head", head: house.note(), witnesses: house.wanted });
  for (let number = 1; number <= rounds; number++) await phone.round(number);
  await phone.wait();
  return phone;
}

/** The witness signs the newest head. */
async function sign(phone: Phone): Promise<void> {
  const note = parseNote(phone.house.note())!;
  const line = cosign(note.text, Math.floor(phone.now / 1_000), witness);
  await phone.hear({ type: "head", head: noteText({ ...note, signatures: [...note.signatures, line] }) });
}

async function goOn(phone: Phone, minutes: number): Promise<void> {
  phone.house.since += minutes * MINUTE_MS;
  phone.now += minutes * MINUTE_MS;
  phone.house.endHead();
  await phone.hear({ type: "head", head: phone.house.note() });
  await phone.wait();
}

const showReport = (report: WatchReport) => show(<Checked report={report} />);
const isGreen = () => screen.getByRole("status").className.includes("jade");

describe("what a phone checked without finding anything", () => {
  it("is green", async () => {
    showReport(await (await watched(2, 0)).report());
    expect(isGreen()).toBe(true);
    screen.getByText(text("watch.houseAlone"));
  });

  it("is not green before a round was checked", async () => {
    showReport(await (await watched(0, 0)).report());
    expect(isGreen()).toBe(false);
    screen.getByText(text("watch.fewChecked"));
  });

  it.each([
    ["is green while most rounds were announced in time", 2, true],
    ["is not green where most were announced too late", 1, false],
  ])("%s", async (_, inTime, isSo) => {
    const phone = await watched(inTime, 0);
    for (let number = inTime + 1; number <= inTime + 2; number++) {
      await phone.hear(phone.house.open(number));
      phone.house.close(number);
      await phone.hear(phone.house.result(number));
    }
    const report = await phone.report();
    expect(report).toMatchObject({ rounds: inTime, untold: 2 });
    showReport(report);
    expect(isGreen()).toBe(isSo);
    expect(screen.queryByText(text("watch.fewChecked")) === null).toBe(isSo);
  });
});

describe("witnesses", () => {
  it("who sign are named, and it is green", async () => {
    const phone = await watched(1, 1);
    await sign(phone);
    showReport(await phone.report());
    expect(isGreen()).toBe(true);
    screen.getByText(text("watch.alsoSigned"));
    expect(screen.queryByText(text("watch.signedBefore"))).toBeNull();
  });

  it.each([0, 1])("who signed nothing of the last ten minutes are too few, where %d have to", async (needed) => {
    const phone = await watched(1, 1);
    await sign(phone);
    await goOn(phone, 19);
    const report = await phone.report();
    showReport({ ...report, witnesses: { ...report.witnesses, needed } });
    expect(isGreen()).toBe(false);
    expect(screen.queryByText(text("watch.alsoSigned"))).toBeNull();
    screen.getByText(text("watch.signedBefore"));
    screen.getByText("19 minutes before the newest entry");
    expect(screen.queryAllByText(like("watch.tooFew"))).toHaveLength(needed);
    expect(screen.queryAllByText(like("watch.fewer"))).toHaveLength(1 - needed);
  });

  it("who never signed are too few, and it is said that the house asks for fewer now", async () => {
    const phone = await watched(1, 1);
    const report = await phone.report();
    showReport({ ...report, witnesses: { ...report.witnesses, mostNeeded: 2 } });
    expect(isGreen()).toBe(false);
    screen.getByText(text("watch.houseAlone"));
    screen.getByText(like("watch.tooFew"));
    screen.getByText(like("watch.fewer"));
  });
});
