import type { IncomingMessage, ServerResponse } from "node:http";
import { LoopbackServer } from "./loopback-server.ts";

/** A request as a payment provider received it. */
export interface ProviderRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/**
 * How a provider misbehaves: `lost` handles the request and does not answer, `silent` does neither, a number refuses
 * with that status.
 */
export type Trouble = "lost" | "silent" | number | null;

export interface Answer {
  status?: number;
  body: unknown;
}

/** A payment provider on loopback. `handle` decides what it answers. */
export abstract class ProviderServer extends LoopbackServer {
  readonly requests: ProviderRequest[] = [];
  /** Called for each request before it is handled. */
  trouble: (request: ProviderRequest) => Trouble = () => null;

  protected take(request: IncomingMessage, response: ServerResponse): void {
    let body = "";
    request.setEncoding("utf8").on("data", (piece: string) => (body += piece));
    request.on("end", () => {
      const { pathname, searchParams } = new URL(request.url!, "http://provider");
      const { method = "", headers } = request;
      const asked = { method, path: pathname, query: searchParams, headers, body };
      this.requests.push(asked);
      const trouble = this.trouble(asked);
      if (trouble === "silent") return;
      const refusal = { error: { type: "invalid_request_error", message: "no" } };
      const { status = 200, body: output } =
        typeof trouble === "number" ? { status: trouble, body: refusal } : this.handle(asked);
      if (trouble === "lost") request.socket.destroy();
      else response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(output));
    });
  }

  abstract handle(request: ProviderRequest): Answer;

  /** How often this was requested. */
  count(method: string, path: RegExp): number {
    return this.requests.filter((one) => one.method === method && path.test(one.path)).length;
  }
}
