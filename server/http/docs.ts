import type { FastifyInstance, FastifySchema } from "fastify";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { toJSONSchema } from "zod";
import type { AnyEndpoint } from "#shared/contract/endpoint.ts";

type AnySchema = AnyEndpoint["input"] | AnyEndpoint["reply"];
type JsonSchema = Record<string, unknown>;

/** An endpoint's schema for the documentation. serve.ts does the checking, in the contract's order. */
export function routeSchema(
  { path, access, takesFile, input, reply, summary }: AnyEndpoint,
  method: AnyEndpoint["methods"][number],
): FastifySchema {
  const fields = schemaOf(input, "input");
  const data = schemaOf(reply, "output");
  const answer = {
    type: "object",
    description: "`data` is base64 of this JSON value, or the value itself with the header x-data-encoding: json",
    properties: { code: { type: "integer" }, msg: { type: "string" }, data },
  };
  return {
    summary,
    tags: [path.split("/")[1]!],
    ...(method === "POST" ? { body: fields, consumes: takesFile ? [MULTIPART] : CONSUMES } : { querystring: fields }),
    ...(access === "guest" ? {} : { security: [{ token: [] }, { token: [], tokensso: [] }] }),
    response: { 200: answer },
  };
}

type Side = "input" | "output";
const known = { input: new WeakMap<AnySchema, JsonSchema>(), output: new WeakMap<AnySchema, JsonSchema>() };

/** Cached for the life of the process. */
function schemaOf(schema: AnySchema, side: Side): JsonSchema {
  let json = known[side].get(schema);
  if (!json) {
    json = toJSONSchema(schema, { io: side, unrepresentable: "any", target: "draft-7" });
    known[side].set(schema, json);
  }
  return json;
}

const MULTIPART = "multipart/form-data";
const CONSUMES = ["application/x-www-form-urlencoded", "application/json"];

/** Documents every endpoint that is mounted from here on. */
export async function listOperations(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      info: {
        title: "Trio",
        version: "1",
        description:
          "Every answer is { code, msg, data }. A business answer is HTTP 200 with its own code; `data` is base64 of " +
          "UTF-8 JSON unless the request says x-data-encoding: json. The header `lang` chooses the language of `msg`.",
      },
      components: {
        securitySchemes: {
          token: { type: "apiKey", in: "header", name: "token", description: "base64 of the session token" },
          tokensso: {
            type: "apiKey",
            in: "header",
            name: "tokensso",
            description: "the single-sign-on token as it is, for sessions that doLoginthird opened",
          },
        },
      },
    },
  });
}

/** `/docs` and `/docs/json`. */
export async function mountDocs(app: FastifyInstance): Promise<void> {
  await app.register(swaggerUi, { routePrefix: "/docs", staticCSP: true });
}
