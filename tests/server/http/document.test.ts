import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import type { AnyEndpoint } from "#shared/contract/endpoint.ts";
import { uploadImage } from "#shared/contract/member.ts";
import { ApiChecks, documentOf, type ApiDocument, type Operation } from "../../support/api-document.ts";
import { multipartOf } from "../../support/multipart.ts";
import { everyEndpoint, fieldsOf, nameOf, send, type Request } from "./endpoints.ts";
import { furnishedWorld, goodInput, makeReady, type Furnished } from "./furnished.ts";

const endpoints = await everyEndpoint();
const named = endpoints.map((endpoint) => ({ name: nameOf(endpoint), endpoint }));

let site: Furnished;
let document: ApiDocument;

beforeAll(async () => {
  site = await furnishedWorld();
  document = await documentOf(site.w.site.app);
});
afterAll(() => site.w.close());

const operationOf = ({ path }: AnyEndpoint, method: string): Operation =>
  document.paths[`/api${path}`]![method.toLowerCase()]!;
const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** A field's schema in the document, wherever it stands. */
function fieldSchema(endpoint: AnyEndpoint, method: string, field: string): unknown {
  const { parameters = [], requestBody } = operationOf(endpoint, method);
  if (method === "GET") return parameters.find(({ name, in: place }) => name === field && place === "query")?.schema;
  const schemas = Object.values(requestBody!.content).map(({ schema }) => schema);
  return (schemas[0] as { properties: Record<string, unknown> }).properties[field];
}

const fieldsByMethod = endpoints.flatMap((endpoint) =>
  endpoint.methods.flatMap((method) =>
    fieldsOf(endpoint).map((field) => ({ name: `${method} ${endpoint.path} ${field}`, endpoint, method, field })),
  ),
);

describe("the API's document", () => {
  it("is OpenAPI 3.1", async () => {
    const validator = new Validator();
    expect(await validator.validate({ ...structuredClone(document) })).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  it("names each operation once, in words and with a tag", () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const declared = new Set(document.tags.map(({ name }) => name));
    for (const { operationId, summary, tags } of operations()) {
      expect([operationId, summary.length > 4, tags.length]).toEqual([operationId, true, 1]);
      expect(declared).toContain(tags[0]);
    }
  });

  it("tells also what stands beside the API", () => {
    const beside = Object.keys(document.paths).filter((path) => !path.startsWith("/api/"));
    const log = ["/log/app", "/log/checkpoint", "/log/key", "/log/tile/{name}"];
    const files = ["/files/{folder}/{name}", "/media/v/{pass}/{video}/{file}"];
    expect(beside.sort()).toEqual([...files, ...log, "/healthz", "/metrics", "/readyz"].sort());
  });

  it("tells each part of an address that stands for something, and no other", () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters = [] } of Object.values(methods))
        expect([path, parameters.filter((one) => one.in === "path").map(({ name }) => name)]).toEqual([path, parts]);
    }
  });

  it.each(named)("tells of $name who may ask and with which headers", ({ endpoint }) => {
    for (const method of endpoint.methods) {
      const { summary, security, parameters = [] } = operationOf(endpoint, method);
      expect(summary).toBe(endpoint.summary);
      const isOptional = security.some((one) => Object.keys(one).length === 0);
      const isFree = security.length === 0 || isOptional;
      expect(isFree).toBe(endpoint.access === "guest");
      const headers = parameters.map(({ $ref }) => $ref);
      expect(headers).toEqual(
        expect.arrayContaining(["#/components/parameters/lang", "#/components/parameters/x-data-encoding"]),
      );
    }
  });

  it("has patterns that any language reads, with or without Unicode's flag", () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
    expect(patterns.length).toBeGreaterThan(50);
    for (const [, text] of patterns) {
      const pattern = JSON.parse(text!) as string;
      expect(() => [new RegExp(pattern), new RegExp(pattern, "u")]).not.toThrow();
      // Other languages know no \p, and count all of Unicode's digits as \d.
      expect(pattern).not.toMatch(/\\[pPdwk]/);
    }
  });
});

