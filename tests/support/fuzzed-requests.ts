import fc from "fast-check";
import { schemaOf, type JsonSchema } from "#server/http/json-schema.ts";
import type { AnyEndpoint } from "#shared/contract/endpoint.ts";
import { LOCALES } from "#shared/locales.ts";
import type { Field } from "./multipart.ts";

/** A request as the fuzz makes it: `fields` may hold anything in JSON, and text elsewhere. */
export interface Fuzzed {
  endpoint: AnyEndpoint;
  method: "GET" | "POST";
  form: "query" | "form" | "json" | "multipart" | "raw";
  fields: [string, unknown][];
  /** The whole body of a `raw` request. */
  raw: { type: string; body: string };
  session: "none" | "good" | "broken";
  headers: Record<string, string>;
}

const HOSTILE: unknown[] = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\u202eabc",
  "\ud800",
  "\uffff",
  "é".repeat(70),
  "a".repeat(9_000),
  "9".repeat(400),
  "-1",
  "0",
  "01",
  "1e3",
  "0x10",
  "1.5",
  "NaN",
  "Infinity",
  "９９",
  "2000000001",
  "9007199254740993",
  "' or 1=1 --",
  "../../etc/passwd",
  "%00",
  "%s%n",
  "${7*7}",
  "<script>alert(1)</script>",
  "__proto__",
  "constructor",
  "null",
  "[]",
  "20260302-0000",
  "20260230-9999",
  "lot_0",
  "bet_99999999999999999999",
  "k3-1m,k3-1m",
  "A,A,A",
];
const NO_TEXTS: unknown[] = [null, true, 0, -1, 1.5, 1e21, -0, [], ["1"], {}, { a: { b: [1] } }, { toString: 1 }];

/** Values that a field's schema accepts, as far as its facts say. */
function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { anyOf, enum: choices, const: only, pattern, type, minimum, maximum, minLength = 0, maxLength } = schema;
  if (Array.isArray(anyOf)) return fc.oneof(...(anyOf as JsonSchema[]).map(fitting));
  if (Array.isArray(choices)) return fc.constantFrom(...(choices as unknown[]));
  if (only !== undefined) return fc.constant(only);
  if (typeof pattern === "string") return matching(pattern);
  if (type === "integer" || type === "number")
    return fc.integer({ min: Number(minimum ?? 0), max: Math.min(Number(maximum ?? 1e9), 2 ** 31 - 1) });
  return fc.string({
    unit: "grapheme",
    minLength: Number(minLength),
    maxLength: Math.min(Number(maxLength ?? 64), 200),
  });
}

function matching(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, "u"));
  } catch {
    // A pattern of what a generator cannot write, such as a look ahead.
    return fc.string();
  }
}

/** A good value, a little spoilt. */
const nearly = (good: string): fc.Arbitrary<string> =>
  fc.tuple(fc.nat(good.length), fc.string({ maxLength: 2 }), fc.nat(2)).map(([at, piece, drop]) => {
    const text = good.slice(0, at) + piece + good.slice(at + drop);
    return drop === 2 ? text.toUpperCase() : text;
  });

function valueOf(schema: JsonSchema, good: Field | undefined): fc.Arbitrary<unknown> {
  const text = typeof good === "string" ? good : undefined;
  return fc.oneof(
    { weight: good === undefined ? 0 : 8, arbitrary: fc.constant(good as unknown) },
    { weight: 4, arbitrary: fitting(schema) },
    { weight: text === undefined ? 0 : 3, arbitrary: nearly(text ?? "") },
    { weight: 2, arbitrary: fc.constantFrom(...HOSTILE) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
    { weight: 1, arbitrary: fc.constantFrom(...NO_TEXTS) },
    { weight: 1, arbitrary: fc.constant(undefined as unknown) },
  );
}

/** Mostly the site's own page: a change from elsewhere is refused before anything else is read. */
const originArb = fc.oneof(
  { weight: 9, arbitrary: fc.constant("http://localhost") },
  { weight: 1, arbitrary: fc.constantFrom("null", "https://elsewhere.example", "http://localhost:3000") },
);

const headersArb = fc.record(
  {
    lang: fc.constantFrom(...LOCALES.map(({ code }) => code), "xx_xx", "__proto__"),
    "x-data-encoding": fc.constantFrom("json", "base64"),
    "idempotency-key": fc.oneof(fc.stringMatching(/^[!-~]{1,64}$/), fc.constantFrom("", "k", "a".repeat(65), "a b")),
    tokensso: fc.constantFrom("a.b.c", "", "x".repeat(2_000)),
    origin: originArb,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, string>>;

const rawArb = fc.record({
  type: fc.constantFrom(
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "multipart/form-data",
    "text/plain",
    "application/json; charset=utf-16",
    "a/b",
  ),
  body: fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.json(),
    fc.constantFrom("{", "[]", "null", '"a"', "[".repeat(5_000), '{"a":1,"a":2}', "a=1&a=2&%", "--x\r\n", "--x--\r\n"),
    fc.constant('--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nGIF89a\r\n--x--\r\n'),
  ),
});

/** Requests to one endpoint, from its own schema and from a good input. */
export function requestsTo(endpoint: AnyEndpoint, good: Record<string, Field>): fc.Arbitrary<Fuzzed> {
  const { properties = {} } = schemaOf(endpoint.input, "input") as { properties?: Record<string, JsonSchema> };
  const known = Object.entries(properties).map(([name, schema]) =>
    fc.tuple(fc.constant(name), valueOf(schema, good[name])),
  );
  const more = fc.array(fc.tuple(fc.constantFrom("x", "__proto__", "page", "token"), fc.constantFrom(...HOSTILE)), {
    maxLength: 1,
  });
  const fields = fc
    .tuple(fc.tuple(...known), fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: more }))
    .map(([own, extra]) => [...own, ...extra].filter(([, value]) => value !== undefined));
  return fc.record({
    endpoint: fc.constant(endpoint),
    method: fc.constantFrom(...endpoint.methods),
    form: fc.oneof(
      { weight: 5, arbitrary: fc.constant("form" as const) },
      { weight: 4, arbitrary: fc.constant("json" as const) },
      { weight: endpoint.takesFile ? 12 : 1, arbitrary: fc.constant("multipart" as const) },
      { weight: 1, arbitrary: fc.constant("raw" as const) },
    ),
    fields,
    raw: rawArb,
    session: fc.constantFrom("good", "good", "good", "good", "good", "good", "good", "good", "none", "broken"),
    headers: headersArb,
  });
}

/** Addresses of what stands beside the API: files, videos, the log, pages and notifications. */
export function pathsBeside(paths: string[]): fc.Arbitrary<string> {
  const segment = fc.oneof(
    fc.constantFrom("..", "%2e%2e", "%00", "%ff", "%", "a".repeat(300), "1", "vid_1", "index.m3u8", "none", "%5c", ";"),
    fc.string({ maxLength: 12 }).map(encodeURIComponent),
    fc.stringMatching(/^[\w.-]{1,40}$/),
  );
  const tail = fc.array(segment, { maxLength: 4 }).map((parts) => parts.join("/"));
  const query = fc.oneof(fc.constant(""), fc.constantFrom("?", "?a[b]=1", "?%", "?q=%00", `?q=${"a".repeat(3_000)}`));
  const start = fc.constantFrom(...paths.map((path) => path.replace(/\{.*/, "")), "/", "/api/", "/socket.io", "/sw.js");
  return fc.tuple(start, tail, query).map(([head, rest, asked]) => `${head}${rest}${asked}`);
}
