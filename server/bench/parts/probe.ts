import { Agent, get } from "node:http";
import { nowMs } from "#server/bench/measure.ts";
import { serveMethods } from "#server/bench/part.ts";

/** The times of one request and of its response. */
export type Sample = [askedMs: number, answeredMs: number];

const agent = new Agent({ keepAlive: true });
const samples: Sample[] = [];
let failed: Error | undefined;
let timer: NodeJS.Timeout | undefined;

function ask(url: string): void {
  const askedMs = nowMs();
  const request = get(url, { agent }, (response) => {
    response.resume();
    response.on("end", () => samples.push([askedMs, nowMs()]));
  });
  request.on("error", (error) => {
    failed = error;
  });
}

/** Sends requests at an interval, without waiting for the responses. */
const methods = {
  begin(url: string, everyMs: number): void {
    timer = setInterval(() => ask(url), everyMs);
  },
  /** Returns the samples since `begin`. */
  end(): Sample[] {
    clearInterval(timer);
    if (failed) throw failed;
    return samples.splice(0);
  },
};

export type ProbePart = typeof methods;
serveMethods(methods);
