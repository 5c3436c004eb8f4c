import type Sqlite from "better-sqlite3";
import { immediately } from "#db/sqlite/open.ts";
import { createDatabase, START } from "./database.ts";
import { compare, interleave } from "./measure.ts";
import type { LoadPart } from "./parts/load.ts";
import type { ServerPart } from "./parts/server.ts";
import { startPart } from "./part.ts";
import { inMicros, perSecond, ratioLine, type Row } from "./report.ts";

const IN_FLIGHT = 64;
/** Few, so that the warm-up begins a pair for each of them. */
const MEMBERS = 256;
const PAIRS = 3;
const SECONDS = 3;
/** A round of a whole day, so that it stays open. */
const games = [{ key: "k3-day", name: "A day", periodS: 86_400, closeS: 3 }];
const bet = { path: "/api/game/placeOrder", body: "item=A&money=1&lid=lot_1&mid=&expect=20260302-0001" };
const spin = { path: "/api/luckdraw", body: "" };

/** Bought spins, half of which win points, against bets on the same server. */
export const spinningRow: Row = async (log) => {
  using database = await createDatabase(MEMBERS, layWheel);
  await using server = startPart<ServerPart>("server");
  await using load = startPart<LoadPart>("load");
  const url = await server.call("open", { folder: database.folder, games, how: "running" });
  const cpuUs = { spins: [] as number[], bets: [] as number[] };
  const fire =
    (name: keyof typeof cpuUs, { path, body }: typeof bet) =>
    async () => {
      const shots = { url: url + path, body, connections: IN_FLIGHT, seconds: SECONDS, members: MEMBERS };
      const before = await server.call("cpuMs");
      const found = await load.call("fire", { ...shots, opens: '{"code":200,' });
      cpuUs[name].push((((await server.call("cpuMs")) - before) * 1_000) / (await load.call("answered")));
      log(`${name}: ${perSecond(found)}`);
      return found;
    };
  const found = await interleave(PAIRS, fire("spins", spin), fire("bets", bet));
  const what = `spins over HTTP ÷ bets on the same server, ${IN_FLIGHT} in flight`;
  const spent = compare(cpuUs.bets.map((us, i) => [us, cpuUs.spins[i]!]));
  return [
    ratioLine(what, found, perSecond, { better: "more", target: 0.5 }),
    ratioLine("the server's CPU for a bet ÷ for a spin", spent, inMicros),
  ];
};

function layWheel(raw: Sqlite.Database): void {
  const prizes = ["points", "thanks"].map((kind) => ({
    id: kind,
    weight: 1,
    title: kind,
    image: `/prizes/${kind}.svg`,
    kind,
    amount: kind === "points" ? 100 : 0,
  }));
  immediately(raw, () => {
    const prize = raw.prepare(
      `insert into prizes (id, title, memo, image, kind, amount, weight, position, offered)
       values (?, json_quote(?), json_quote(?), ?, ?, ?, 1, ?, 1)`,
    );
    for (const [place, { id, title, image, amount }] of prizes.entries())
      prize.run(id, title, title, image, id, amount, place);
    raw.prepare("insert into wheel_tables (prizes, created_at) values (?, ?)").run(JSON.stringify(prizes), START);
    const setting = raw.prepare("insert into settings (name, value) values (?, ?)");
    setting.run("spin_daily", "0");
    setting.run("spin_price", "1");
  });
}