describe("a field in the document", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const DIGITS = [
    "0",
    "1",
    "01",
    "-1",
    "+1",
    "1.0",
    "1.5",
    "1e3",
    "0x1",
    " 1",
    "1 ",
    "１",
    "49",
    "50",
    "51",
    "300",
    "301",
  ];
  const LARGE = ["2000000000", "2000000001", "9007199254740991", "9007199254740992", "9".repeat(30)];
  const TEXTS = ["", " ", "a", "abc", "lot_1", "day", "json", "2", "newest", "WELCOME", "a,b", "246810", "mia_1"];
  const LENGTHS = [8, 20, 34, 64, 65, 200, 500, 501, 1000, 1001, 4097].flatMap((n) => ["a".repeat(n), "💥".repeat(n)]);
  const ODD = [
    "a\u0000b",
    "a\u0085b",
    "a\nb",
    "20260302-0001",
    "20260302-１",
    "1.50",
    "0912345678",
    "VN12345678",
    "\u200b",
  ];
  const ALL = [...DIGITS, ...LARGE, ...TEXTS, ...LENGTHS, ...ODD];
  /** What a pattern cannot say: the server refuses more than the document does. */
  const LOOSER =
    /^(POST \/member\/(setBank user|addPasskey |renamePasskey )name|\w+ \/member\/setName name|POST \/(xuanfei\/comment|support\/send) text)$/;

  it.each(fieldsByMethod.filter(({ field }) => !["file"].includes(field)))(
    "is bounded as the server bounds it: $name",
    ({ name, endpoint, method, field }) => {
      const { shape } = endpoint.input as unknown as { shape: Record<string, z.ZodMiniType> };
      const schema = fieldSchema(endpoint, method, field);
      const fits = ajv.compile(schema as object);
      for (const text of ALL) {
        const isTaken = shape[field]!.safeParse(text).success;
        const isTold = fits(text);
        const isFair = isTold === isTaken || (isTold && LOOSER.test(name));
        expect([text.slice(0, 40), isTold, isFair]).toEqual([text.slice(0, 40), isTold, true]);
      }
    },
  );

  it("may be a number in JSON where it is a whole number", () => {
    const limit = endpoints.find(({ path }) => path === "/luckdrawlog")!;
    const schema = fieldSchema(limit, "POST", "limit") as object;
    const fits = ajv.compile(schema);
    expect([0, 1, 50, 51, 1.5].map((value) => fits(value))).toEqual([false, true, true, false, false]);
  });
});

describe("an answer as it comes", () => {
  it.each(named)("matches the document in both forms: $name", async ({ endpoint }) => {
    for (const encoding of [undefined, "json"]) {
      // A bet is proved to its own member.
      const newcomer = await site.w.player(`m${Math.floor(performance.now() * 1000)}`, { balance: 1_000 });
      const who = ["/fair/proof", "/fair/payout"].includes(endpoint.path) ? site.mia : newcomer;
      await makeReady(site.w, who.memberId, endpoint.path);
      const input = { ...goodInput(site.w)[endpoint.path] };
      if (endpoint.path === "/member/doRegister") input.username = `nova_${encoding ?? "b64"}`;
      const method = endpoint.methods.at(-1)!;
      const query = new URLSearchParams(input as Record<string, string>).toString();
      const body = await multipartOf(Object.entries(input));
      const request: Request = {
        method,
        path: `${endpoint.path}${method === "GET" && query ? `?${query}` : ""}`,
        ...(method === "POST" && (endpoint.takesFile ? body : { payload: query })),
        token: who.token,
        headers: encoding ? { "x-data-encoding": encoding } : {},
      };
      // `send` compares each with the document.
      const { code, text } = await send(site.w, request);
      expect(code).toBe(200);
      const { data } = JSON.parse(text) as { data: unknown };
      expect(typeof data === "string").toBe(encoding === undefined || endpoint === uploadImage);
      const refused = await send(site.w, { ...request, token: "no good" });
      expect(refused.code === 401).toBe(endpoint.access !== "guest");
      const malformed = await send(site.w, { ...request, method: "POST", payload: "{", type: "application/json" });
      expect(malformed.status).toBe(400);
    }
  });

  it("is caught when the document does not tell it", () => {
    const checks = new ApiChecks(document);
    const ask = (data: unknown, { code = 200, status = 200, headers = {} } = {}) =>
      checks.faultsOf({
        method: "POST",
        url: "/api/game/placeOrder",
        status,
        headers: { "content-type": "application/json; charset=utf-8", "x-request-id": "a1", ...headers },
        body: JSON.stringify({ code, msg: "", data }),
      }).length;
    const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
    const placed = { id: "bet_1", expect: "20260302-0001", total: "1.00", balance: "9.00", receipt: "e30" };
    expect([ask(placed), ask(base64(placed))]).toEqual([0, 0]);
    for (const wrong of [{ ...placed, total: 1 }, { ...placed, more: 1 }, null, "bet_1"]) {
      expect([wrong, ask(wrong), ask(base64(wrong))]).toEqual([wrong, 1, 1]);
    }
    const refused = (reason: string, code: number) => [ask({ reason }, { code }), ask(base64({ reason }), { code })];
    expect(refused("round.closed", 422)).toEqual([0, 0]);
    for (const reason of ["login.failed", "round.open"]) expect(refused(reason, 422)).toEqual([1, 1]);
    expect(refused("round.closed", 409)).toEqual([1, 1]);
    expect(ask(placed, { status: 201 })).toBe(1);
    expect(ask(placed, { headers: { "content-type": "text/html" } })).toBe(1);
    expect(ask(placed, { headers: { "www-authenticate": "Basic" } })).toBe(1);
    expect(ask(placed, { headers: { "x-request-id": undefined } })).toBe(1);
  });
});
