import type { IncomingHttpHeaders } from "node:http";

const OWN = /^\/(api|socket\.io|pay|docs|files|media|healthz|readyz|metrics)(\/|$)/;

/** Whether a path is the server's own, where no screen of the app ever stands. */
export const isServers = (path: string): boolean => OWN.test(path);

interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}

/** Whether an address that no route has is asked for as a page: not as a file, and not by a program that wants JSON. */
export const isPageAsked = ({ method, path, headers }: Asked): boolean =>
  (method === "GET" || method === "HEAD") && !isServers(path) && !isFile(path) && takesPages(headers.accept);

const isFile = (path: string) => /\.[a-z][a-z0-9]{0,7}$/i.test(path);

/** By the rules of HTTP: the nearest of `text/html`, `text/*` and what stands for anything decides. Nothing said is anything. */
function takesPages(accept = ""): boolean {
  if (accept.trim() === "") return true;
  const weights = new Map(accept.split(",").map(readRange));
  const weight = ["text/html", "text/*", "*/*"].map((type) => weights.get(type)).find((one) => one !== undefined) ?? 0;
  // A program that names JSON, and anything else only for good measure, would not know what to do with a page.
  const wantsJson = !weights.has("text/html") && (weights.get("application/json") ?? 0) > 0;
  return weight > 0 && !wantsJson;
}

function readRange(range: string): [type: string, weight: number] {
  const [type = "", ...params] = range.split(";").map((part) => part.trim().toLowerCase());
  const weight = params.find((param) => param.startsWith("q="));
  return [type, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}
