import { setTimeout as wait } from "node:timers/promises";
import { join } from "node:path";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { decodeData, type Envelope } from "#shared/contract/envelope.ts";
import type { videoInfo } from "#shared/contract/video.ts";
import { activateMembers, createDatabase, tokenHeader } from "./database.ts";
import { interleave } from "./measure.ts";
import type { DownloadPart } from "./parts/download.ts";
import type { BenchVideo } from "./parts/videos.ts";
import type { PlainFilesPart } from "./parts/plain-files.ts";
import type { ServerPart } from "./parts/server.ts";
import { startPart, type Part } from "./part.ts";
import { figure, ratioLine, type Line, type Row } from "./report.ts";

const KIB = 1_024;
const MIB = KIB * KIB;
/** Four seconds at 720p, from still to lively pictures. */
const SIZES = Array.from({ length: 24 }, (_, i) => (i % 2 ? 0.5 + i / 24 : 1.5 - i / 24) * MIB).map(Math.round);
const CONNECTIONS = 16;
const PAIRS = 7;
const SECONDS = 1.5;
const WARM_UPS = 2;
/** More than all buffers on the way hold, so that a server waits for a slow reader. */
const LONG = 32 * MIB;
const FEW = 20;
const MANY = 200;
const SIP_EVERY_MS = 250;
/** The time until buffers are full, and how often memory is read then. */
const SETTLE_MS = 4_000;
const LOOKS = 5;
const LOOK_MS = 500;

/** Segments through the member check, and the same files from a plain file server. */
export const segmentsRow: Row = async (log) => {
  using database = await createDatabase(1, activateMembers);
  await using server = startPart<ServerPart>("server");
  await using plain = startPart<PlainFilesPart>("plain-files");
  await using download = startPart<DownloadPart>("download");
  const url = await server.call("open", { folder: database.folder, games: [], how: "running" });
  const video = await server.call("publishBenchVideo", SIZES);
  const plainUrl = await plain.call("open", join(database.folder, video.folder));

  const fetch = (folder: string) => () => {
    const urls = video.segments.map((name) => `${folder}/${name}`);
    return download.call("fetch", { urls, connections: CONNECTIONS, seconds: SECONDS });
  };
  const found = await interleave(PAIRS, fetch(await playing(url, video)), fetch(plainUrl), WARM_UPS);
  log(`${perSecond(found.ours)} against ${perSecond(found.baseline)}`);
  const goal = { better: "more", target: 1.2 } as const;
  const throughput = ratioLine("segments through the gate ÷ a plain file server", found, perSecond, goal);
  return [throughput, await memoryLine(database.folder, log)];
};

const perSecond = (bytes: number): string => `${figure(bytes / 1e6)} MB/s`;

/** The address of a film's segments for a member. */
async function playing(url: string, { id }: BenchVideo): Promise<string> {
  const reply = await fetch(`${url}/api/video/getVideoInfo?id=vid_${id}`, { headers: { token: tokenHeader(1) } });
  const { data } = (await reply.json()) as Envelope;
  const { vod_play_url } = decodeData(data as string) as ReplyOf<typeof videoInfo>;
  return url + vod_play_url.replace(/\/[^/]*$/, "");
}

/** The memory of each further slow reader, in fresh processes. */
async function memoryLine(folder: string, log: (progress: string) => void): Promise<Line> {
  await using server = startPart<ServerPart>("server");
  await using plain = startPart<PlainFilesPart>("plain-files");
  const url = await server.call("open", { folder, games: [], how: "running" });
  const video = await server.call("publishBenchVideo", [LONG]);
  const plainUrl = await plain.call("open", join(folder, video.folder));
  const each = await perDownload(server, `${await playing(url, video)}/${video.segments[0]}`);
  log(`${figure(each / KIB)} KiB for each of ${MANY} slow downloads`);
  const plainEach = await perDownload(plain, `${plainUrl}/${video.segments[0]}`);
  return {
    what: `memory for each of ${MANY} slow parallel downloads of ${LONG / MIB} MiB, over ${FEW}`,
    value: each / MIB,
    unit: "MiB",
    detail: `a plain file server ${figure(plainEach / MIB)} MiB`,
    goal: { better: "less", target: 0.25 },
  };
}

type Served = Part<{ memoryHeld(): { heap: number; rss: number } }>;

async function perDownload(server: Served, url: string): Promise<number> {
  await using download = startPart<DownloadPart>("download");
  const held = async (count: number) => {
    await download.call("sip", { url, count, everyMs: SIP_EVERY_MS });
    await wait(SETTLE_MS);
    return mostHeld(server);
  };
  const few = await held(FEW);
  const many = await held(MANY - FEW);
  const { open, bytes } = await download.call("sipped");
  if (open !== MANY) throw new Error(`of ${MANY} slow downloads, ${open} go on`);
  if (bytes === 0) throw new Error("nobody reads");
  return Math.max(many.rss - few.rss, many.heap - few.heap) / (MANY - FEW);
}

/** The maximum of several readings. */
async function mostHeld(server: Served) {
  const most = { heap: 0, rss: 0 };
  for (let look = 0; look < LOOKS; look++) {
    const { heap, rss } = await server.call("memoryHeld");
    most.heap = Math.max(most.heap, heap);
    most.rss = Math.max(most.rss, rss);
    await wait(LOOK_MS);
  }
  return most;
}
