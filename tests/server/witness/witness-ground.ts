import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { siteFiles } from "#server/verify/log-files.ts";
import { provenBy } from "#server/verify/fork-file.ts";
import { pollLog } from "#server/witness/poll.ts";
import { WitnessState } from "#server/witness/state.ts";
import { Witness } from "#server/witness/witness.ts";
import type { EvidenceFile } from "#shared/log/evidence/file.ts";
import { readEvidence } from "#shared/log/evidence/read.ts";
import { HOUSE, ORIGIN } from "../../log/honest-log.ts";
import { bytes } from "../../log/world.ts";
import { LogSite, MemoryLog } from "../../support/log-site.ts";

export const NOW = Date.UTC(2026, 2, 2, 10);

/** Leaves of a log by their numbers; another word makes others. */
export const leaves = (from: number, to: number, word = ""): Uint8Array[] =>
  Array.from({ length: to - from }, (_, i) => bytes(`leaf ${word} ${from + i}`));

/** A site whose log has 300 leaves, and a witness that polls it. Each test of the file has its own. */
export class WitnessGround {
  folder!: string;
  site!: LogSite;
  state!: WitnessState;
  witness!: Witness;
  said: string[] = [];

  constructor() {
    beforeEach(async () => {
      this.folder = mkdtempSync(join(tmpdir(), "trio-witness-"));
      this.said = [];
      this.site = await LogSite.listen(new MemoryLog(HOUSE).add(...leaves(0, 300)));
      await this.open();
    });
    afterEach(async () => {
      await this.site.close();
      rmSync(this.folder, { recursive: true });
    });
  }

  /** The witness with what it remembers, as after a start. */
  async open(): Promise<void> {
    const { say } = this;
    this.state = await WitnessState.open(this.file);
    this.witness = new Witness({ state: this.state, clock: { now: () => NOW }, say, evidence: this.evidence });
  }

  get file(): string {
    return join(this.folder, "witness.json");
  }

  get evidence(): string {
    return `${this.file}.fork.json`;
  }

  say = (text: string): void => void this.said.push(text);
  poll = (): Promise<void> => pollLog({ ...this, files: siteFiles(this.site.address) });
  sizeOf = (origin = ORIGIN): number | undefined => this.state.head(origin)?.size;
  /** The file that was written down. */
  written = (): EvidenceFile => readEvidence(readFileSync(this.evidence, "utf8")) as EvidenceFile;
  /** What it proves by itself. */
  proven = (): string[] => provenBy(this.written());
}
