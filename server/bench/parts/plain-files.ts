import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { cpuMs, memoryHeld } from "#server/bench/measure.ts";
import { serveMethods } from "#server/bench/part.ts";

const methods = {
  /** Serves the whole files of one folder with Node's own server, without checks. Returns its address. */
  async open(folder: string): Promise<string> {
    const server = createServer((request, response) => {
      const path = join(folder, basename(request.url!));
      void stat(path).then(({ size }) => {
        response.writeHead(200, { "content-type": "video/mp4", "content-length": size });
        createReadStream(path).pipe(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
  cpuMs,
  memoryHeld,
};

export type PlainFilesPart = typeof methods;
serveMethods(methods);
