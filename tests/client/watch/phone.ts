import { evidenceOf, foundAlone } from "#client/watch/evidence-of.ts";
import type { Ask, Event, Question, Questions, ToPage } from "#client/watch/messages.ts";
import type { FindingKind } from "#shared/log/evidence/finding.ts";
import { Kept } from "#client/watch/kept.ts";
import { addressOf, type ReadFile } from "#client/watch/read-leaf.ts";
import { memoryShelf, type Shelf } from "#client/watch/shelf.ts";
import { Watcher } from "#client/watch/watcher.ts";
import type { ToldClosing } from "#shared/contract/events.ts";
import { readEvidence } from "#shared/log/evidence/read.ts";
import { NOTHING_SIGNED, type BeaconCheck } from "#shared/lottery/beacon.ts";
import { MEMBER, type House } from "./house.ts";

const PAGE = "https://house.example/Proof";

/** What the house answers instead: null is a no, an error no answer. */
type Instead = { [Q in Question]?: (input: Questions[Q]["input"]) => Questions[Q]["reply"] | null };

/** A phone that watches the house. What it would do later, it does when the test says so. */
export class Phone {
  house: House;
  readonly shelf: Shelf;
  readonly kept: Kept;
  readonly watcher: Watcher;
  readonly told: ToPage[] = [];
  readonly asked: Question[] = [];
  /** Files of the log that it read. */
  readonly files: string[] = [];
  hasFiles = true;
  instead: Instead = {};
  now = Date.UTC(2026, 2, 2);
  passed = 0;
  beacons: BeaconCheck = NOTHING_SIGNED;
  /** Of so many results, this phone compares none with the log but those whose openings it did not see. */
  chance = 0.5;
  readonly #cache = new Map<string, Uint8Array>();
  #later: (() => Promise<void>)[] = [];

  constructor(house: House, shelf = memoryShelf()) {
    this.house = house;
    this.shelf = shelf;
    this.kept = new Kept(shelf);
    const ask = (async (question: Question, input: never) => {
      this.asked.push(question);
      const instead = this.instead[question] as ((input: never) => unknown) | undefined;
      return instead ? instead(input) : this.house.answer(question, input);
    }) as Ask;
    this.watcher = new Watcher(shelf, {
      ask,
      read: this.read,
      now: () => this.now,
      beacons: async () => this.beacons,
      later: (_within, work) => void this.#later.push(work),
      tell: (said) => void this.told.push(said),
      random: () => this.chance,
    });
  }

  /** Reads a file of the log as a browser does: what it has read once, it never asks for again. */
  readonly read: ReadFile = async (path, origin, isAnew = false) => {
    if (!this.hasFiles) throw new Error("no file");
    this.files.push(path);
    const address = addressOf(path, origin);
    const content = (!isAnew && this.#cache.get(address)) || (await this.house.file(path));
    this.#cache.set(address, content);
    return content;
  };

  async hear(...events: Event[]): Promise<void> {
    for (const event of events) await this.watcher.happen(event);
  }

  /** Hears the newest head; with another house, one that answers from now on. */
  async meets(house = this.house): Promise<void> {
    this.house = house;
    await this.hear({ type: "head", head: house.note() });
  }

  hears = (told: ToldClosing) => this.hear({ type: "closing", told, at: this.moment() });
  /** This moment, as the phone knows it. Its clock may be set; what passed goes on. */
  moment = () => ({ clock: this.now, passed: this.passed });

  /** Does all that was left for later. */
  async wait(): Promise<void> {
    for (const work of this.#later.splice(0)) await work();
  }

  /** A whole round: shown, closed, told and drawn. */
  async round(number: number): Promise<void> {
    await this.hear(this.house.open(number));
    await this.wait();
    await this.hears(this.house.close(number));
    await this.hear(this.house.result(number));
  }

  /** What was found, as the file that the app saves. */
  async evidence(member = MEMBER): Promise<string> {
    const findings = await this.kept.findings(member);
    const logs = await this.kept.logsOf(findings);
    return evidenceOf(foundAlone({ findings, logs }), "https://house.example", this.now);
  }

  /** The same with what the house owes, as the screen saves it. */
  savedFile = async (): Promise<string> => evidenceOf(await this.report(), "https://house.example", this.now);

  /** What was found. Whatever it is, the file of it can be read. */
  async found(): Promise<FindingKind[]> {
    const read = readEvidence(await this.evidence());
    if ("refused" in read) throw new Error(`the file of evidence is refused: ${JSON.stringify(read)}`);
    return (await this.kept.findings(MEMBER)).map(({ kind }) => kind).reverse();
  }

  report = () => this.watcher.answer("report", { member: MEMBER, page: PAGE });
}
