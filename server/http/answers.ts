import { DONE } from "#shared/contract/envelope.ts";
import { FIGURES, REFUSALS, type RefusalReason } from "#shared/refusal.ts";
import type { JsonSchema } from "./json-schema.ts";
import { headers, LIMIT_HEADERS, OF_ALL } from "./told-headers.ts";

/* The envelope in the API's document: every answer of a call, as it comes. */

export interface Answer {
  description: string;
  headers?: Record<string, JsonSchema>;
  content?: Record<string, { schema: JsonSchema }>;
}
export type Answers = Record<string, Answer | JsonSchema>;

const refTo = (kind: "schemas" | "responses", name: string): JsonSchema => ({
  $ref: `#/components/${kind}/${name}`,
});
export const refToSchema = (name: string): JsonSchema => refTo("schemas", name);

export const inJson = (schema: JsonSchema) => ({ "application/json": { schema } });
const anyOf = (schemas: JsonSchema[]): JsonSchema => (schemas.length === 1 ? schemas[0]! : { anyOf: schemas });

/** An object with these fields and no other. */
export const objectOf = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** `data` comes in base64, or as the value itself where the request says `x-data-encoding: json`. */
const envelope = (code: number, data: JsonSchema): JsonSchema =>
  objectOf({ code: { type: "integer", const: code }, msg: { type: "string" }, data: anyOf([data, inBase64(data)]) });

const inBase64 = (data: JsonSchema): JsonSchema => ({
  type: "string",
  pattern: "^[A-Za-z0-9+/]+={0,2}$",
  contentEncoding: "base64",
  contentMediaType: "application/json",
  contentSchema: data,
});

/** Why a call is refused in HTTP 200, and why in a status of its own. */
const isTransport = (reason: RefusalReason) => "transport" in REFUSALS[reason];
export const statusOf = (reason: RefusalReason): number => (isTransport(reason) ? REFUSALS[reason].code : DONE);

const MESSAGES: Record<number, JsonSchema> = {
  400: objectOf({
    fields: {
      type: "object",
      description: "The name of each field that does not fit, and why, in the caller's language.",
      additionalProperties: { type: "string" },
    },
  }),
  401: { type: "null" },
};

const refusalSchema = (reason: RefusalReason): JsonSchema => {
  const { code } = REFUSALS[reason];
  if (MESSAGES[code]) return envelope(code, MESSAGES[code]);
  const said = objectOf({ reason: { type: "string", const: reason } });
  const figures = Object.entries((FIGURES as Record<string, Record<string, string>>)[reason] ?? {});
  const properties = Object.fromEntries(figures.map(([name, type]) => [name, { type }]));
  // Figures come where they are known.
  return envelope(code, { ...said, properties: { ...(said.properties as object), ...properties } });
};

/** One schema for each reason, by its name. */
export const REFUSAL_SCHEMAS: Record<string, JsonSchema> = Object.fromEntries(
  Object.keys(REFUSALS).map((reason) => [reason, refusalSchema(reason as RefusalReason)]),
);

/** What may befall any request: its headers are malformed, the server is busy, broken or away. */
const ALWAYS: RefusalReason[] = ["request.malformed", "server.fault", "server.away", "outcome.unknown"];
const UNDER_LIMIT: RefusalReason[] = ["attempts.many"];
const WITH_BODY: RefusalReason[] = ["body.large", "media.unsupported"];
/** What keeps a request from reaching any operation. */
const ELSEWHERE: RefusalReason[] = ["path.unknown", "site.unknown", "site.foreign", "request.timeout", "head.large"];

const WORDS: Record<number, string> = {
  400: "The request itself is malformed.",
  404: "There is no such path.",
  413: "The body is too large.",
  415: "The body has another media type.",
  429: "Too many attempts. Wait for as long as `retry-after` says.",
  500: "A fault of the server.",
  503: "The server cannot do it now, or does not know whether it was done. Repeat it with the same `idempotency-key`.",
};

