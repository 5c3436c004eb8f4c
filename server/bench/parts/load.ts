import autocannon from "autocannon";
import { tokenHeader } from "#server/bench/database.ts";
import { nowMs } from "#server/bench/measure.ts";
import { serveMethods } from "#server/bench/part.ts";

interface Shots {
  url: string;
  /** Sent as a form; without one it is a GET. */
  body?: string;
  connections: number;
  seconds: number;
  /** Each connection sends requests as a few of the members 1..`members`, in turn. */
  members: number;
  /** The beginning of every right answer. */
  opens: string;
}

let answered = 0;

/** Sends HTTP requests as fast as possible. */
const methods = {
  /** Returns answers per second. Throws if one of them was wrong. */
  async fire({ url, body, connections, seconds, members, opens }: Shots): Promise<number> {
    const each = Math.max(1, Math.floor(members / connections));
    let clients = 0;
    const begunMs = nowMs();
    const result = await autocannon({
      url,
      connections,
      duration: seconds,
      verifyBody: (answer) => String(answer).startsWith(opens),
      setupClient(client) {
        const from = clients++ * each;
        const requests = Array.from({ length: each }, (_, i) => requestOf(((from + i) % members) + 1, body));
        client.setRequests(requests);
      },
    });
    const { errors, non2xx, mismatches, requests } = result;
    if (errors + non2xx + mismatches > 0) {
      throw new Error(`${errors} errors, ${non2xx} refusals and ${mismatches} wrong answers from ${url}`);
    }
    answered = requests.total;
    return requests.total / ((nowMs() - begunMs) / 1000);
  },
  /** How many answers that were. */
  answered: () => answered,
};

function requestOf(memberId: number, body: string | undefined) {
  const headers = { token: tokenHeader(memberId), lang: "en_us" };
  if (body === undefined) return { method: "GET" as const, headers };
  return {
    method: "POST" as const,
    headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
    body,
  };
}

export type LoadPart = typeof methods;
serveMethods(methods);
