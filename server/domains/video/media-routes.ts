import type { FastifyInstance } from "fastify";
import { isDatabaseAway } from "#db/away.ts";
import type { Deps } from "#server/app/deps.ts";
import { Gate } from "./gate.ts";
import { refuseMedia, sendMedia } from "./send-media.ts";

/** `/<signature>/<video>/<file>`: what players fetch. Every refusal is an empty 403. */
export async function mediaRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const gate = new Gate(deps);
  app.setErrorHandler((error, _request, reply) => {
    if (isDatabaseAway(error)) return refuseMedia(reply, 503);
    deps.log.error({ err: error }, "a video could not be sent");
    return refuseMedia(reply, 500);
  });
  app.setNotFoundHandler((_request, reply) => refuseMedia(reply, 404));
  app.route<{ Params: { pass: string; video: string; file: string } }>({
    method: ["GET", "HEAD"],
    url: "/:pass/:video/:file",
    async handler(request, reply) {
      const { pass, video, file } = request.params;
      const videoId = Number(/^[1-9]\d{0,14}$/.exec(video)?.[0]);
      const media = await gate.open({ pass, videoId, name: file });
      return media ? sendMedia(request, reply, media) : refuseMedia(reply, 403);
    },
  });
}
