import type { Part } from "./part.ts";
import type { CrowdPart } from "./parts/crowd.ts";
import type { ServerPart } from "./parts/server.ts";

export interface Broadcast {
  begunMs: number;
  lastMs: number;
  tookMs: number;
}

/** The members 1..`members` bet and the round closes. Measures from the draw until the last member has the result. */
export async function broadcastDraw(
  server: Part<ServerPart>,
  crowd: Part<CrowdPart>,
  members: number,
): Promise<Broadcast> {
  await server.call("bet", members, 1);
  await server.call("close");
  await crowd.call("expect", '"mine"', members);
  const begunMs = await server.call("draw");
  const lastMs = await crowd.call("lastReceived");
  await server.call("settled");
  return { begunMs, lastMs, tookMs: lastMs - begunMs };
}
