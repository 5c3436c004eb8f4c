import { audit } from "#server/admin/audit/audit.ts";
import { openOperator } from "#server/admin/operator.ts";
import { readConfig } from "#server/config/config.ts";
import type { Place } from "./databases.ts";
import type { World } from "./world.ts";

interface Audited {
  ok: boolean;
  problems: string[];
  notes: string[];
}

/** What the operator's audit finds in a place where no server runs, files aside. */
export async function audited({ env }: Place): Promise<Audited> {
  const { operator, close } = await openOperator(readConfig({ ...env }, []));
  try {
    return (await audit.run(operator, { args: {}, options: { only: "database" } })).json as Audited;
  } finally {
    await close();
  }
}

/** The problems that the operator's audit finds in a world, once its server has sealed and logged as it does each minute. */
export async function problemsOf(w: World): Promise<string[]> {
  await w.site.housekeeping.seal();
  await w.deps.publicLog.advance();
  return problemsNow(w);
}

/** The same, of a world whose rows a test has changed, and which must not be sealed so. */
export async function problemsNow({ deps, config }: World): Promise<string[]> {
  const { json } = await audit.run({ ...deps, config }, { args: {}, options: {} });
  return (json as Audited).problems;
}
