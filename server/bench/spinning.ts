import type Sqlite from "better-sqlite3";
import { immediately } from "#db/sqlite/open.ts";
import { createDatabase, START } from "./database.ts";
import { interleave } from "./measure.ts";
import type { LoadPart } from "./parts/load.ts";
import type { ServerPart } from "./parts/server.ts";
import { startPart } from "./part.ts";
import { perSecond, ratioLine, type Row } from "./report.ts";

const IN_FLIGHT = 64;
const MEMBERS = 2_048;
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
  const fire =
    (name: string, { path, body }: typeof bet) =>
    async () => {
      const shots = { url: url + path, body, connections: IN_FLIGHT, seconds: SECONDS, members: MEMBERS };
      const found = await load.call("fire", { ...shots, opens: '{"code":200,' });
      log(`${name}: ${perSecond(found)}`);
      return found;
    };
  const found = await interleave(PAIRS, fire("spins", spin), fire("bets", bet));
  const what = `spins over HTTP ÷ bets on the same server, ${IN_FLIGHT} in flight`;
  return [ratioLine(what, found, perSecond)];
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
