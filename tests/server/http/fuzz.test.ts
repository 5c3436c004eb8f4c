import { randomInt } from "node:crypto";
import fc from "fast-check";
import { WebSocket } from "ws";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AnyEndpoint } from "#shared/contract/endpoint.ts";
import { DONE } from "#shared/contract/envelope.ts";
import { DEFAULT_LOCALE } from "#shared/locales.ts";
import { REFUSALS } from "#shared/refusal.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { documentOf, injectTold } from "../../support/api-document.ts";
import { problemsOf } from "../../support/audited.ts";
import { beProven } from "../../support/credentials.ts";
import { pathsBeside, requestsTo, type Fuzzed } from "../../support/fuzzed-requests.ts";
import { byLength } from "../../support/length.ts";
import { multipartOf, type Field } from "../../support/multipart.ts";
import { openSession } from "#server/domains/session/open-session.ts";
import { SocketClients } from "../realtime/socket-client.ts";
import { everyEndpoint, nameOf } from "./endpoints.ts";
import { furnishedWorld, goodInput, type Furnished } from "./furnished.ts";

/** The long form makes other requests each time, and names its seed; the short one always the same. */
const SEED = Number(process.env.FUZZ_SEED ?? byLength(1, randomInt(2 ** 31)));
/** Parts, and in each so many rounds of ten requests to each endpoint. */
const PARTS = byLength(1, 132);
const ROUNDS = byLength(2, 1);
const BESIDE = byLength(300, 10_000);
const EVENTS = byLength(100, 3_000);
/** An answer that takes longer than this is none. */
const PATIENCE_MS = 60_000;

let site: Furnished;
let token: string;
let problems: string[] | undefined;
let sent = 0;

beforeAll(async () => {
  site = await furnishedWorld();
  token = await newToken();
});
afterAll(() => site.w.close());

const newToken = () => {
  const { w, mia } = site;
  return w.deps.db.transact((tx) => openSession(tx, w.deps, mia.memberId, { ip: "127.0.0.1", agent: "fuzz" }));
};

const endpoints = await everyEndpoint();
const DATA_EXPORT = { path: "/member/export", methods: ["GET"] } as const;

/** So many requests to an endpoint, with what it accepts now. */
function requests(endpoint: AnyEndpoint, count: number, round: number): Fuzzed[] {
  const good = goodInput(site.w)[endpoint.path] ?? {};
  return fc.sample(requestsTo(endpoint, good), { numRuns: count, seed: SEED + round });
}

const text = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

function encode({
  method,
  form,
  fields,
  raw,
}: Fuzzed): Promise<{ type?: string; payload?: string | Buffer; query: string }> {
  const pairs = fields.map(([name, value]) => [name, text(value)] as [string, string]);
  const query = new URLSearchParams(pairs).toString();
  return method === "GET" ? Promise.resolve({ query: query && `?${query}` }) : bodyOf(form, fields, pairs, raw);
}

async function bodyOf(form: Fuzzed["form"], fields: Fuzzed["fields"], pairs: [string, string][], raw: Fuzzed["raw"]) {
  if (form === "raw") return { type: raw.type, payload: raw.body, query: "" };
  if (form === "json")
    return { type: "application/json", payload: JSON.stringify(Object.fromEntries(fields)), query: "" };
  if (form !== "multipart")
    return { type: "application/x-www-form-urlencoded", payload: new URLSearchParams(pairs).toString(), query: "" };
  const parts = fields.map(([name, value]) => [name, value instanceof File ? value : text(value)] as [string, Field]);
  return { ...(await multipartOf(parts)), query: "" };
}

/** Rejects when the work takes longer than anybody waits. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Another client each time: none waits for what others guessed. */
const nextAddress = () => `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent++ & 255}`;

/** Sends it. Throws unless the API's document tells the answer, down to what its data holds. Returns the answer's code. */
async function play(request: Fuzzed): Promise<number> {
  const { type, payload, query } = await encode(request);
  const key = request.session === "good" ? token : "no token at all";
  const response = await inTime(
    injectTold(site.w.site.app, {
      method: request.method,
      url: `/api${request.endpoint.path}${query}`,
      remoteAddress: nextAddress(),
      ...(payload !== undefined && { payload }),
      headers: {
        ...request.headers,
        ...(type !== undefined && { "content-type": type }),
        ...(request.session !== "none" && { token: Buffer.from(key).toString("base64") }),
      },
    }),
  );
  const { code } = response.json<{ code: number }>();
  if (request.session === "good" && code === 401) token = await newToken();
  return code;
}

/** A request, short enough to read. */
const shown = ({ endpoint, method, form, fields, raw, session, headers }: Fuzzed) =>
  JSON.stringify({ name: nameOf(endpoint), method, form, fields, raw: form === "raw" ? raw : null, session, headers });

const faultsLogged = () => site.w.logged.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);

const codes = new Map<number, number>();
const done = new Set<string>();
const PER_ENDPOINT = 10;

