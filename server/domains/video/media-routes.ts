import type { FastifyInstance } from "fastify";
import { isDatabaseAway } from "#db/away.ts";
import type { Deps } from "#server/app/deps.ts";
import type { Told } from "#server/http/operation.ts";
import { refusalOf } from "#server/http/refusal-of.ts";
import { headers } from "#server/http/told-headers.ts";
import { Gate } from "./gate.ts";
import { PLAYLIST_TYPE } from "./playlists.ts";
import { refuseMedia, sendMedia } from "./send-media.ts";

const PARTS = { pass: "The signature.", video: "The video's number.", file: "A playlist, a segment or a picture." };
const piece = { type: "string" };
const TYPES = [PLAYLIST_TYPE, "video/mp4", "text/vtt", "image/avif", "image/webp", "image/jpeg"];
const bytes = Object.fromEntries(TYPES.map((type) => [type, { schema: { type: "string", contentMediaType: type } }]));
const empty = (description: string) => ({ description: `${description} The body is empty.` });

const OF_PIECES = ["etag", "accept-ranges"];

const PIECE: Told = {
  operation: {
    operationId: "media",
    summary: "A piece of a video",
    description: "Players fetch it. The address is what a video's answer gives; it ends with the session.",
    tags: ["file"],
    security: [],
    parameters: Object.entries(PARTS).map(([name, description]) => ({
      name,
      in: "path",
      required: true,
      description,
      schema: piece,
    })),
    responses: {
      200: { description: "The piece.", headers: headers(OF_PIECES), content: bytes },
      206: {
        description: "The part that the header `range` asks for.",
        headers: headers([...OF_PIECES, "content-range"]),
        content: bytes,
      },
      304: { ...empty("The client has it."), headers: headers(OF_PIECES) },
      403: empty("The address is not, or no longer, good for this."),
      404: empty("There is no such address."),
      416: { ...empty("The range lies beyond the piece."), headers: headers([...OF_PIECES, "content-range"]) },
      500: empty("A fault of the server."),
      503: empty("The database or the storage is away."),
    },
  },
};

/** `/<signature>/<video>/<file>`: what players fetch. Every refusal is an empty 403. */
export async function mediaRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const gate = new Gate(deps);
  app.setErrorHandler((error, _request, reply) => {
    if (!isDatabaseAway(error)) deps.log.error({ err: error }, "a video could not be sent");
    return refuseMedia(reply, refusalOf(error).reason === "server.away" ? 503 : 500);
  });
  app.setNotFoundHandler((_request, reply) => refuseMedia(reply, 404));
  app.route<{ Params: { pass: string; video: string; file: string } }>({
    method: ["GET", "HEAD"],
    url: "/:pass/:video/:file",
    config: { told: () => PIECE },
    async handler(request, reply) {
      const { pass, video, file } = request.params;
      const videoId = Number(/^[1-9]\d{0,14}$/.exec(video)?.[0]);
      const media = await gate.open({ pass, videoId, name: file });
      return media ? sendMedia(request, reply, media) : refuseMedia(reply, 403);
    },
  });
}
