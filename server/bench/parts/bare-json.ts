import Fastify from "fastify";
import { cpuMs } from "#server/bench/measure.ts";
import { serveMethods } from "#server/bench/part.ts";

const methods = {
  /** Opens a bare Fastify with these answers, each at its path. Returns its address. */
  async open(answers: Record<string, unknown>): Promise<string> {
    const app = Fastify();
    for (const [path, answer] of Object.entries(answers)) app.get(path, () => answer);
    return app.listen({ host: "127.0.0.1", port: 0 });
  },
  cpuMs,
};

export type BareJsonPart = typeof methods;
serveMethods(methods);
