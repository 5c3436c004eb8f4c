import { REQUEST_ID } from "#shared/contract/envelope.ts";
import type { JsonSchema } from "./json-schema.ts";

/* The headers of answers in the API's document. What HTTP itself needs to carry a body stands in no OpenAPI document. */

const number = (description: string): JsonSchema => ({ description, schema: { type: "integer", minimum: 0 } });
const text = (description: string): JsonSchema => ({ description, schema: { type: "string" } });

const FOR_BROWSERS = [
  "content-security-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "origin-agent-cluster",
  "permissions-policy",
  "referrer-policy",
  "strict-transport-security",
  "x-content-type-options",
  "x-dns-prefetch-control",
  "x-download-options",
  "x-frame-options",
  "x-permitted-cross-domain-policies",
  "x-xss-protection",
];

/** Any answer may have them. */
export const OF_ALL: Record<string, JsonSchema> = {
  [REQUEST_ID]: {
    description: "This request's id, under which the operator finds its lines in the log.",
    schema: { type: "string", pattern: "^[0-9A-Za-z_.:-]{1,64}$" },
  },
  ...Object.fromEntries(FOR_BROWSERS.map((name) => [name, text("For browsers: what pages may do with the answer.")])),
  "cache-control": text("Who may keep the answer, and for how long."),
  vary: text("Which headers of the request made the answer what it is."),
};

export const LIMIT_HEADERS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

export const HEADERS: Record<string, JsonSchema> = {
  ...OF_ALL,
  "retry-after": number("After how many seconds a repeat makes sense."),
  "x-ratelimit-limit": number("How many requests an address may make in a window. Absent while no limit is on."),
  "x-ratelimit-remaining": number("How many of them are left."),
  "x-ratelimit-reset": number("In how many seconds the window ends."),
  "content-encoding": text("How the body is compressed, as the request's `accept-encoding` allows."),
  "content-disposition": text("The name of the file."),
  etag: text("Names these bytes, for `if-none-match` and `if-range`."),
  "accept-ranges": text("`bytes`: the header `range` is understood."),
  "content-range": text("Which part of the whole this is, or how long the whole is."),
  "access-control-allow-origin": text("`*`: pages of other sites may read it too."),
};

export const headers = (names: readonly string[]): Record<string, JsonSchema> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
