import { readdirSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeData } from "#shared/contract/envelope.ts";
import { injectTold } from "../../../support/api-document.ts";
import { headersOf } from "../../../support/call.ts";
import { multipartOf, type Field } from "../../../support/multipart.ts";
import type { World } from "../../../support/world.ts";
import { everyEndpoint } from "../endpoints.ts";
import { everything, goodInput } from "../furnished.ts";
import { isVerdict, ROLES, type Role, type Row, type Rows, type Scene } from "./row.ts";
import { cast, openScene } from "./scene.ts";

const HERE = new URL("./", import.meta.url);
const files = readdirSync(HERE).filter((file) => /^rows-.*\.ts$/.test(file));
const modules = await Promise.all(files.map((file) => import(new URL(file, HERE).href) as Promise<{ rows: Rows }>));
const rows: Rows = Object.assign({}, ...modules.map((module) => module.rows));

/** Attempts are counted, announcements made and sessions touched whatever the answer. */
const COUNTED = ["attempts", "outbox"];

let w: World;
let owner: Scene["owner"];
let count = 0;

beforeAll(async () => {
  ({ w, owner } = await openScene());
});
afterAll(() => w.close());

/** Every route that the server has, as `METHOD /path`. */
async function mounted(): Promise<string[]> {
  const { body } = await w.site.app.inject({ url: "/docs/json" });
  const { paths } = JSON.parse(body) as { paths: Record<string, object> };
  const api = Object.entries(paths).filter(([path]) => path.startsWith("/api/"));
  return api.flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice("/api".length)}`),
  );
}

async function ask(method: string, path: string, input: Record<string, Field>, token?: string): Promise<string> {
  const hasFile = Object.values(input).some((value) => typeof value !== "string");
  const sent = hasFile ? await multipartOf(Object.entries(input)) : null;
  const form = sent ? "" : new URLSearchParams(input as Record<string, string>).toString();
  const url = `/api${path.replace("{channel}", "sandbox")}${method === "GET" && form ? `?${form}` : ""}`;
  const response = await injectTold(w.site.app, {
    method,
    url,
    headers: { ...headersOf(token === undefined ? {} : { token }, method), ...(sent && { "content-type": sent.type }) },
    ...(method === "POST" && { payload: sent?.payload ?? form }),
  });
  // A file download comes as it is.
  if (response.headers["content-disposition"]) return String(response.statusCode);
  const { code, data } = response.json<{ code: number; data: string }>();
  const reason = (decodeData(data) as { reason?: string } | null)?.reason;
  return code !== 200 && reason ? `${code} ${reason}` : String(code);
}

/** Everything that a refusal must leave unchanged, except when a session was last seen. */
async function state(): Promise<Record<string, unknown[]>> {
  const { sessions, ...tables } = await everything(w, COUNTED);
  const unseen = (sessions as Record<string, unknown>[]).map((session) => ({ ...session, lastSeenAt: 0, ip: "" }));
  return { ...tables, sessions: unseen };
}

/** The endpoint's answer to this role, and whether a refusal left a trace. */
async function answer(name: string, { says, input, foreign }: Row, role: Role): Promise<string> {
  const [method, path] = name.split(" ") as [string, string];
  const who = await cast(w, role, path, ++count);
  const scene = { w, who, count, owner };
  const make = (role === "other" && foreign) || input;
  const given = make ? make(scene) : (goodInput(w)[path] ?? {});
  const before = says[role] === "200" ? null : await state();
  const answer = await ask(method, path, given, role === "visitor" ? undefined : who.token);
  const isClean = before === null || isDeepStrictEqual(await state(), before);
  return isClean ? answer : `${answer}, but did something`;
}

/** What they ask for takes a drawn round to have, so every role names another's. */
const OF_OTHERS = new Set(["/fair/proof", "/fair/payout"]);

describe("the matrix of endpoints and roles", () => {
  it("has a row for every mounted endpoint, and no other", async () => {
    const names = await mounted();
    expect(names.filter((name) => !(name in rows))).toEqual([]);
    expect(Object.keys(rows).filter((name) => !names.includes(name))).toEqual([]);
  });

  it("has a row for every endpoint of the contract", async () => {
    const names = (await everyEndpoint()).flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`));
    expect(names.filter((name) => !(name in rows))).toEqual([]);
  });

  it("names a code that fits its reason", () => {
    const verdicts = Object.values(rows).flatMap(({ says }) => Object.values(says));
    expect(verdicts.filter((verdict) => !isVerdict(verdict))).toEqual([]);
  });

  it("gives every row of members' endpoints the access of the contract", async () => {
    for (const { methods, path, access } of await everyEndpoint()) {
      for (const { says } of methods.map((method) => rows[`${method} ${path}`]!)) {
        const visitor = access === "guest" ? "200" : "401";
        const free = OF_OTHERS.has(path) ? "403 bet.foreign" : "200";
        const member = access === "member" ? "403 membership.needed" : free;
        expect([path, says.visitor, says.member]).toEqual([path, visitor, member]);
      }
    }
  });
});

describe.each(Object.entries(rows))("%s", (name, row) => {
  it("answers each role as its row says", async () => {
    const answers: Record<string, string> = {};
    for (const role of ROLES) answers[role] = await answer(name, row, role);
    expect(answers).toEqual(row.says);
  });
});
