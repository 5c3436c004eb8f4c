import { toJSONSchema } from "zod/mini";
import type { AnyEndpoint } from "#shared/contract/endpoint.ts";
import { rangePattern } from "./range-pattern.ts";

export type JsonSchema = Record<string, unknown>;

type AnySchema = AnyEndpoint["input"] | AnyEndpoint["reply"];
type Side = "input" | "output";

const known = { input: new WeakMap<AnySchema, JsonSchema>(), output: new WeakMap<AnySchema, JsonSchema>() };

/** What a contract's schema says of the wire, as JSON Schema 2020-12. Cached for the life of the process. */
export function schemaOf(schema: AnySchema, side: Side): JsonSchema {
  let json = known[side].get(schema);
  if (!json) {
    const { $schema: _dialect, ...made } = toJSONSchema(schema, {
      io: side,
      unrepresentable: "any",
      target: "draft-2020-12",
      override: ({ jsonSchema }) => tidy(jsonSchema),
    });
    json = made;
    known[side].set(schema, json);
  }
  return json;
}

function tidy(json: JsonSchema): void {
  if (json.type === "string" && typeof json.minimum === "number") tellWhole(json, json.minimum, json.maximum as number);
  // Every whole number on the wire is a safe integer: that bounds nothing.
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.type === "integer" && json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  // A file's bytes come as they are.
  if (json.contentEncoding === "binary") delete json.contentEncoding;
}

/** A whole number is its digits, in a form, or a number in JSON. */
function tellWhole(json: JsonSchema, least: number, most: number): void {
  delete json.minLength;
  Object.assign(json, { type: ["integer", "string"], pattern: rangePattern(least, most) });
}
