import { decodeData, type Envelope } from "#shared/contract/envelope.ts";
import { tokenHeader } from "./database.ts";
import { compare, interleave } from "./measure.ts";
import type { BareJsonPart } from "./parts/bare-json.ts";
import type { LoadPart } from "./parts/load.ts";
import { startPart, type Part } from "./part.ts";
import { inMicros, perSecond, ratioLine, type Line } from "./report.ts";

const CONNECTIONS = 64;
const PAIRS = 5;
const SECONDS = 1;
/** Seconds until the code is compiled. */
const WARM_UPS = 3;

interface Asked {
  url: string;
  /** Who ask: the members 1..`members`. */
  members: number;
  paths: Record<string, string>;
}

/** Answers a second, and the CPU of an answer, against a bare Fastify that sends the same values as plain JSON. */
export async function againstBare(
  server: Part<{ cpuMs(): number }>,
  { url, members, paths }: Asked,
  log: (progress: string) => void,
): Promise<Line[]> {
  await using bare = startPart<BareJsonPart>("bare-json");
  await using load = startPart<LoadPart>("load");
  const bareUrl = await bare.call("open", await answersOf(url, Object.values(paths)));
  const lines: Line[] = [];
  for (const [name, path] of Object.entries(paths)) {
    const cpuUs = { ours: [] as number[], bare: [] as number[] };
    const fire = (at: string, part: typeof server, opens: string, spent: number[]) => async () => {
      const before = await part.call("cpuMs");
      const shots = { url: `${at}${path}`, connections: CONNECTIONS, seconds: SECONDS, members, opens };
      const found = await load.call("fire", shots);
      spent.push((((await part.call("cpuMs")) - before) * 1_000) / (await load.call("answered")));
      return found;
    };
    const ours = fire(url, server, '{"code":200,', cpuUs.ours);
    const found = await interleave(PAIRS, ours, fire(bareUrl, bare, "", cpuUs.bare), WARM_UPS);
    const spent = compare(cpuUs.bare.map((us, i) => [us, cpuUs.ours[i]!] as const).slice(WARM_UPS));
    log(`${name}: ${perSecond(found.ours)} against ${perSecond(found.baseline)}`);
    lines.push(
      ratioLine(`${name} ÷ bare Fastify JSON`, found, perSecond, { better: "more", target: 0.6 }),
      ratioLine(`the CPU of bare Fastify JSON ÷ of ${name}`, spent, inMicros),
    );
  }
  return lines;
}

/** The server's answer for each path, without its query. */
async function answersOf(url: string, paths: readonly string[]): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const path of paths) {
    const reply = await fetch(`${url}${path}`, { headers: { token: tokenHeader(1), lang: "en_us" } });
    const { data } = (await reply.json()) as Envelope;
    answers[path.split("?")[0]!] = decodeData(data as string);
  }
  return answers;
}
