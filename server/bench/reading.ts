import { againstBare } from "./against-bare.ts";
import { createDatabase } from "./database.ts";
import type { ServerPart } from "./parts/server.ts";
import { startPart } from "./part.ts";
import type { Row } from "./report.ts";

const MEMBERS = 512;
const PAST_ROUNDS = 20;
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
  const url = await server.call("open", { folder: database.folder, games, how: "byHand" });
  for (let round = 0; round < PAST_ROUNDS; round++) {
    await server.call("bet", MEMBERS, 2);
    await server.call("nextRound");
  }
  await server.call("bet", MEMBERS, 2);
  await server.call("runClock");
  log(`played ${PAST_ROUNDS} rounds`);
  return await againstBare(server, { url, members: MEMBERS, paths: PATHS }, log);
};
