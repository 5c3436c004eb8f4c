import type { Tx } from "#db/db.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { openOperator } from "#server/admin/operator.ts";
import { readConfig } from "#server/config/config.ts";
import type { Copies, Tampering } from "../../support/copies.ts";

interface Part<T> extends Pick<Findings, "problems" | "notes"> {
  /** What it returned. */
  result: T;
}

/** What one part of the audit finds in a copy that was changed past every guard. The whole audit would take seconds. */
export async function partly<T>(
  copies: Pick<Copies, "tampered">,
  change: string | Tampering,
  part: (read: Tx, found: Findings) => Promise<T>,
): Promise<Part<T>> {
  const place = await copies.tampered(change);
  const { operator, close } = await openOperator(readConfig({ ...place.env }, []));
  try {
    const found = new Findings();
    const result = await operator.db.snapshot((read) => part(read, found));
    return { problems: found.problems, notes: found.notes, result };
  } finally {
    await close();
  }
}
