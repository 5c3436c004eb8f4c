import type { Finding } from "./finding.ts";

/** A file of evidence: what a device found, and the keys of the logs that it is about. It is checked without asking anybody. */
export interface EvidenceFile {
  form: typeof EVIDENCE_FORM;
  /** How whoever receives the file checks it. */
  check: typeof HOW_TO_CHECK;
  /** Where the app was served, and when the file was saved. */
  site: string;
  saved: string;
  logs: readonly EvidenceLog[];
  findings: readonly Finding[];
}

export const EVIDENCE_FORM = "trio-evidence-1";
export const HOW_TO_CHECK = "npm run verify -- evidence FILE";

/** A log as a device met it. */
export interface EvidenceLog {
  origin: string;
  /** The key that signs now, as a vkey. */
  key: string;
  /** Those that it replaced, oldest first. */
  retired?: readonly ReplacedKey[];
  /** The first head that was seen, and the newest that follows from it: signed notes. */
  first: string;
  newest: string;
  since: number;
  /** The origin of the log that it says it continues after a loss. */
  before?: string;
  /** The first leaves of all logs that continue another one since. */
  restores?: readonly unknown[];
}

/** A key that was replaced: the number of the leaf that did it, and the last batch of bets that it signed. */
export interface ReplacedKey {
  key: string;
  leaf: number;
  batch: number;
  /** The leaf's text, and its place in a head. Devices that met the change before they kept it have none. */
  change?: { text: string; head: string; path: string[] };
}

/** The one spelling of a file. */
export const evidenceText = (file: EvidenceFile): string => `${JSON.stringify(file, null, 2)}\n`;
