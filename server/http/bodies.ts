import type { FastifyInstance } from "fastify";
import { Refusal } from "#shared/refusal.ts";

/** Accepts forms (by their plugin) and JSON without duplicate names. */
export function readBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser(["text/plain", "application/json"]);
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, body, done) => {
    void parseJson(request, body, (error, value: unknown) => {
      const repeats = !error && isObject(value) && countNames(body) > Object.keys(value).length;
      done(repeats ? new Refusal("request.malformed") : error, value);
    });
  });
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Counts the names of the outermost object, including duplicates that the parser would drop. */
function countNames(json: string): number {
  let depth = 0;
  let names = 0;
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (token === ":" && depth === 1) names++;
  }
  return names;
}
