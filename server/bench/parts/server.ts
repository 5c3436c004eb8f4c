import type { Socket } from "node:net";
import { readConfig } from "#server/config/config.ts";
import { addGame, type NewGame } from "#server/domains/lottery/add-game.ts";
import { openLog } from "#server/app/log.ts";
import { openSite, type Site } from "#server/app/site.ts";
import { startServer } from "#server/app/start.ts";
import { MASTER, START } from "#server/bench/database.ts";
import { cpuMs, memoryHeld } from "#server/bench/measure.ts";
import { bytesWritten } from "#server/bench/disk.ts";
import { serveMethods } from "#server/bench/part.ts";
import { publishDemoVideos, publishBenchVideo } from "./videos.ts";
import { fillLog } from "./log-fill.ts";
import { LogPlay } from "./log-play.ts";
import { openPlain } from "./plain-order.ts";
import { Play } from "./play.ts";

interface ServerSetup {
  folder: string;
  /** The games that are added. By hand, the first is played. */
  games: NewGame[];
  /**
   * `running`: a server with its background loops. `byHand`: clock and loops are driven from here. `plain`: orders are
   * checked and answered without a database.
   */
  how: "running" | "byHand" | "plain";
}

/** What this process has spent since it began. */
export interface Spent {
  cpuMs: number;
  /** Bytes to all who are or were connected. */
  sent: number;
  /** Bytes written to disks; null where nobody counts them. */
  written: number | null;
}

/** Those who are connected, and what those who are gone had been sent. */
const connected = new Set<Socket>();
let sentBefore = 0;

function countSent(socket: Socket): void {
  connected.add(socket);
  socket.once("close", () => {
    connected.delete(socket);
    sentBefore += socket.bytesWritten;
  });
}

let site: Site | undefined;
let play: Play | undefined;
const opened = () => site ?? fail("the server is not open");
const atTable = () => play ?? fail("only a server by hand plays");
const atLog = () => new LogPlay(opened(), atTable());

function fail(why: string): never {
  throw new Error(why);
}

/** The server under test. */
const methods = {
  /** Opens the server. Returns its address. */
  async open({ folder, games, how }: ServerSetup): Promise<string> {
    const { DATABASE_URL } = process.env;
    const key = Buffer.from(MASTER).toString("hex");
    const quiet = { PORT: "0", RATE_LIMIT: "off", LOG_LEVEL: "silent", DEMO: "0" };
    const env = { DATABASE_URL, DATA_DIR: folder, MASTER_KEY: key, ...quiet };
    const config = readConfig(env, []);
    const log = openLog(config.logLevel);
    const hand = new SharedArrayBuffer(8);
    new Float64Array(hand)[0] = START;
    const scaled = { kind: "scaled", from: START + 1, startedAt: Date.now(), speed: 1 } as const;
    const outside = { clock: how === "byHand" ? ({ kind: "shared", buffer: hand } as const) : scaled, log };
    site = how === "running" ? (await startServer(config, outside)).site : await openSite(config, outside);
    const { deps } = site;
    await deps.db.transact(async (tx) => {
      for (const game of games) await addGame(tx, deps, game);
    });
    if (games.length > 0) await site.rounds.tick();
    if (how === "byHand") play = new Play(site, new Float64Array(hand), games[0]?.key);
    const app = how === "plain" ? await openPlain(site, config) : site.app;
    app.server.on("connection", countSent);
    if (!app.server.listening) await app.listen({ host: config.host, port: 0 });
    return app.listeningOrigin;
  },
  bet: (members: number, each: number) => atTable().bet(members, each),
  nextRound: () => atTable().nextRound(),
  close: () => atTable().close(),
  draw: () => atTable().draw(),
  due: () => atTable().due(),
  follow: (ms: number) => atTable().follow(ms),
  runClock: () => atTable().run(),
  settled: () => atTable().settled(),
  settle: () => atTable().settle(),
  share: () => atTable().share(),
  betAndGrow: (members: number, each: number) => atLog().betAndGrow(members, each),
  closeTold: () => atLog().closeTold(),
  prove: () => atLog().prove(),
  finish: async () => {
    await atTable().draw();
    await atTable().settled();
  },
  receiptCost: () => atLog().receiptCost(),
  fillLog: (file: string, leaves: number) => fillLog(opened(), file, leaves),
  inclusionCost: () => atLog().inclusionCost(),
  publishBenchVideo: (sizes: number[]) => publishBenchVideo(opened().deps, sizes),
  publishDemoFilms: () => publishDemoVideos(opened().deps),
  cpuMs,
  spent(): Spent {
    const sent = [...connected].reduce((sum, { bytesWritten: bytes }) => sum + bytes, sentBefore);
    return { cpuMs: cpuMs(), sent, written: bytesWritten() };
  },
  memoryHeld,
};

export type ServerPart = typeof methods;
serveMethods(methods);
