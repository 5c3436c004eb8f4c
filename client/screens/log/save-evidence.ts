import { saveFile } from "#client/api/download.ts";
import { evidenceOf, type Shown } from "#client/watch/evidence-of.ts";

const save = (name: string, content: string): void =>
  saveFile({ name: `trio-${name}.json`, content: new Blob([content], { type: "application/json" }) });

/** Saves what this device found, as a file that `npm run verify -- evidence` checks. */
export const saveEvidence = (report: Shown): void =>
  save("evidence", evidenceOf(report, window.location.origin, Date.now()));

/** Saves what this device keeps. */
export function saveKept(name: string, what: unknown): void {
  const made = { site: window.location.origin, saved: new Date().toISOString(), what };
  save(name, `${JSON.stringify(made, null, 2)}\n`);
}
