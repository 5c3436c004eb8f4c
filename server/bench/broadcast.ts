import { broadcastDraw, type Broadcast } from "./broadcast-draw.ts";
import { createDatabase } from "./database.ts";
import { compare, interleave, percentile } from "./measure.ts";
import type { BareWsPart } from "./parts/bare-ws.ts";
import type { CrowdPart } from "./parts/crowd.ts";
import type { ProbePart, Sample } from "./parts/probe.ts";
import type { ServerPart } from "./parts/server.ts";
import { startPart, type Part } from "./part.ts";
import { figure, inMs, ratioLine, type Row } from "./report.ts";

const MEMBERS = 5_000;
const PAIRS = 9;
/** Draws until the code is compiled. */
const WARM_UPS = 8;
const PROBED = 10;
const PROBE_EVERY_MS = 5;
const IDLE_MS = 300;
const PING_MS = 25_000;
const KEY = "k3-1m";
const games = [{ key: KEY, name: "A minute", periodS: 60, closeS: 3 }];
/** The packet for a watcher without a bet. */
const RESULT = `42${JSON.stringify([
  "lottery:result",
  { key: KEY, expect: "20260302-0001", opencode: [1, 2, 3], one: "B", two: "D", sum: 6, seed: "a".repeat(64) },
])}`;

/** A draw that 5 000 watching members bet on, until the last has its result, and the delay for other requests. */
export const broadcastRow: Row = async (log) => {
  using database = await createDatabase(MEMBERS);
  await using server = startPart<ServerPart>("server");
  await using bare = startPart<BareWsPart>("bare-ws");
  await using crowd = startPart<CrowdPart>("crowd");
  await using probe = startPart<ProbePart>("probe");
  const url = await server.call("open", { folder: database.folder, games, how: "byHand" });
  await crowd.call("join", { url, count: MEMBERS, watch: KEY });
  await crowd.call("join", { url: await bare.call("open", PING_MS), count: MEMBERS });
  log(`${MEMBERS} members watch, and as many listen to bare ws`);

  const tell = async () => (await broadcastDraw(server, crowd, MEMBERS)).tookMs;
  const found = await interleave(PAIRS, tell, () => broadcastBare(bare, crowd), WARM_UPS);
  log(`the last member has it after ${inMs(found.ours)}, by bare ws after ${inMs(found.baseline)}`);
  const delays = await probeBroadcasts(probe, `${url}/api/Lottery/getLotteryInfo?key=${KEY}`, () =>
    broadcastDraw(server, crowd, MEMBERS),
  );
  const p99 = compare([[percentile(delays.telling, 0.99), percentile(delays.idle, 0.99)]]);
  return [
    ratioLine(`draw → the last of ${figure(MEMBERS)} has result and balance ÷ bare ws, result only`, found, inMs, {
      better: "less",
      target: 1.5,
    }),
    {
      what: `API p99 while ${figure(MEMBERS)} get a result ÷ idle p99`,
      value: p99.ratio,
      detail:
        `${inMs(p99.ours)} against ${inMs(p99.baseline)} ` +
        `(${delays.telling.length} answers in ${PROBED} draws, ${delays.idle.length} idle)`,
      goal: { better: "less", target: 2 },
    },
  ];
};

async function broadcastBare(bare: Part<BareWsPart>, crowd: Part<CrowdPart>): Promise<number> {
  await crowd.call("expect", "lottery:result", MEMBERS);
  const begunMs = await bare.call("broadcast", RESULT);
  return (await crowd.call("lastReceived")) - begunMs;
}

/** Response times in ms, during a broadcast and while idle. */
async function probeBroadcasts(probe: Part<ProbePart>, url: string, tell: () => Promise<Broadcast>) {
  const telling: number[] = [];
  const idle: number[] = [];
  for (let draw = 0; draw <= PROBED; draw++) {
    await probe.call("begin", url, PROBE_EVERY_MS);
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const quiet = await probe.call("end");
    await probe.call("begin", url, PROBE_EVERY_MS);
    const { begunMs, lastMs } = await tell();
    const busy = (await probe.call("end")).filter(([asked, answered]) => answered >= begunMs && asked <= lastMs);
    if (draw === 0) continue;
    idle.push(...quiet.map(tookOf));
    telling.push(...busy.map(tookOf));
  }
  return { telling, idle };
}

const tookOf = ([asked, answered]: Sample): number => answered - asked;
