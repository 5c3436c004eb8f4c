import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "#server/config/config.ts";

describe("the configuration", () => {
  it("needs no settings", () => {
    expect(readConfig({}, [])).toEqual({
      host: "127.0.0.1",
      port: 3000,
      dataDir: resolve("data"),
      database: join(resolve("data"), "trio.db"),
      filesDir: join(resolve("data"), "files"),
      s3: null,
      masterKey: undefined,
      demo: true,
      rateLimit: true,
      metricsToken: undefined,
      logLevel: "info",
      publicUrl: "http://127.0.0.1:3000",
      trustedProxies: [],
      secret: expect.any(Function) as unknown,
      dev: false,
    });
  });

  it("treats an empty variable as unset", () => {
    const names = ["HOST", "PORT", "DATA_DIR", "DATABASE_URL", "MASTER_KEY", "DEMO", "RATE_LIMIT", "METRICS_TOKEN"];
    names.push("TRUST_PROXY");
    names.push("STORAGE", "S3_ENDPOINT", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "S3_PATH_STYLE");
    const empty = Object.fromEntries([...names, "LOG_LEVEL", "PUBLIC_URL"].map((name) => [name, ""]));
    expect({ ...readConfig(empty, []), secret: null }).toEqual({ ...readConfig({}, []), secret: null });
  });

  it("takes what is set", () => {
    const env = { HOST: "0.0.0.0", PORT: "8080", DATA_DIR: "/srv/trio", MASTER_KEY: "k", METRICS_TOKEN: "m" };
    const config = readConfig({ ...env, LOG_LEVEL: "debug", PUBLIC_URL: "https://club.example/" }, ["--dev"]);
    expect(config).toMatchObject({
      host: "0.0.0.0",
      port: 8080,
      dataDir: "/srv/trio",
      database: "/srv/trio/trio.db",
      filesDir: "/srv/trio/files",
      masterKey: "k",
      metricsToken: "m",
      logLevel: "debug",
      publicUrl: "https://club.example",
      dev: true,
    });
  });

  it.each(["postgres://trio:secret@db.example:5432/trio", "postgresql://db.example/trio"])(
    "stores the data where %s says",
    (url) => {
      expect(readConfig({ DATABASE_URL: url }, []).database).toBe(url);
    },
  );

  it.each([
    ["127.0.0.1", true],
    ["127.8.9.1", true],
    ["localhost", true],
    ["::1", true],
    ["0.0.0.0", false],
    ["192.168.1.5", false],
    ["club.example", false],
    ["127.club.example", false],
  ])("seeds the demo by default on loopback alone (%s: %s)", (host, demo) => {
    expect(readConfig({ HOST: host }, []).demo).toBe(demo);
  });

  it("seeds the demo when told to, and not when told not to", () => {
    expect(readConfig({ HOST: "0.0.0.0", DEMO: "1" }, []).demo).toBe(true);
    expect(readConfig({ DEMO: "0" }, []).demo).toBe(false);
  });

  it("lifts the request limits for `off` alone", () => {
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
    [{ DATABASE_URL: "mysql://db.example/trio" }, "DATABASE_URL"],
    [{ DATABASE_URL: "/srv/trio/trio.db" }, "DATABASE_URL"],
    [{ DATABASE_URL: "postgres://:5432:" }, "DATABASE_URL"],
  ])("refuses %j and names it", (env, name) => {
    expect(() => readConfig(env, [])).toThrow(name);
  });
});

describe("the storage setting", () => {
  const KEYS = { S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "hush" };
  const s3Of = (env: Record<string, string>) => readConfig({ ...KEYS, ...env }, []).s3;

  it("is a folder for `folder` too", () => {
    expect(readConfig({ STORAGE: "folder" }, []).s3).toBeNull();
  });

  it("is a bucket of Amazon's in its region, or of another service at its address", () => {
    const keys = { accessKeyId: "id", secretAccessKey: "hush" };
    expect(s3Of({ STORAGE: "s3://club-files", S3_REGION: "ap-southeast-1" })).toEqual({
      ...keys,
      bucket: "club-files",
      prefix: "",
      region: "ap-southeast-1",
      endpoint: "https://s3.ap-southeast-1.amazonaws.com",
      pathStyle: false,
    });
    expect(s3Of({ STORAGE: "s3://club/a/b-1/", S3_ENDPOINT: "http://10.0.0.7:9000/" })).toEqual({
      ...keys,
      bucket: "club",
      prefix: "a/b-1/",
      region: "us-east-1",
      endpoint: "http://10.0.0.7:9000",
      pathStyle: true,
    });
    expect(s3Of({ STORAGE: "s3://club", S3_ENDPOINT: "https://s3.example", S3_PATH_STYLE: "0" })?.pathStyle).toBe(
      false,
    );
    expect(s3Of({ STORAGE: "s3://club", S3_REGION: "cn-north-1" })?.endpoint).toMatch(/\.com\.cn$/);
  });

  it.each([
    [{ STORAGE: "bucket" }, "STORAGE"],
    [{ STORAGE: "s3://" }, "STORAGE"],
    [{ STORAGE: "s3://Club" }, "STORAGE"],
    [{ STORAGE: "s3://club/../other" }, "STORAGE"],
    [{ STORAGE: "s3://club//a" }, "STORAGE"],
    [{ STORAGE: "s3://id:hush@club" }, "STORAGE"],
    [{}, "S3_ACCESS_KEY_ID is set, but STORAGE"],
    [{ STORAGE: "folder", S3_ACCESS_KEY_ID: "", S3_SECRET_ACCESS_KEY: "", S3_REGION: "x" }, "S3_REGION is set, but"],
    [{ STORAGE: "s3://club" }, "S3_REGION is not set"],
    [{ STORAGE: "s3://club", S3_REGION: "eu west" }, "S3_REGION"],
    [{ STORAGE: "s3://club", S3_REGION: "eu", S3_ACCESS_KEY_ID: "" }, "S3_ACCESS_KEY_ID is not set"],
    [{ STORAGE: "s3://club", S3_REGION: "eu", S3_SECRET_ACCESS_KEY: "" }, "S3_SECRET_ACCESS_KEY is not set"],
    [{ STORAGE: "s3://club", S3_REGION: "eu", S3_PATH_STYLE: "yes" }, "S3_PATH_STYLE"],
    [{ STORAGE: "s3://club", S3_ENDPOINT: "s3.example" }, "S3_ENDPOINT"],
    [{ STORAGE: "s3://club", S3_ENDPOINT: "ftp://s3.example" }, "S3_ENDPOINT"],
    [{ STORAGE: "s3://club", S3_ENDPOINT: "https://s3.example/club" }, "S3_ENDPOINT"],
    [{ STORAGE: "s3://club", S3_ENDPOINT: "https://id:hush@s3.example" }, "S3_ENDPOINT"],
  ])("is refused for %j, without printing the secret", (env, why) => {
    let told = "";
    try {
      s3Of(env);
    } catch (error) {
      told = (error as Error).message;
    }
    expect(told).toContain(why);
    expect(told).not.toContain("hush");
  });
});
