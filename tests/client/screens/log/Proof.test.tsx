// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { tellFound } from "#client/api/bus.ts";
import Proof, { Checked } from "#client/screens/log/Proof.tsx";
import { OrderProof } from "#client/screens/log/OrderProof.tsx";
import { removeStored, writeStored } from "#client/storage/local-storage.ts";
import type { ToPage, ToWorker, WatchReport } from "#client/watch/messages.ts";
import { memoryShelf, type Place, type Shelf } from "#client/watch/shelf.ts";
import { startWatching } from "#client/watch/watch.ts";
import { cosign } from "#shared/log/cosignature.ts";
import { COSIGNATURE_KEY, keyText, noteText, parseNote } from "#shared/log/note.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { signerOf } from "../../../log/world.ts";
import { House, MEMBER } from "../../watch/house.ts";
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

describe("the screen", () => {
  let phone: Phone;
  /** The watcher beside the page: that of the phone. */
  class WorkerBeside extends EventTarget {
    readonly postMessage = (said: ToWorker): void => void (said.to === "request" && this.#answer(said));

    async #answer({ id, request, input }: Extract<ToWorker, { to: "request" }>): Promise<void> {
      const [answer] = await Promise.allSettled([phone.watcher.answer(request, input as never)]);
      const said =
        answer.status === "rejected" ? { reply: null, failed: true } : { reply: answer.value, failed: false };
      const data: ToPage = { to: "reply", id, ...said };
      this.dispatchEvent(new MessageEvent("message", { data }));
    }
  }

  beforeAll(() => {
    vi.stubGlobal("Worker", WorkerBeside);
    startWatching(null);
  });
  afterAll(() => vi.unstubAllGlobals());

  let isBroken = false;
  /** A shelf of which one part cannot be read while it is broken. */
  const breaking = (part: string): Shelf => {
    const shelf = memoryShelf();
    const list = <T,>(place: Place) => {
      if (isBroken && place[0] === part) throw new Error("cannot be read");
      return shelf.list<T>(place);
    };
    return { ...shelf, list };
  };

  it("shows a newest head that is too long for a code, and says to compare the words", async () => {
    phone = await watched(1, 0);
    phone.house.endHead();
    await phone.hear({ type: "head", head: phone.house.noteWith("x".repeat(1_000)) });
    await phone.wait();
    show(<Proof />, { places: ["/Proof"] });
    await screen.findByText(text("watch.noCode"));
    expect(screen.queryByText(text("watch.compareText"))).toBeNull();
    screen.getByText(text("watch.nothing"));
  });

  it("shows what was found, with its file, while the rest cannot be read, and all once it can be", async () => {
    phone = new Phone(new House(), breaking("unchecked"));
    await phone.hear({ type: "head", head: new House().note() });
    await phone.hear({ type: "head", head: "no head" });
    const { user } = show(<Proof />, { places: ["/Proof"] });
    await screen.findByText(text("watch.keep"));
    isBroken = true;
    tellFound({ kind: "signature" });
    await screen.findByText(text("state.broken"));
    await screen.findByText(text("watch.found.signature"));
    screen.getByRole("button", { name: text("watch.evidence") });
    expect(screen.queryByText(text("watch.keep"))).toBeNull();
    isBroken = false;
    await user.click(screen.getByRole("button", { name: text("action.retry") }));
    await screen.findByText(text("watch.keep"));
    screen.getByText(text("watch.found.signature"));
    expect(screen.queryByText(text("state.broken"))).toBeNull();
  });

  it("says that a bet cannot be read, and shows it once it can be", async () => {
    writeStored("token", "a-token-of-mia-0001");
    vi.stubGlobal("fetch", async () => Response.json({ code: 200, msg: "", data: { id: MEMBER } }));
    phone = new Phone(new House(), breaking("receipt"));
    isBroken = true;
    const { user } = show(<OrderProof order="bet_1" origin={null} />);
    await screen.findByText(text("state.broken"));
    isBroken = false;
    await user.click(screen.getByRole("button", { name: text("action.retry") }));
    await screen.findByText(text("watch.order.none"));
    expect(screen.queryByText(text("state.broken"))).toBeNull();
    removeStored("token");
  });
});
