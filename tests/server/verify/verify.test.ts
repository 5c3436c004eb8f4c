import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { bareEnvironment, program } from "../../support/program.ts";
import { freePort } from "../../support/free-port.ts";

interface Ended {
  exit: number | string | null | undefined;
  out: string;
  err: string;
}

const verify = (words: string[], env: Record<string, string> = {}) =>
  new Promise<Ended>((resolve) => {
    const settings = { env: bareEnvironment(env) };
    execFile(process.execPath, [...program("server/verify.ts"), ...words], settings, (error, out, err) =>
      resolve({ exit: error ? error.code : 0, out, err }),
    );
  });

const DRAW = ["k3-1m", "20260302-0001"];

describe.concurrent("the arguments of a check", () => {
  it("are explained on request, with the server's address", async () => {
    const { exit, out, err } = await verify(["--help"]);
    expect([exit, err]).toEqual([0, ""]);
    for (const wanted of ["KEY EXPECT", "export FILE", "--url", "http://127.0.0.1:3000", "Exit 0"])
      expect(out).toContain(wanted);
  });

  it.each([
    [[], "Give KEY and EXPECT"],
    [["k3-1m"], "Give KEY and EXPECT"],
    [[...DRAW, "more"], "Give KEY and EXPECT"],
    [[...DRAW, "--fast"], "--fast"],
    [[...DRAW, "--url", "nowhere"], "nowhere is not an address"],
    [[...DRAW, "--key", "ab"], "--key works with export only"],
    [["export", "a.json", "--key", "ab"], "32 bytes of hex"],
  ])("%j are wrong use", async (words, reason) => {
    const { exit, out, err } = await verify(words);
    expect([exit, out, err]).toEqual([2, "", expect.stringContaining(reason)]);
    expect(err).toContain("usage: ");
    expect(err).not.toContain("    at ");
  });

  it("are wrong use when the environment has no port", async () => {
    const { exit, err } = await verify(DRAW, { PORT: "many" });
    expect([exit, err]).toEqual([2, expect.stringContaining("PORT must be a port number from 0 to 65535.")]);
  });
});

describe.concurrent("a check without its server", () => {
  it("names the address that it tried, of PORT or of --url, and the next step", async () => {
    const port = String(await freePort());
    const silent = `No server answers at http://127.0.0.1:${port} (ECONNREFUSED). Start it there, or name another with --url.\n`;
    expect(await verify(DRAW, { PORT: port })).toEqual({ exit: 1, out: "", err: silent });
    expect(await verify([...DRAW, "--url", `http://127.0.0.1:${port}/`])).toEqual({ exit: 1, out: "", err: silent });
    expect(await verify(["export", "a.json"], { PORT: port })).toEqual({ exit: 1, out: "", err: silent });
  });

  it("says so where something else answers", async () => {
    const other = createServer((_, response) => response.end("<p>Welcome</p>")).listen(0, "127.0.0.1");
    await once(other, "listening");
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { exit, err } = await verify([...DRAW, "--url", url]);
    expect([exit, err]).toEqual([1, expect.stringContaining(`What answers at ${url} is not a Trio server.`)]);
    other.close();
  });

  it("names the file that it cannot read", async () => {
    const { exit, err } = await verify(["export", "no-such-file.json", "--key", "0".repeat(64)]);
    expect([exit, err]).toEqual([1, expect.stringContaining("no-such-file.json cannot be read: ENOENT")]);
  });
});
