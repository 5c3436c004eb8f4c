import { DEFAULT_LOCALE, LOCALES } from "#shared/locales.ts";
import type { AnyEndpoint } from "#shared/contract/endpoint.ts";
import type { RefusalReason } from "#shared/refusal.ts";
import { answerOf, doneWith, failuresOf, refToSchema, type Answers } from "./answers.ts";
import { schemaOf, type JsonSchema } from "./json-schema.ts";

/** One call in the API's document. */
export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: JsonSchema[];
  requestBody?: JsonSchema;
  responses: Answers;
}

type Method = "GET" | "POST";

/** What a route says of itself, and the schemas that it refers to. */
export interface Told {
  operation: Operation;
  schemas?: Record<string, JsonSchema>;
}

/** Nothing is made before the document is asked for. */
export type Telling = () => Told;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Makes the route's place in the API's document; by method, where there are several. */
    told?: Telling | Partial<Record<Method, Telling>>;
  }
}

const MULTIPART = "multipart/form-data";
const CONSUMES = ["application/x-www-form-urlencoded", "application/json"];

/** The headers that requests may have besides those of `security`. */
export const PARAMETERS: Record<string, JsonSchema> = {
  lang: {
    name: "lang",
    in: "header",
    description: "The language of `msg` and of the texts in `data`. Any other value stands for the default.",
    schema: { type: "string", enum: LOCALES.map(({ code }) => code), default: DEFAULT_LOCALE },
  },
  "x-data-encoding": {
    name: "x-data-encoding",
    in: "header",
    description: "`json` asks for `data` as a JSON value. Without it, `data` is base64 of its UTF-8 JSON.",
    schema: { type: "string", enum: ["json"] },
  },
  "idempotency-key": {
    name: "idempotency-key",
    in: "header",
    description:
      "The same key answers a repeat as the first time, and does nothing. It is kept for a day after a success; a refusal leaves it free.",
    schema: { type: "string", pattern: "^[!-~]{1,64}$" },
  },
};

/** How a session shows itself. */
export const SECURITY: Record<string, JsonSchema> = {
  token: { type: "apiKey", in: "header", name: "token", description: "Base64 of the session's token." },
  tokensso: {
    type: "apiKey",
    in: "header",
    name: "tokensso",
    description: "The single-sign-on token as it is, for sessions that doLoginthird opened.",
  },
};
const WITH_SESSION = [{ token: [] }, { token: [], tokensso: [] }];

/** The tags, and the beginnings of the paths that have them. */
const TAGS: { name: string; description: string; paths: string[] }[] = [
  { name: "site", description: "Settings, notices and uploads.", paths: ["system", "notice"] },
  { name: "member", description: "Sessions, the account, its wallet and its records.", paths: ["member"] },
  { name: "support", description: "A member's conversation with the customer service.", paths: ["support"] },
  { name: "lottery", description: "Games, rounds, odds and bets.", paths: ["Lottery", "game"] },
  { name: "fair", description: "What is needed to check draws and exports.", paths: ["fair"] },
  { name: "listing", description: "Listings, their pictures and comments.", paths: ["xuanfei", "nHomeList"] },
  { name: "video", description: "Videos, and where one stopped watching.", paths: ["video"] },
  { name: "wheel", description: "The prize wheel.", paths: ["luckdraw", "luckdrawlist", "luckdrawlog"] },
  { name: "payment", description: "For payment providers.", paths: ["pay"] },
  { name: "file", description: "Pictures and videos.", paths: [] },
  { name: "log", description: "The public log, as files for others' tools.", paths: [] },
  { name: "operations", description: "For operators and their probes.", paths: [] },
];
export const DECLARED_TAGS = TAGS.map(({ name, description }) => ({ name, description }));

function tagOf(path: string): string {
  const [, first, second] = path.split("/");
  const beginning = first === "system" && second?.startsWith("luckdraw") ? second : first!;
  const tag = TAGS.find(({ paths }) => paths.includes(beginning));
  if (!tag) throw new Error(`${path} belongs to no tag of the API's document`);
  return tag.name;
}

/** `GET /member/getUserInfo` is `getMemberGetUserInfo`. */
function operationIdOf(method: Method, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return [method.toLowerCase(), ...words.map((word) => word[0]!.toUpperCase() + word.slice(1))].join("");
}

