import { EVIDENCE_FORM, evidenceText, HOW_TO_CHECK } from "#shared/log/evidence/file.ts";
import { toIso } from "#shared/time.ts";
import type { WatchReport } from "./messages.ts";

/** What was found, with the keys that it is checked by. */
export const evidenceOf = (
  { logs, findings }: Pick<WatchReport, "logs" | "findings">,
  site: string,
  now: number,
): string => evidenceText({ form: EVIDENCE_FORM, check: HOW_TO_CHECK, site, saved: toIso(now), logs, findings });
