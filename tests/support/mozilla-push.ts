import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { WebSocketServer, type WebSocket } from "ws";
import { LoopbackServer } from "./loopback-server.ts";

/** What a Firefox asks of its push service. */
interface Asked {
  messageType: string;
  uaid?: string;
  channelID?: string;
  /** What became of messages: 100 is decrypted and handed to the site's worker. */
  updates?: { code: number }[];
}

/**
 * A push service for a Firefox, by the protocol of Mozilla's own
 * (https://mozilla-push-service.readthedocs.io/en/latest/design/): the browser keeps a WebSocket and gets an address for
 * each subscription; what is posted there goes to the browser, still encrypted.
 */
export class MozillaPush extends LoopbackServer {
  readonly #browsers = new Map<string, WebSocket>();
  #messages = 0;
  /** The browsers' codes for the messages that they got. */
  readonly codes: number[] = [];

  override async listen(): Promise<this> {
    const handleProtocols = (offered: Set<string>) => offered.values().next().value ?? false;
    const sockets = new WebSocketServer({ server: this.server, handleProtocols });
    sockets.on("connection", (socket) =>
      socket.on("message", (message: Buffer) => this.#answer(socket, JSON.parse(message.toString()) as Asked)),
    );
    return super.listen();
  }

  /** What a Firefox needs in its settings to use this service, and to let every site notify. */
  get settings(): Record<string, string | number | boolean> {
    return {
      "dom.push.serverURL": `${this.url.replace("http", "ws")}/`,
      "dom.push.testing.allowInsecureServerURL": true,
      // A browser that is driven reaches none by itself.
      "dom.push.connection.enabled": true,
      "permissions.default.desktop-notification": 1,
    };
  }

  #answer(socket: WebSocket, { messageType, uaid, channelID = "", updates = [] }: Asked): void {
    const say = (fields: object) => socket.send(JSON.stringify({ messageType, status: 200, ...fields }));
    if (messageType === "hello")
      say({ uaid: uaid || randomBytes(16).toString("hex"), use_webpush: true, broadcasts: {} });
    if (messageType === "ack") this.codes.push(...updates.map(({ code }) => code));
    if (messageType === "unregister") say({ channelID });
    if (messageType !== "register") return;
    this.#browsers.set(channelID, socket);
    say({ channelID, pushEndpoint: `${this.url}/${channelID}` });
  }

  protected take(request: IncomingMessage, response: ServerResponse): void {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const channelID = request.url!.slice(1);
      const news = { messageType: "notification", channelID, version: String(++this.#messages) };
      const headers = { encoding: request.headers["content-encoding"] };
      const data = Buffer.concat(pieces).toString("base64url");
      this.#browsers.get(channelID)?.send(JSON.stringify({ ...news, headers, data }));
      response.writeHead(201).end();
    });
  }
}
