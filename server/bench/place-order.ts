import { createDatabase } from "./database.ts";
import { compare, interleave } from "./measure.ts";
import type { LoadPart } from "./parts/load.ts";
import type { ServerPart } from "./parts/server.ts";
import { startPart } from "./part.ts";
import { inMicros, perSecond, ratioLine, type Row } from "./report.ts";

const IN_FLIGHT = 256;
const MEMBERS = 2_048;
const PAIRS = 5;
const SECONDS = 3;
/** A round of a whole day, so that it stays open. */
const games = [{ key: "k3-day", name: "A day", periodS: 86_400, closeS: 3 }];
const body = "item=A%2CC%2C7&money=1&lid=lot_1&mid=&expect=20260302-0001";

/** Orders over HTTP, to a server, and to the same server without its database. */
export const placeOrderRow: Row = async (log) => {
  using database = await createDatabase(MEMBERS);
  using plainDatabase = await createDatabase(1);
  await using server = startPart<ServerPart>("server");
  await using plain = startPart<ServerPart>("server");
  await using load = startPart<LoadPart>("load");
  const url = await server.call("open", { folder: database.folder, games, how: "running" });
  const plainUrl = await plain.call("open", { folder: plainDatabase.folder, games, how: "plain" });

  const cpuUs = { orders: [] as number[], plain: [] as number[] };
  const fire = (at: string) => async () => {
    const shots = {
      url: `${at}/api/game/placeOrder`,
      body,
      connections: IN_FLIGHT,
      seconds: SECONDS,
      members: MEMBERS,
    };
    const [part, spent] = at === url ? [server, cpuUs.orders] : [plain, cpuUs.plain];
    const before = await part.call("cpuMs");
    const found = await load.call("fire", { ...shots, opens: '{"code":200,' });
    spent.push((((await part.call("cpuMs")) - before) * 1_000) / (await load.call("answered")));
    log(`${at === url ? "orders" : "orders without a database"}: ${perSecond(found)}`);
    return found;
  };
  const found = await interleave(PAIRS, fire(url), fire(plainUrl));
  const what = `placeOrder over HTTP ÷ the same POST without a database, ${IN_FLIGHT} in flight`;
  const spent = compare(cpuUs.orders.map((us, i) => [us, cpuUs.plain[i]!]));
  return [
    ratioLine(what, found, perSecond, { better: "more", target: 0.6, stretch: 0.8 }),
    ratioLine("the server's CPU for an order ÷ for the same POST without a database", spent, inMicros),
  ];
};