const failure = (status: number, reasons: readonly RefusalReason[]): Answer => ({
  description: WORDS[status]!,
  headers: headers([...([429, 503].includes(status) ? ["retry-after"] : []), ...LIMIT_HEADERS]),
  content: inJson(anyOf(reasons.map(refToSchema))),
});

const nameOf = (status: number) => `failure${status}`;
const usual = [...ALWAYS, ...UNDER_LIMIT, ...WITH_BODY];
const reasonsOf = (status: number, reasons: readonly RefusalReason[]) =>
  reasons.filter((reason) => isTransport(reason) && REFUSALS[reason].code === status);
const statusesOf = (reasons: readonly RefusalReason[]) => [...new Set(reasons.filter(isTransport).map(statusOf))];

/** The failures that most operations share. */
export const FAILURES: Record<string, JsonSchema> = {
  ...Object.fromEntries(statusesOf(usual).map((status) => [nameOf(status), failure(status, reasonsOf(status, usual))])),
  elsewhere: {
    description: "The request reached no operation: it was unknown, too slow, or its head too long.",
    headers: headers(LIMIT_HEADERS),
    content: inJson(anyOf(ELSEWHERE.map(refToSchema))),
  },
};

interface Failing {
  /** Whether requests are counted by address. */
  limited?: boolean;
  takesBody?: boolean;
  /** Reasons of the operation's own. */
  own?: readonly RefusalReason[];
}

/** The answers whose HTTP status tells that it failed. */
export function failuresOf({ limited = false, takesBody = false, own = [] }: Failing): Answers {
  const common = [...ALWAYS, ...(limited ? UNDER_LIMIT : []), ...(takesBody ? WITH_BODY : [])];
  const all = [...common, ...own];
  const answers = statusesOf(all).map((status) => {
    const isUsual = reasonsOf(status, own).length === 0;
    return [status, isUsual ? refTo("responses", nameOf(status)) : failure(status, reasonsOf(status, all))];
  });
  return { ...(Object.fromEntries(answers) as Answers), default: refTo("responses", "elsewhere") };
}

/** HTTP 200: done, or refused by the rules of the house. */
export function answerOf(done: JsonSchema, refusals: readonly RefusalReason[]): Answer {
  const inside = refusals.filter((reason) => !isTransport(reason));
  return {
    description: "Done, where `code` is 200. Any other `code` is a refusal.",
    headers: headers(["retry-after", "content-encoding", ...LIMIT_HEADERS]),
    content: inJson(anyOf([done, ...inside.map(refToSchema)])),
  };
}

/** The same answers, with the headers that all have. */
export const withHeaders = (answers: Answers): Answers =>
  Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      "$ref" in answer
        ? answer
        : { ...answer, headers: { ...(answer.headers as Answer["headers"]), ...headers(Object.keys(OF_ALL)) } },
    ]),
  );

/** The same answers of a call whose success is a file. */
export function withFiles(answers: Answers, types: readonly string[]): Answers {
  const { content, headers: usual, ...rest } = answers[200] as Answer;
  const [, ...refusals] = content!["application/json"]!.schema.anyOf as JsonSchema[];
  const schemaFor = (type: string) =>
    type === "application/json" ? anyOf([NO_ENVELOPE, ...refusals]) : { type: "string" };
  const files = types.map((type) => [type, { schema: schemaFor(type) }]);
  const description = "The file. A refusal is an envelope as ever.";
  return {
    ...answers,
    200: {
      ...rest,
      description,
      headers: { ...usual, ...headers(["content-disposition"]) },
      content: { ...inJson(anyOf(refusals)), ...Object.fromEntries(files) },
    },
  };
}

/** JSON of another shape. */
export const NO_ENVELOPE: JsonSchema = { type: "object", not: { properties: { code: {} }, required: ["code"] } };

export const doneWith = (data: JsonSchema): JsonSchema => envelope(DONE, data);
