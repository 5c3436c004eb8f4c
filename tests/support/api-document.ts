import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { decodeData } from "#shared/contract/envelope.ts";

type Json = Record<string, unknown>;

export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: object[];
  parameters?: Json[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, Response>;
}

interface Response {
  $ref?: string;
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: Json }>;
}

export interface ApiDocument {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Json>>;
}

/** The document of this server, as `/docs/json` has it. */
export async function documentOf(app: FastifyInstance): Promise<ApiDocument> {
  return JSON.parse(await textOf(app)) as ApiDocument;
}

async function textOf(app: FastifyInstance): Promise<string> {
  await app.ready();
  return JSON.stringify(app.swagger());
}

/** An answer as it came. */
export interface Answered {
  method: string;
  /** With its query. */
  url: string;
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

const ID = "trio";
/** In a JSON pointer. */
const escaped = (part: string) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
const pointer = (...parts: string[]) => `${ID}#/${parts.map(escaped).join("/")}`;

/** Checks answers against a document: status, headers, media type and body, down into what is in base64. */
export class ApiChecks {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, inlineRefs: false });
  readonly #document: ApiDocument;
  readonly #paths: { path: string; fits: RegExp }[];

  constructor(document: ApiDocument) {
    this.#document = document;
    const fitting = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    this.#paths = Object.keys(document.paths).map((path) => ({ path, fits: fitting(path) }));
    this.#ajv.removeKeyword("contentSchema");
    this.#ajv.addKeyword({
      keyword: "contentSchema",
      type: "string",
      compile: (schema: Json) => {
        const inside = JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${ID}#/`)) as Json;
        let fits: ValidateFunction | undefined;
        return (text: string) => (fits ??= this.#ajv.compile(inside))(read(text));
      },
    });
    this.#ajv.addSchema(document, ID);
  }

  /** What is wrong with an answer; nothing when the document tells it. */
  faultsOf({ method, url, status, headers, body }: Answered): string[] {
    if (method === "HEAD") return body === "" ? [] : ["it has a body"];
    const asked = url.split("?")[0]!;
    const path = this.#paths.find(({ fits }) => fits.test(asked))?.path;
    const operation = path === undefined ? undefined : this.#document.paths[path]![method.toLowerCase()];
    // Below a video every refusal is empty.
    if (!operation && asked.startsWith("/media/v/")) return body === "" ? [] : ["it has a body"];
    // Any other request that fits no operation fails as any may.
    const [responses, at] = operation
      ? [operation.responses, ["paths", path!, method.toLowerCase(), "responses"]]
      : [this.#failures(), null];
    const name = String(status) in responses ? String(status) : "default";
    const told = responses[name];
    if (!told) return [`${status} is not told`];
    const common = told.$ref?.split("/").at(-1);
    const response =
      common === undefined ? told : (this.#document.components.responses![common] as unknown as Response);
    const where = common === undefined ? [...at!, name] : ["components", "responses", common];
    return [...this.#bodyFaults(response, where, headers, body), ...headerFaults(response, headers)];
  }

  #failures(): Record<string, Response> {
    const names = Object.keys(this.#document.components.responses!);
    const refs = names.map((name) => [
      name.replace("failure", "").replace("elsewhere", "default"),
      { $ref: `#/components/responses/${name}` },
    ]);
    return Object.fromEntries(refs) as Record<string, Response>;
  }

  #bodyFaults({ content }: Response, where: string[], headers: Answered["headers"], body: string): string[] {
    if (!content) return body === "" ? [] : ["it has a body"];
    if (body === "" && headers["content-type"] === undefined && "text/plain" in content) return [];
    const type = (headers["content-type"] as string | undefined)?.split(";")[0] ?? "";
    if (!(type in content)) return [`its type is ${type}`];
    if (type !== "application/json") return [];
    const fits = this.#ajv.getSchema(pointer(...where, "content", type, "schema"))!;
    if (fits(JSON.parse(body))) return [];
    // The alternatives that were never meant say nothing.
    const { code } = JSON.parse(body) as { code?: number };
    return [`its body is told otherwise: code ${code}, ${this.#ajv.errorsText(fits.errors).slice(0, 300)}`];
  }
}

/** What HTTP itself needs to carry a body: OpenAPI tells none of it as a header. */
const CARRYING = new Set(["content-type", "content-length", "transfer-encoding", "connection", "keep-alive", "date"]);

function headerFaults({ headers: told = {} }: Response, headers: Answered["headers"]): string[] {
  const untold = Object.keys(headers).filter((name) => !CARRYING.has(name) && !(name in told));
  const faults = untold.map((name) => `its header ${name} is not told`);
  return headers["x-request-id"] ? faults : [...faults, "it has no request's id"];
}

function read(text: string): unknown {
  try {
    return decodeData(text);
  } catch {
    return undefined;
  }
}

const checks = new WeakMap<object, Promise<ApiChecks>>();
let latest: { text: string; checks: ApiChecks } | undefined;

/** A server's checks; servers with the same document share them. */
export function checksOf(app: FastifyInstance): Promise<ApiChecks> {
  let known = checks.get(app);
  if (!known) checks.set(app, (known = make(app)));
  return known;
}

async function make(app: FastifyInstance): Promise<ApiChecks> {
  const text = await textOf(app);
  if (latest?.text !== text) latest = { text, checks: new ApiChecks(JSON.parse(text) as ApiDocument) };
  return latest.checks;
}

type Request = Omit<InjectOptions, "method"> & { method?: string; url: string };

/** Injects a request. Throws unless the server's own document tells the answer. */
export async function injectTold(app: FastifyInstance, options: Request): Promise<LightMyRequestResponse> {
  const response = await app.inject(options as InjectOptions);
  const { statusCode: status, headers, body } = response;
  await expectTold(app, { method: options.method ?? "GET", url: options.url, status, headers, body });
  return response;
}

/** Throws unless the server's own document tells this answer. */
export async function expectTold(app: FastifyInstance, answered: Answered): Promise<void> {
  const faults = (await checksOf(app)).faultsOf(answered);
  if (faults.length === 0) return;
  const { method, url, status, body } = answered;
  throw new Error(`/docs/json tells ${method} ${url} otherwise: ${status} ${faults.join("; ")}\n${body.slice(0, 500)}`);
}
