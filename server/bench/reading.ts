import { decodeData, type Envelope } from "#shared/contract/envelope.ts";
import { createDatabase, tokenHeader } from "./database.ts";
import { interleave } from "./measure.ts";
import type { BareJsonPart } from "./parts/bare-json.ts";
import type { LoadPart } from "./parts/load.ts";
import type { ServerPart } from "./parts/server.ts";
import { startPart } from "./part.ts";
import { perSecond, ratioLine, type Line, type Row } from "./report.ts";

const CONNECTIONS = 64;
const MEMBERS = 512;
const PAST_ROUNDS = 20;
const PAIRS = 5;
const SECONDS = 1;
/** Seconds until the code is compiled. */
const WARM_UPS = 3;
const games = [1, 3, 5].map((minutes) => ({ key: `k3-${minutes}m`, name: "K3", periodS: minutes * 60, closeS: 3 }));

const PATHS = {
  lotteryList: "/api/Lottery/lotteryList",
  getLotteryInfo: "/api/Lottery/getLotteryInfo?key=k3-1m",
  getMoneylog: "/api/member/getMoneylog?page=2",
  getUserGameList: "/api/member/getUserGameList?page=1",
};

/** Lists and details, and the same values as plain JSON. */
export const readingRow: Row = async (log) => {
  using database = await createDatabase(MEMBERS);
  await using server = startPart<ServerPart>("server");
  await using bare = startPart<BareJsonPart>("bare-json");
  await using load = startPart<LoadPart>("load");
  const url = await server.call("open", { folder: database.folder, games, how: "byHand" });
  for (let round = 0; round < PAST_ROUNDS; round++) {
    await server.call("bet", MEMBERS, 2);
    await server.call("nextRound");
  }
  await server.call("bet", MEMBERS, 2);
  log(`played ${PAST_ROUNDS} rounds`);
  const bareUrl = await bare.call("open", await answersOf(url));

  const fire = (path: string) => (at: string, opens: string) => async () =>
    load.call("fire", { url: `${at}${path}`, connections: CONNECTIONS, seconds: SECONDS, members: MEMBERS, opens });
  const lines: Line[] = [];
  for (const [name, path] of Object.entries(PATHS)) {
    const at = fire(path);
    const found = await interleave(PAIRS, at(url, '{"code":200,'), at(bareUrl, ""), WARM_UPS);
    log(`${name}: ${perSecond(found.ours)} against ${perSecond(found.baseline)}`);
    lines.push(
      ratioLine(`${name} ÷ bare Fastify JSON`, found, perSecond, { better: "more", target: 0.35, stretch: 0.6 }),
    );
  }
  return lines;
};

/** The server's answer for each path, without its query. */
async function answersOf(url: string): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const path of Object.values(PATHS)) {
    const reply = await fetch(`${url}${path}`, { headers: { token: tokenHeader(1), lang: "en_us" } });
    const { data } = (await reply.json()) as Envelope;
    answers[path.split("?")[0]!] = decodeData(data as string);
  }
  return answers;
}
