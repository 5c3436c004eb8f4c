import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "#server/admin/commands.ts";
import { cheatsPage } from "../cheats/page.ts";
import { ROOT } from "../support/source-files.ts";
import { noticesPage } from "./notices.ts";

/* Pages that are made from the code. Update an outdated one with npx vitest run --config tests/vitest.config.ts --project together tests/docs/made.test.ts -u */
const HEAD = `# Commands

\`npm run admin -- COMMAND\` works on the live database beside running servers, with the same variables as they have. \`--json\` answers
for programs; \`--help\` says more. Exit 0: done. 1: refused, with the reason. 2: wrong usage.

Other programs: \`npm start\` serves, \`npm run move -- FROM TO\` [moves a site](backup-and-move.md#move-between-sqlite-and-postgresql),
\`npm run verify -- KEY EXPECT\` [checks a draw](fairness.md#check-one), \`npm run verify -- log\` [checks the public log](log.md#check-a-log),
\`npm run verify -- evidence FILE\` [checks what an app found](log.md#check-a-file-of-evidence),
\`npm run witness -- URL\` [is a witness](log.md#be-a-witness), \`npm run bench\` [measures](speed.md). For those of developers:
[CONTRIBUTING](../CONTRIBUTING.md).
`;

async function commandsPage(): Promise<string> {
  const parts = Object.entries(COMMANDS).map(async ([name, load]) => {
    const { usage, does } = await load();
    return `## \`${`${name} ${usage}`.trim()}\`\n\n${does.replaceAll("\n", " ").replaceAll(/ +/g, " ")}.\n`;
  });
  return [HEAD, ...(await Promise.all(parts))].join("\n");
}

describe("a page made from the code is up to date", () => {
  it("the operator's commands", async () => {
    await expect(await commandsPage()).toMatchFileSnapshot(join(ROOT, "docs/commands.md"));
  });

  it("the ways to cheat", async () => {
    await expect(cheatsPage()).toMatchFileSnapshot(join(ROOT, "docs/cheats.md"));
  });

  it("the notices of the packages that are shipped", async () => {
    await expect(noticesPage()).toMatchFileSnapshot(join(ROOT, "docs/notices.md"));
  });
});
