import type { FastifyRequest } from "fastify";
import type * as z from "zod/mini";
import { invalid, Refusal, type FieldError, type FieldErrors } from "#shared/refusal.ts";

/** A request's input: the query for GET, the body for POST. Whole numbers in JSON become text, as in a form. */
export function readInput(request: FastifyRequest): Record<string, unknown> {
  const raw = request.method === "GET" ? request.query : request.body;
  if (raw === undefined || raw === null) return {};
  if (typeof raw !== "object" || Array.isArray(raw)) throw new Refusal("request.malformed");
  if (!Object.values(raw).some((value) => typeof value === "number")) return raw as Record<string, unknown>;
  const entries = Object.entries(raw).map(([name, value]) => [name, isExact(value) ? `${value}` : value]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** Any other number may have lost digits as it was parsed, such as those of a long account number: no field accepts it. */
const isExact = (value: unknown): value is number => Number.isSafeInteger(value);

/** Checks input against the contract. Refuses it with a reason for each field that does not fit. */
export function checkInput<T extends z.ZodMiniType>(schema: T, input: object): z.output<T> {
  const result = schema.safeParse(input);
  // A repeated key is an array, which no field accepts, not even an unknown field.
  const isRepeated = Object.values(input).some(Array.isArray);
  if (result.success && !isRepeated) return result.data;
  const repeated = Object.entries(input).filter(([, value]) => Array.isArray(value));
  const fields: FieldErrors = Object.fromEntries(repeated.map(([name]) => [name, "text"]));
  for (const issue of result.error?.issues ?? []) fields[String(issue.path[0] ?? "")] ??= reasonOf(issue);
  throw invalid(fields);
}

/** A union says only that nothing matched; its last branch has the reason. A check with bounds has them as parameters. */
function reasonOf(issue: z.core.$ZodIssue): FieldError {
  if (issue.code === "custom" && issue.params) return { key: issue.message, bounds: issue.params };
  if (issue.code !== "invalid_union") return issue.message;
  const last = issue.errors.at(-1)?.[0];
  return last ? reasonOf(last) : "text";
}
