import { saveFile } from "#client/api/download.ts";

/** Saves what this device keeps, or what it found, as a file that others can check. */
export function saveEvidence(name: string, what: unknown): void {
  const made = { site: window.location.origin, saved: new Date().toISOString(), what };
  const content = new Blob([`${JSON.stringify(made, null, 2)}\n`], { type: "application/json" });
  saveFile({ name: `trio-${name}.json`, content });
}
