import { hash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { siteFiles } from "#server/verify/log-files.ts";
import { verifyLog } from "#server/verify/log.ts";
import { AppWatch } from "#server/witness/app-watch.ts";
import { pollLog } from "#server/witness/poll.ts";
import { WitnessState } from "#server/witness/state.ts";
import { Witness } from "#server/witness/witness.ts";
import { sentenceOf } from "#shared/log/check/finding.ts";
import { cosign } from "#shared/log/cosignature.ts";
import { noteText, parseNote, type Signer } from "#shared/log/note.ts";
import { readLog, type LogFiles } from "#shared/log/read-tiles.ts";
import { HOUR_MS, type Clock } from "#shared/time.ts";

const LONGEST_HEAD = 131_072;
const CLOCK: Clock = { now: () => Date.UTC(2026, 2, 4), elapsed: () => 0 };

/** A witness that has followed the site, and what else remembers it outside the house. */
export class Watchers {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async begin(folder: string): Promise<Watchers> {
    mkdirSync(folder, { recursive: true });
    return new Watchers(folder);
  }

  get #state(): string {
    return join(this.#folder, "witness.json");
  }

  get #before(): string {
    return join(this.#folder, "before.json");
  }

  /** The witness looks at the site, and remembers. */
  async look(address: string): Promise<void> {
    if (existsSync(this.#state)) copyFileSync(this.#state, this.#before);
    await lookWith(this.#state, siteFiles(address));
  }

  /** What the witness says to a log that it is shown now, and forgets again. `behind`: it has not seen the last head. */
  async sayTo(files: LogFiles, behind?: "behind"): Promise<string> {
    const copy = join(mkdtempSync(join(this.#folder, "witness-")), "witness.json");
    copyFileSync(behind ? this.#before : this.#state, copy);
    return lookWith(copy, files).catch((error: Error) => `refuses: ${error.message}`);
  }

  /** What the witness says where it looks an hour later. */
  async sayLater(files: LogFiles): Promise<string> {
    const copy = join(mkdtempSync(join(this.#folder, "witness-")), "witness.json");
    copyFileSync(this.#state, copy);
    const later = { now: () => CLOCK.now() + HOUR_MS };
    return lookWith(copy, files, later).catch((error: Error) => `refuses: ${error.message}`);
  }

  /** What the witness writes down of what a site serves as its app, by the leaf of the log at the address. */
  async appAt(address: string, site = address): Promise<string> {
    const file = join(mkdtempSync(join(this.#folder, "witness-")), "witness.json");
    copyFileSync(this.#state, file);
    await lookWith(file, siteFiles(address));
    const said: string[] = [];
    const [state, say] = [await WitnessState.open(file), (text: string) => void said.push(text)];
    const app = new AppWatch({ site, files: siteFiles(site), state, clock: CLOCK, say, evidence: `${file}.app.json` });
    for (let i = 0; i < 2; i++) await app.look();
    return said.join("\n");
  }

  /** What a stranger is told of a head that a witness signed at that time. */
  async strangerOf(files: LogFiles, witness: Signer, seconds: number): Promise<string> {
    const head = parseNote(new TextDecoder().decode((await files.read("checkpoint", LONGEST_HEAD))!))!;
    const signed = noteText({ ...head, signatures: [...head.signatures, cosign(head.text, seconds, witness)] });
    const read: LogFiles["read"] = async (path, most) =>
      path === "checkpoint" ? new TextEncoder().encode(signed) : files.read(path, most);
    const { findings } = await readLog({ read }, { witnesses: [witness.key] });
    return findings.map(sentenceOf).join("\n");
  }

  /** What a stranger is told by `npm run verify -- log`, in the lines that say something of the log. */
  strangerAt = async (site: string): Promise<string[]> =>
    (await linesAt(site)).filter((line) => /^ {2}(note|NO {2}) /.test(line));

  /** The same in the lines that say something of the app. */
  strangerOfApp = async (site: string): Promise<string> => {
    const mark = "  problem  ";
    const lines = (await linesAt(site)).filter((line) => line.startsWith(mark));
    return lines.map((line) => line.slice(mark.length)).join("\n");
  };

  /** The same of files that are served to a stranger. */
  async strangerReads(files: LogFiles): Promise<string> {
    const { findings } = await readLog(files, { hash: (bytes) => hash("sha256", bytes, "buffer"), kept: null });
    return findings
      .filter(({ strength }) => strength === "problem")
      .map(sentenceOf)
      .join("\n");
  }
}

async function linesAt(site: string): Promise<string[]> {
  const none = { copy: undefined, keep: undefined, save: undefined };
  const { text } = await verifyLog({ site, ...none, witnesses: [], clock: CLOCK });
  return text.split("\n");
}

async function lookWith(file: string, files: LogFiles, clock = CLOCK): Promise<string> {
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  const state = await WitnessState.open(file);
  const witness = new Witness({ state, clock, say, evidence: `${file}.fork.json` });
  await pollLog({ witness, state, files, say });
  return said.filter((one) => !one.startsWith("signed ")).join(" ");
}
