import type { FastifyInstance } from "fastify";
import { Refusal } from "#shared/refusal.ts";

/** Which bodies are read: forms (by their own plugin) and JSON whose names each stand once. */
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

/** How many names the outermost object gives, those included that the parser would drop for a later one. */
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
