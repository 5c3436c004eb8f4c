import type { FastifyInstance, RouteOptions } from "fastify";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { FAILURES, REFUSAL_SCHEMAS, withHeaders } from "./answers.ts";
import { HEADERS } from "./told-headers.ts";
import type { JsonSchema } from "./json-schema.ts";
import { DECLARED_TAGS, PARAMETERS, SECURITY, type Operation, type Telling, type Told } from "./operation.ts";
import { METRICS_SECURITY } from "./operations.ts";
import { mayRead, type OperatorsDoor } from "./operators-door.ts";

const about = `Every call under \`/api\` is answered by the envelope \`{ code, msg, data }\`.

- \`code\` 200: done. Any other \`code\` is a refusal, and \`msg\` says why in the caller's language.
- \`data\` is base64 of UTF-8 JSON. The header \`x-data-encoding: json\` asks for the value itself.
- A long answer to GET comes compressed where \`accept-encoding\` allows it.
- What the rules of the house refuse comes with HTTP 200. A request that fails before has the HTTP status of its \`code\`.
- 400 names the fields that do not fit. 401 has no data. Every other refusal has a \`reason\`.
- Amounts that are sent are whole units; amounts that come back are decimals with two digits.
- A form sends whole numbers as digits without leading zeros; JSON may send numbers.
- HEAD is answered where GET is, but for downloads.`;

/** The routes' part of the document. */
interface Collected {
  paths: Record<string, Record<string, Operation>>;
  schemas: Record<string, JsonSchema>;
}

/** The document. What the routes say of themselves is collected when it is first read. */
function documentOf(collect: () => Collected) {
  let made: Collected | undefined;
  const collected = () => (made ??= collect());
  return {
    openapi: "3.1.0",
    info: {
      title: "Trio",
      version: "1",
      description: about,
      contact: { name: "The operator of this site" },
    },
    // Wherever the document was read.
    servers: [{ url: "/", description: "This site" }],
    tags: DECLARED_TAGS,
    get paths() {
      return collected().paths;
    },
    get components() {
      return {
        securitySchemes: { ...SECURITY, ...METRICS_SECURITY },
        parameters: PARAMETERS,
        headers: HEADERS,
        responses: withHeaders(FAILURES),
        schemas: collected().schemas,
      };
    },
  };
}

/** The schemas of the refusals that a part of the document refers to. Operators meet others. */
function refusalsIn(part: object): Record<string, JsonSchema> {
  const names = [...JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name!);
  const used = names.filter((name) => name in REFUSAL_SCHEMAS);
  return Object.fromEntries(used.map((name) => [name, REFUSAL_SCHEMAS[name]!]));
}

/** Collects every route that is mounted from here on. One under `/api` that says nothing of itself is an error. */
export async function listOperations(app: FastifyInstance): Promise<void> {
  const routes: TellingRoute[] = [];
  app.addHook("onRoute", ({ method: methods, url, config }: RouteOptions) => {
    for (const method of [methods].flat()) {
      if (method === "HEAD") continue;
      const told = config?.told;
      const telling = typeof told === "function" ? told : told?.[method as "GET"];
      if (telling) routes.push({ method, url, telling });
      else if (url.startsWith("/api/")) throw new Error(`${method} ${url} is missing in the API's document`);
    }
  });
  const document = documentOf(() => collect(routes));
  // The plugin's types know no version above 3.0; it passes on what it gets.
  await app.register(swagger, { mode: "static", specification: { document: document as never } });
}

interface TellingRoute {
  method: string;
  url: string;
  telling: Telling;
}

function collect(routes: readonly TellingRoute[]): Collected {
  const paths: Collected["paths"] = {};
  const schemas = refusalsIn(FAILURES);
  for (const { method, url, telling } of routes) {
    const path = url.replace(/:(\w+)/g, "{$1}").replace("*", "{name}");
    const told = withAnswers(telling());
    paths[path] = { ...paths[path], [method.toLowerCase()]: told.operation };
    Object.assign(schemas, told.schemas);
  }
  return { paths, schemas };
}

const complete = new WeakMap<Told, Told>();

/** With the headers of all answers, and the schemas of its refusals. Cached as long as what the route tells is. */
function withAnswers(told: Told): Told {
  let whole = complete.get(told);
  if (!whole) {
    const { operation, schemas } = told;
    whole = {
      operation: { ...operation, responses: withHeaders(operation.responses) },
      schemas: { ...schemas, ...refusalsIn(operation) },
    };
    complete.set(told, whole);
  }
  return whole;
}

/**
 * `/docs` and `/docs/json`, under the policy of the app's own pages but for Trusted Types: on this machine, and elsewhere for whoever has the
 * token.
 */
export async function mountDocs(app: FastifyInstance, door: OperatorsDoor): Promise<void> {
  await app.register(async (docs) => {
    docs.addHook("onRequest", async (request, reply) => {
      const { token } = door;
      if (mayRead(request, door)) return;
      if (token) void reply.header("www-authenticate", 'Basic realm="docs"');
      await reply
        .code(token ? 401 : 403)
        .header("cache-control", "no-store")
        .send();
    });
    // The plugin's page writes markup from strings: all of the policy but Trusted Types holds there.
    docs.addHook("onSend", async (_request, reply) => {
      const policy = reply.getHeader("content-security-policy");
      if (typeof policy !== "string") return;
      const others = policy.split(";").filter((part) => !part.includes("trusted-types"));
      void reply.header("content-security-policy", others.join(";"));
    });
    // Without the plugin's bar on top: it holds another's logo, with a style that the policy refuses.
    const uiConfig = { layout: "BaseLayout", docExpansion: "list" } as const;
    await docs.register(swaggerUi, { routePrefix: "/docs", uiConfig, theme: { title: "Trio: the API" } });
  });
}
