import { lotteryInfo, lotteryOdds } from "#shared/contract/lottery.ts";
import { printable } from "#shared/log/evidence/verdict.ts";
import type { Check } from "#shared/log/fields.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { oddsText } from "#shared/lottery/odds-record.ts";
import { falseReturns } from "#shared/lottery/shown-odds.ts";
import { gameId, publishedOdds as shownOdds } from "./answers.ts";
import { reasonOf } from "./log-files.ts";

const TIMEOUT_MS = 20_000;
const NEXT_STEP = "Start it there, or name another with --url.";

/** What a site answers to everybody. Throws where it does not, or not in this form, with what to do next. */
export async function askServer<T>(
  url: string,
  path: string,
  query: Record<string, string>,
  isFormed: Check<T>,
): Promise<T> {
  const headers = { "x-data-encoding": "json", lang: "en_us" };
  const address = `${url}/api${path}?${new URLSearchParams(query).toString()}`;
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: Error) => {
    throw new Error(`No server answers at ${url} (${reasonOf(error)}). ${NEXT_STEP}`, { cause: error });
  });
  const reply = (await response.json().catch(() => null)) as { code?: number; msg?: string; data: unknown } | null;
  if (typeof reply?.code !== "number") throw new Error(`What answers at ${url} is not a Trio server. ${NEXT_STEP}`);
  if (reply.code !== 200) throw new Error(`${url} refuses: ${printable(String(reply.msg ?? reply.code))}`);
  if (!isFormed(reply.data)) throw new Error(`What ${url} answers at /api${path} has not its form.`);
  return reply.data;
}

/**
 * Compares the chances and returns that a site publishes with its logged odds, from which both follow. Returns a line for
 * each game that differs or could not be compared, and whether there is none. A game's rates stay the same, so what
 * a board shows is in the log since its first round: no honest house has other ones, or has to refuse them.
 */
export async function publishedOdds(
  site: string,
  logged: readonly Leaf<"odds">[],
): Promise<{ lines: string[]; isFine: boolean }> {
  const lines: string[] = [];
  let isFine = true;
  for (const [game, own] of Map.groupBy(logged, (leaf) => leaf.game)) {
    const published = await askOdds(site, game).catch((error: Error) => error.message);
    if (typeof published === "string") {
      isFine = false;
      lines.push(`  NO     ${game}: what it publishes could not be compared with its odds: ${published}`);
      continue;
    }
    const rates = published.flatMap(({ pays }) => pays).join();
    const leaf = own.findLast((one) => one.rates.map(oddsText).join() === rates);
    const wrong = leaf ? falseReturns(published, leaf.rules) : [];
    isFine &&= leaf !== undefined && wrong.length === 0;
    if (!leaf) lines.push(`  NO     ${game}: it publishes odds that this head does not hold`);
    else if (wrong.length > 0)
      lines.push(`  NO     ${game}: the odds ${leaf.id} do not give the published return of ${wrong.join(", ")}`);
  }
  if (lines.length === 0 && logged.length > 0) lines.push("  odds   the published returns follow from the logged odds");
  return { lines, isFine };
}

async function askOdds(site: string, key: string) {
  const { id } = await askServer(site, lotteryInfo.path, { key }, gameId);
  return askServer(site, lotteryOdds.path, { id }, shownOdds);
}
