import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "#server/config.ts";

describe("the configuration", () => {
  it("needs nothing to be set", () => {
    expect(readConfig({}, [])).toEqual({
      host: "127.0.0.1",
      port: 3000,
      dataDir: resolve("data"),
      databaseFile: join(resolve("data"), "trio.db"),
      filesDir: join(resolve("data"), "files"),
      masterKey: undefined,
      demo: true,
      rateLimit: true,
      metricsToken: undefined,
      logLevel: "info",
      publicUrl: "http://127.0.0.1:3000",
      dev: false,
    });
  });

  it("takes an empty variable for one that is not set", () => {
    const names = ["HOST", "PORT", "DATA_DIR", "DATABASE_URL", "MASTER_KEY", "DEMO", "RATE_LIMIT", "METRICS_TOKEN"];
    const empty = Object.fromEntries([...names, "LOG_LEVEL", "PUBLIC_URL"].map((name) => [name, ""]));
    expect(readConfig(empty, [])).toEqual(readConfig({}, []));
  });

  it("takes what is set", () => {
    const env = { HOST: "0.0.0.0", PORT: "8080", DATA_DIR: "/srv/trio", MASTER_KEY: "k", METRICS_TOKEN: "m" };
    const config = readConfig({ ...env, LOG_LEVEL: "debug", PUBLIC_URL: "https://club.example/" }, ["--dev"]);
    expect(config).toMatchObject({
      host: "0.0.0.0",
      port: 8080,
      dataDir: "/srv/trio",
      databaseFile: "/srv/trio/trio.db",
      filesDir: "/srv/trio/files",
      masterKey: "k",
      metricsToken: "m",
      logLevel: "debug",
      publicUrl: "https://club.example",
      dev: true,
    });
  });

  it.each([
    ["127.0.0.1", true],
    ["127.8.9.1", true],
    ["localhost", true],
    ["::1", true],
    ["0.0.0.0", false],
    ["192.168.1.5", false],
    ["club.example", false],
    ["127.club.example", false],
  ])("seeds the demo by itself on loopback alone (%s: %s)", (host, demo) => {
    expect(readConfig({ HOST: host }, []).demo).toBe(demo);
  });

  it("seeds the demo where it is told to, and not where it is told not to", () => {
    expect(readConfig({ HOST: "0.0.0.0", DEMO: "1" }, []).demo).toBe(true);
    expect(readConfig({ DEMO: "0" }, []).demo).toBe(false);
  });

  it("lifts the limits on requests for `off` alone", () => {
    expect(readConfig({ RATE_LIMIT: "off" }, []).rateLimit).toBe(false);
    expect(readConfig({ RATE_LIMIT: "on" }, []).rateLimit).toBe(true);
    expect(readConfig({ RATE_LIMIT: "0" }, []).rateLimit).toBe(true);
  });

  it("puts an IPv6 host in brackets in its own address", () => {
    expect(readConfig({ HOST: "::1", PORT: "80" }, []).publicUrl).toBe("http://[::1]:80");
  });

  it.each([
    [{ PORT: "web" }, "PORT"],
    [{ PORT: "65536" }, "PORT"],
    [{ PORT: "-1" }, "PORT"],
    [{ PORT: "80.5" }, "PORT"],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL"],
    [{ DEMO: "yes" }, "DEMO"],
    [{ PUBLIC_URL: "club.example" }, "PUBLIC_URL"],
    [{ DATABASE_URL: "postgres://db.example/trio" }, "DATABASE_URL"],
  ])("refuses %j and names it", (env, name) => {
    expect(() => readConfig(env, [])).toThrow(name);
  });
});
