import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { multipartOf, type Field } from "../../support/multipart.ts";
import { fileOf, PIXEL, pngOf } from "../../support/pictures.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { send } from "./endpoints.ts";
import { everything } from "./furnished.ts";

let w: World;
let mia: Player;
const PATH = "/system/uploadimg";
const MIB = 1024 * 1024;

beforeAll(async () => {
  w = await world();
  mia = await w.player("mia_1");
});
afterAll(() => w.close());

const post = async (fields: [string, Field][], token: string | null = mia.token) =>
  send(w, { path: PATH, ...(await multipartOf(fields)), ...(token !== null && { token }) });
const picture = () => fileOf(PIXEL);
const raw = (payload: string, type: string, token: string | null = mia.token) =>
  send(w, { path: PATH, payload, type, ...(token !== null && { token }) });
const multipart = (payload: string) => raw(payload.replaceAll("\n", "\r\n"), "multipart/form-data; boundary=x");

describe("an upload's body", () => {
  it("is one file called file; other fields are ignored", async () => {
    expect((await post([["file", picture()]])).code).toBe(200);
    expect(
      (
        await post([
          ["lang", "x"],
          ["toString", "x"],
          ["file", picture()],
          ["__proto__", "x"],
        ])
      ).code,
    ).toBe(200);
  });

  it.each<[string, () => [string, Field][]]>([
    ["none", () => [["other", "x"]]],
    ["text", () => [["file", "x"]]],
    ["called otherwise", () => [["image", picture()]]],
    [
      "also text",
      () => [
        ["file", picture()],
        ["file", "x"],
      ],
    ],
  ])("is refused with the field named when its file is %s", async (_, given) => {
    const { status, code, fields } = await post(given());
    expect([status, code, Object.keys(fields!)]).toEqual([200, 400, ["file"]]);
  });

  it.each(["a=1", '{"file":"x"}'])("without any file names the field too: %s", async (payload) => {
    const type = payload.startsWith("{") ? "application/json" : "application/x-www-form-urlencoded";
    expect((await raw(payload, type)).data).toHaveProperty("fields.file");
  });

  it("cannot be read when it is cut, has no boundary, two files or too many fields", async () => {
    const before = await everything(w);
    const many = Array.from({ length: 12 }, (_, i): [string, Field] => [`f${i}`, "x"]);
    const answers = [
      await multipart('--x\nContent-Disposition: form-data; name="file"; filename="a"\n\nabc'),
      await multipart("nothing at all"),
      await raw("x", "multipart/form-data"),
      await post([
        ["file", picture()],
        ["more", picture()],
      ]),
      await post([...many, ["file", picture()]]),
    ];
    expect(answers.map(({ status, code }) => [status, code])).toEqual(answers.map(() => [400, 400]));
    expect(await everything(w)).toEqual(before);
  });

  it("is too large beyond 5 MiB, with or without an announced length", async () => {
    const most = fileOf(new Uint8Array(5 * MIB));
    expect((await post([["file", most]])).data).toHaveProperty("fields.file");
    const more = fileOf(new Uint8Array(5 * MIB + 1));
    const { status, code, data } = await post([["file", more]]);
    expect([status, code, data]).toEqual([413, 413, { reason: "body.large" }]);
    expect((await post([["file", fileOf(new Uint8Array(9 * MIB))]])).status).toBe(413);
  });

  it("is accepted by no other call, and is the only type accepted here", async () => {
    const { payload, type } = await multipartOf([["sex", "1"]]);
    expect((await send(w, { path: "/member/setSex", payload, type, token: mia.token })).status).toBe(415);
    expect((await raw("x", "image/png")).status).toBe(415);
    expect((await raw("x", "image/png", null)).status).toBe(415);
  });

  it("is read only after the session is known", async () => {
    const two: [string, Field][] = [
      ["file", picture()],
      ["more", picture()],
    ];
    const large: [string, Field][] = [["file", fileOf(new Uint8Array(5 * MIB + 1))]];
    for (const fields of [[two[0]!], [["other", "x"]] as [string, Field][], two, large])
      expect((await post(fields, null)).code).toBe(401);
  });
});

describe("over a real connection", () => {
  afterEach(() => void vi.useRealTimers());
  const TOKEN = () => `token: ${Buffer.from(mia.token).toString("base64")}`;
  const HEAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';

  /** Sends the beginning of a body, then does this with the connection. */
  async function begin(length: number) {
    const { hostname, port } = new URL(await w.listen());
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    let received = "";
    socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
    socket.on("error", () => {});
    const lines = ["POST /api/system/uploadimg HTTP/1.1", "host: localhost", TOKEN(), `content-length: ${length}`];
    socket.write([...lines, "content-type: multipart/form-data; boundary=x", "", HEAD].join("\r\n"));
    return { socket, received: () => received };
  }

  it("an interrupted upload leaves nothing, and delays no other", async () => {
    const before = await everything(w);
    for (let i = 0; i < 40; i++) {
      const { socket } = await begin(9_000);
      socket.destroy();
    }
    const halves = await Promise.all(Array.from({ length: 40 }, () => begin(9_000)));
    // More than twice as many as may be read at once have begun, and most wait; other calls go on.
    expect((await w.call("/system/base")).code).toBe(200);
    for (const { socket } of halves) socket.destroy();
    expect(await everything(w)).toEqual(before);
    const eva = await w.player("eva_1");
    expect((await eva.call(PATH, { file: fileOf(await pngOf()) })).code).toBe(200);
  });

  it.each([
    ["that stops", 30_000, 0],
    ["that drips", 300_000, 29_000],
  ])("an upload %s is disconnected after %d ms", async (_, ms, dripMs) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { socket } = await begin(9_000);
    let isOver = false;
    socket.on("close", () => (isOver = true));
    await w.call("/system/base");
    const arrive = () => new Promise((resolve) => setImmediate(resolve));
    // Once its session is read, two timers watch the body.
    while (vi.getTimerCount() < 2) await arrive();
    for (let i = 0; i < 200; i++) await arrive();
    for (let gone = 0; gone + dripMs < ms - 1; gone += dripMs || ms) {
      vi.advanceTimersByTime(dripMs || ms - 1);
      if (dripMs) socket.write("x");
      for (let i = 0; i < 50; i++) await arrive();
    }
    expect(isOver).toBe(false);
    vi.advanceTimersByTime(dripMs || 1);
    vi.useRealTimers();
    await expect.poll(() => isOver).toBe(true);
  });

  it("a body that announces too large a size is refused before it has come", async () => {
    const { socket, received } = await begin(900 * MIB);
    await expect.poll(received).toContain('"code":413');
    socket.destroy();
  });
});
