import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { desc } from "drizzle-orm";
import { videos } from "#db/schema/video.ts";
import { storeDemoVideos, readDemoVideos, seedVideos } from "#server/demo/videos.ts";
import type { Deps } from "#server/app/deps.ts";
import { publishVideo, setCategory } from "#server/domains/video/publish.ts";
import { videoWireId, type Segment } from "#shared/video.ts";

const SEGMENT_MS = 4_000;
const CATEGORY = "bench";

/** A published video, to fetch its segments. */
export interface BenchVideo {
  id: number;
  /** Where its files lie in the data folder. */
  folder: string;
  segments: string[];
}

const newName = () => randomBytes(16).toString("hex");

/** Publishes a video of one size, as an import does. Its segments are random bytes of these sizes. */
export async function publishBenchVideo(deps: Deps, sizes: readonly number[]): Promise<BenchVideo> {
  const folder = `videos/${newName()}`;
  const put = async (bytes: number, ending: string) => {
    const name = newName() + ending;
    await deps.storage.put(`${folder}/${name}`, randomBytes(bytes));
    return name;
  };
  const segments: Segment[] = [];
  for (const bytes of sizes) segments.push({ name: await put(bytes, ".m4s"), ms: SEGMENT_MS });
  const size = { width: 1_280, height: 720, bandwidth: 2_000_000, codecs: "avc1.64001f,mp4a.40.2" };
  const renditions = [{ ...size, init: await put(800, ".mp4"), segments }];
  const id = await deps.db.transact(async (tx) => {
    await setCategory(tx, deps, CATEGORY, CATEGORY);
    const durationMs = sizes.length * SEGMENT_MS;
    const shown = { source: newName(), categoryId: 1, title: "Noise", durationMs, captions: [] };
    return publishVideo(tx, deps, { ...shown, folder, renditions });
  });
  return { id: id!, folder: join("files", folder), segments: segments.map(({ name }) => name) };
}

/** A video of the demo: its id on the wire, and the files of its smallest size in the data folder. */
export interface DemoVideo {
  id: string;
  files: string[];
}

/** Publishes the videos of the demo. */
export async function publishDemoVideos(deps: Deps): Promise<DemoVideo[]> {
  const stored = await storeDemoVideos(deps, readDemoVideos());
  await deps.db.transact((tx) => seedVideos(tx, deps, stored));
  const { id, folder, renditions, publishedAt } = videos;
  const rows = await deps.db.read.select({ id, folder, renditions }).from(videos).orderBy(desc(publishedAt));
  return rows.map(({ id, folder, renditions: [smallest] }) => {
    const names = [smallest!.init, ...smallest!.segments.map(({ name }) => name)];
    return { id: videoWireId(id), files: names.map((name) => join("files", folder, name)) };
  });
}