/** What else than success a call may say: what its access brings with it, then its own reasons. */
function refusalsOf(endpoint: AnyEndpoint, keyed: boolean): RefusalReason[] {
  const { access, whileLocked, sessionWhile, freshProof, refuses = [] } = endpoint;
  const hasSession = access !== "guest" || sessionWhile !== undefined;
  const reasons: RefusalReason[] = [
    ...(hasSession ? (["session.missing", "session.kicked"] as const) : []),
    ...(keyed ? (["key.reused"] as const) : []),
    ...(hasSession && !whileLocked ? (["member.locked"] as const) : []),
    "input.invalid",
    ...(access === "member" ? (["membership.needed"] as const) : []),
    ...(freshProof ? (["proof.needed"] as const) : []),
    ...refuses,
  ];
  return [...new Set(reasons)];
}

const known = new WeakMap<AnyEndpoint, Map<string, Told>>();

/**
 * An endpoint's place in the document. `keyed`: it answers a repeated idempotency key with the first answer. Cached for
 * the life of the process.
 */
export function toldOf(endpoint: AnyEndpoint, method: Method, keyed: boolean): Told {
  const own = known.get(endpoint) ?? new Map<string, Told>();
  known.set(endpoint, own);
  const name = `${method} ${keyed}`;
  const told = own.get(name) ?? tell(endpoint, method, keyed);
  own.set(name, told);
  return told;
}

function tell(endpoint: AnyEndpoint, method: Method, keyed: boolean): Told {
  const { path, reply, access, sessionWhile, knowsMembers } = endpoint;
  const id = operationIdOf(method, path);
  const replyName = `${id}Reply`;
  const data = schemaOf(reply, "output");
  const isNothing = data.type === "null";
  const refusals = refusalsOf(endpoint, method === "POST" && keyed);
  const input = schemaOf(endpoint.input, "input") as unknown as Fields;
  const isOptional = sessionWhile !== undefined || knowsMembers === true;
  const security = access === "guest" ? (isOptional ? [{}, ...WITH_SESSION] : []) : WITH_SESSION;
  const asksWith = method === "GET" ? parametersOf(input) : [];
  const headers = ["lang", "x-data-encoding", ...(method === "POST" && keyed ? ["idempotency-key"] : [])];
  return {
    operation: {
      operationId: id,
      summary: endpoint.summary,
      description: describe(endpoint, method),
      tags: [tagOf(path)],
      security,
      parameters: [...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })), ...asksWith],
      ...(method === "POST" && bodyOf(input, endpoint.takesFile ? [MULTIPART] : CONSUMES)),
      responses: {
        200: answerOf(doneWith(isNothing ? data : refToSchema(replyName)), refusals),
        ...failuresOf({ limited: true, takesBody: method === "POST", own: refusals }),
      },
    },
    ...(!isNothing && { schemas: { [replyName]: data } }),
  };
}

interface Fields {
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

const parametersOf = ({ properties = {}, required = [] }: Fields): JsonSchema[] =>
  Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));

function bodyOf({ properties = {}, required = [] }: Fields, types: string[]): { requestBody?: JsonSchema } {
  if (Object.keys(properties).length === 0) return {};
  const schema = { type: "object", properties, required };
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  return { requestBody: { required: required.length > 0, content } };
}

const ACCESS = {
  guest: "Open to everybody.",
  session: "Needs a session.",
  member: "Needs a session and a membership that runs.",
};

function describe(endpoint: AnyEndpoint, method: Method): string {
  const { access, methods, whileLocked, knowsMembers, sessionWhile, freshProof } = endpoint;
  const sentences = [
    ACCESS[access],
    sessionWhile && `Needs a session while the setting \`${sessionWhile}\` is 1.`,
    knowsMembers && "Tells members more; a token that is no good counts as none.",
    whileLocked && "Open to a locked member too.",
    freshProof && "Needs a log-in, or a call of `/member/prove`, of the last five minutes.",
    method === "GET" && methods.length > 1 && "It writes: prefer POST, whose input stands in no address.",
  ];
  return sentences.filter((one) => typeof one === "string").join(" ");
}
