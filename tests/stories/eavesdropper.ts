import { io, type Socket } from "socket.io-client";
import { headersOf } from "../support/call.ts";
import type { World } from "../support/world.ts";
import type { Recorder } from "./recorder.ts";

/** Passes everything that a server sends to a recorder: answers, pushes and its log. */
export class Eavesdropper {
  /** Calls that ended in a server error. */
  readonly failed: string[] = [];
  readonly #w: World;
  readonly #recorder: Recorder;
  readonly #sockets: Socket[] = [];
  #marks = 0;

  constructor(w: World, recorder: Recorder) {
    this.#w = w;
    this.#recorder = recorder;
    // Each log line is judged the moment it is written.
    w.logged.push = (...lines: string[]) => {
      for (const text of lines) recorder.hear({ by: "the log", text });
      return Array.prototype.push.apply(w.logged, lines);
    };
  }

  /** A socket of a member or a guest that watches the games; the recorder gets every packet as it arrives. */
  async connect(token: string | undefined, keys: string[]): Promise<void> {
    const auth = { lang: "en_us", ...(token && { token }) };
    const socket = io(await this.#w.listen(), { transports: ["websocket"], forceNew: true, auth });
    this.#sockets.push(socket);
    socket.io.on("open", () => {
      const hear = ({ data = "" }: { data?: string }) => this.#recorder.hear({ by: "a push", text: data });
      socket.io.engine.on("packet", hear);
    });
    await new Promise<void>((resolve, reject) => {
      socket.on("connect", resolve);
      socket.on("connect_error", reject);
    });
    for (const key of keys) await socket.emitWithAck("lottery:watch", key);
  }

  /** Waits until every socket has received all that was sent so far. */
  async hearOut(): Promise<void> {
    const kefu = `mark ${++this.#marks}`;
    const recorded = this.#sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          const listen = (changed: { kefu?: string }) => {
            if (changed.kefu !== kefu) return;
            socket.off("site:change", listen);
            resolve();
          };
          socket.on("site:change", listen);
        }),
    );
    this.#w.site.hub.io.emit("site:change", { kefu });
    await Promise.all(recorded);
  }

  /** Sends a request. Returns the code of the envelope, or else the HTTP status. */
  async ask(path: string, input: Record<string, string>, token?: string): Promise<number> {
    const headers = headersOf({ lang: "en_us", ...(token && { token }) }, "GET");
    const answer = await this.#w.site.app.inject({ url: `${path}?${new URLSearchParams(input).toString()}`, headers });
    const by = `GET ${path}`;
    this.#recorder.hear({ by, text: answer.body, ...(input.key && { key: input.key }) });
    this.#recorder.hear({ by: `the head of ${by}`, text: JSON.stringify(answer.headers) });
    if (answer.statusCode >= 500) this.failed.push(by);
    return answer.body.startsWith('{"code"') ? answer.json<{ code: number }>().code : answer.statusCode;
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
  }
}
