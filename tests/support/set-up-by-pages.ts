import { renameSync } from "node:fs";
import { join } from "node:path";
import { commandsOf, fencesOf, pageAt } from "./pages.ts";
import type { Given, Terminal } from "./terminal.ts";

export const BACKUP = "docs/backup-and-move.md";
const OPERATING = "docs/operating.md";

export const failed = (given: Given[]): Given[] => given.filter(({ exit }) => exit !== 0);

/** Sets up a site by the first steps of its page. Without DATA_DIR, it lies in `data`. */
export async function setUp(terminal: Terminal): Promise<{ given: Given[]; output: string }> {
  const [, firstSteps] = commandsOf(OPERATING);
  for (const { about, text } of fencesOf(pageAt(OPERATING)))
    if (/^(plans\.json|password\.txt)$/.test(about)) terminal.write(about, text);
  const done = await terminal.give(firstSteps!);
  renameSync(join(terminal.folder, "club"), join(terminal.folder, "data"));
  return done;
}