it.each(Array.from({ length: PARTS }, (_, i) => i))(
  "no endpoint fails, hangs or answers beside its document, whatever it is sent: part %i",
  async (part) => {
    problems ??= await problemsOf(site.w);
    const failures: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await site.w.live(MINUTE_MS);
      await beProven(site.w, site.mia.memberId);
      for (const request of endpoints.flatMap((one) => requests(one, PER_ENDPOINT, part * ROUNDS + round))) {
        const code = await play(request).catch((error: Error) => {
          failures.push(`${shown(request)}\n${error.message}`);
          return 0;
        });
        codes.set(code, (codes.get(code) ?? 0) + 1);
        if (code === DONE) done.add(request.endpoint.path);
        if (REFUSALS["server.fault"].code === code) failures.push(shown(request));
      }
    }
    expect(failures).toEqual([]);
    expect(faultsLogged()).toEqual([]);
    site.w.logged.length = 0;
  },
);

it("most endpoints did what they were asked at least once", () => {
  const told = [...codes].sort(([a], [b]) => a - b).map(([code, count]) => `${code}: ${count}`);
  // A run that found something is repeated by its seed.
  process.stdout.write(`fuzz: seed ${SEED}, ${sent} requests, ${told.join(", ")}\n`);
  expect(done.size).toBeGreaterThan(endpoints.length * 0.8);
});

it("no address beside the API fails or hangs: files, videos, the log, pages, notifications, the export", async () => {
  const paths = Object.keys((await documentOf(site.w.site.app)).paths).filter((path) => !path.startsWith("/api/"));
  const beside = [...paths, "/api/pay/notify/{channel}", "/pay/", `/api${DATA_EXPORT.path}`, "/docs/", "/assets/"];
  const failures: string[] = [];
  for (const url of fc.sample(pathsBeside(beside), { numRuns: BESIDE, seed: SEED })) {
    const method = (["GET", "HEAD", "POST", "PUT", "OPTIONS"] as const)[sent % 5]!;
    const headers = { token: Buffer.from(token).toString("base64"), range: ["bytes=0-", "bytes=9-1", "x"][sent % 3]! };
    const asked = { method, url, headers, remoteAddress: nextAddress(), ...(method === "POST" && { payload: "a=1" }) };
    const status = await inTime(site.w.site.app.inject(asked)).then(
      ({ statusCode }) => statusCode,
      ({ message }: Error) => message,
    );
    if (typeof status === "string" || status >= 500) failures.push(`${method} ${url}: ${status}`);
  }
  expect(failures).toEqual([]);
  expect(faultsLogged()).toEqual([]);
});

const PACKETS = fc.oneof(
  fc.json().map((json) => `42["lottery:watch",${json}]`),
  fc.tuple(fc.nat(99), fc.json()).map(([id, json]) => `42${id}["lottery:watch",${json}]`),
  fc
    .tuple(fc.constantFrom("lottery:unwatch", "disconnect", "hello", "__proto__"), fc.json())
    .map(([event, json]) => `42["${event}",${json}]`),
  fc.constantFrom(
    "",
    "4",
    "42",
    "42[",
    "40{",
    "41",
    "43",
    "44",
    "99",
    "2probe",
    "5",
    "6",
    '451-["lottery:watch",{"_placeholder":true,"num":0}]',
    '451-["lottery:watch",{"_placeholder":true,"num":9}]',
    '459999999999-["a"]',
    '42/none,["lottery:watch","k3-1m"]',
    `42["lottery:watch","${"a".repeat(9_000)}"]`,
    `42["lottery:watch",${"[".repeat(900)}${"]".repeat(900)}]`,
    `40{"token":${"[".repeat(900)}${"]".repeat(900)}}`,
  ),
  fc.string({ unit: "binary", maxLength: 60 }),
);
const HANDSHAKES = fc.oneof(
  fc.constantFrom("40", '40{"token":1}', '40{"token":""}', '40{"token":"x","lang":{}}', '40{"token":null,"lang":"xx"}'),
  fc.json().map((json) => `40${json}`),
);

/** Opens a socket below socket.io, says all of it, and waits until the server closes or has answered a ping. */
function say(address: string, packets: string[]): Promise<void> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${address.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`);
    socket.on("error", () => {});
    socket.on("close", () => resolve());
    socket.on("open", () => {
      for (const packet of packets) socket.send(packet);
      socket.close();
    });
  });
}

it("no event and no handshake of a socket fails the server", async () => {
  const address = await site.w.listen();
  const perSocket = 10;
  for (let i = 0; i < EVENTS; i += perSocket) {
    const packets = fc.sample(PACKETS, { numRuns: perSocket - 1, seed: SEED + i });
    const [first] = fc.sample(HANDSHAKES, { numRuns: 1, seed: SEED + i });
    await inTime(say(address, i % 20 === 0 ? ["40", ...packets] : [first!, ...packets]));
  }
  const clients = new SocketClients(address);
  try {
    const client = await clients.open({ token, lang: DEFAULT_LOCALE });
    for (const value of fc.sample(fc.anything(), { numRuns: 30, seed: SEED }))
      expect((await inTime(client.ask("lottery:watch", value))).code).toBeLessThan(500);
    expect((await client.watch("k3-1m")).code).toBe(200);
  } finally {
    clients.close();
  }
  expect(faultsLogged()).toEqual([]);
});

it("and afterwards every row agrees with every other, as before", async () => {
  expect(await problemsOf(site.w)).toEqual(problems);
});
