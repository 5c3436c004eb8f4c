import type { IncomingHttpHeaders } from "node:http";

const OWN = /^\/(api|socket\.io|pay|docs|files|media|healthz|readyz|metrics)(\/|$)/;

/** Whether a path belongs to the server, never to a screen of the app. */
export const isServers = (path: string): boolean => OWN.test(path);

interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}

/** Whether a request without a route wants a page: not a file, and not a program's JSON. */
export const isPageAsked = ({ method, path, headers }: Asked): boolean =>
  (method === "GET" || method === "HEAD") && !isServers(path) && !isFile(path) && takesPages(headers.accept);

const isFile = (path: string) => /\.[a-z][a-z0-9]{0,7}$/i.test(path);

/** Content negotiation: the most specific of `text/html`, `text/*` and the wildcard decides. A missing header accepts anything. */
function takesPages(accept = ""): boolean {
  if (accept.trim() === "") return true;
  const weights = new Map(accept.split(",").map(readRange));
  const weight = ["text/html", "text/*", "*/*"].map((type) => weights.get(type)).find((one) => one !== undefined) ?? 0;
  // A program that names JSON, and pages only through the wildcard, cannot use a page.
  const wantsJson = !weights.has("text/html") && (weights.get("application/json") ?? 0) > 0;
  return weight > 0 && !wantsJson;
}

function readRange(range: string): [type: string, weight: number] {
  const [type = "", ...params] = range.split(";").map((part) => part.trim().toLowerCase());
  const weight = params.find((param) => param.startsWith("q="));
  return [type, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}
