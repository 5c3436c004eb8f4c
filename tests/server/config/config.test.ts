import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "#server/config/config.ts";
import { COSIGNATURE_KEY, keyText } from "#shared/log/note.ts";
import { signerOf } from "../../log/world.ts";

describe("the configuration", () => {
  it("needs no settings", () => {
    expect(readConfig({}, [])).toEqual({
      host: "127.0.0.1",
      port: 3000,
      dataDir: resolve("data"),
      headFile: join(resolve("data"), "log-head.txt"),
      database: join(resolve("data"), "trio.db"),
      filesDir: join(resolve("data"), "files"),
      s3: null,
      masterKey: undefined,
      backups: null,
      backupRecipients: [],
      isLocal: true,
      demo: true,
      rateLimit: true,
      metricsToken: undefined,
      docsToken: undefined,
      logLevel: "info",
      publicUrl: "http://127.0.0.1:3000",
      hosts: [],
      isNamed: true,
      trustedProxies: [],
      beaconRelays: [
        "https://api.drand.sh",
        "https://api2.drand.sh",
        "https://api3.drand.sh",
        "https://drand.cloudflare.com",
      ],
      pushServices: [],
      witnesses: { named: [], needed: 0 },
      secret: expect.any(Function) as unknown,
      dev: false,
    });
  });

  it("treats an empty variable as unset", () => {
    const names = [
      "HOST",
      "PORT",
      "DATA_DIR",
      "HEAD_FILE",
      "DATABASE_URL",
      "MASTER_KEY",
      "DEMO",
      "RATE_LIMIT",
      "METRICS_TOKEN",
    ];
    names.push("BACKUP_DIR", "BACKUP_HOURS", "BACKUP_KEEP_DAYS", "BACKUP_KEEP_WEEKS", "BACKUP_RECIPIENTS");
    names.push("HOSTS", "TRUST_PROXY", "DOCS_TOKEN", "BEACON_RELAYS", "PUSH_SERVICES", "WITNESSES", "WITNESSES_NEEDED");
    names.push("STORAGE", "S3_ENDPOINT", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "S3_PATH_STYLE");
    const empty = Object.fromEntries([...names, "LOG_LEVEL", "PUBLIC_URL"].map((name) => [name, ""]));
    expect({ ...readConfig(empty, []), secret: null }).toEqual({ ...readConfig({}, []), secret: null });
  });

  it("takes a plan of backups, and public keys to seal them for", () => {
    const recipient = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
    const planned = readConfig({ BACKUP_DIR: "backups", BACKUP_HOURS: "6", BACKUP_RECIPIENTS: `${recipient}, ` }, []);
    expect(planned.backups).toEqual({ dir: resolve("backups"), everyHours: 6, keepDays: 14, keepWeeks: 8 });
    expect(planned.backupRecipients).toEqual([recipient]);
  });

  it.each([
    [{ BACKUP_HOURS: "0" }, "BACKUP_HOURS must be a whole number from 1 to 168"],
    [{ BACKUP_KEEP_DAYS: "0" }, "BACKUP_KEEP_DAYS"],
    [{ BACKUP_KEEP_WEEKS: "-1" }, "BACKUP_KEEP_WEEKS"],
    [
      { BACKUP_RECIPIENTS: "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8q" },
      "is no public key of age",
    ],
    [{ BACKUP_RECIPIENTS: "somebody" }, "BACKUP_RECIPIENTS must be public keys of age"],
  ])("refuses %j", (env, why) => {
    expect(() => readConfig(env, [])).toThrow(why);
  });

  it("takes relays of beacons over HTTPS, or on this machine, and no others", () => {
    const relays = (BEACON_RELAYS: string) => readConfig({ BEACON_RELAYS }, []).beaconRelays;
    expect(relays("https://one.example/, http://127.0.0.1:8080/relay")).toEqual([
      "https://one.example",
      "http://127.0.0.1:8080/relay",
    ]);
    for (const wrong of ["http://one.example", "one.example", "https://one.example,", "file:///relay"])
      expect(() => relays(wrong)).toThrow(/BEACON_RELAYS must be addresses/);
  });

  it("takes witnesses with their keys, all of whom have to sign unless fewer are asked for", () => {
    const [one, two] = ["one", "two"].map((word) => keyText(signerOf(`${word}.example/w`, COSIGNATURE_KEY, word).key));
    const witnesses = (WITNESSES: string, WITNESSES_NEEDED?: string) =>
      readConfig({ WITNESSES, ...(WITNESSES_NEEDED !== undefined && { WITNESSES_NEEDED }) }, []).witnesses;
    const both = `https://one.example/ ${one}, http://127.0.0.1:3300 ${two}`;
    expect(witnesses(both).named.map(({ url, key }) => [url, keyText(key)])).toEqual([
      ["https://one.example", one],
      ["http://127.0.0.1:3300", two],
    ]);
    expect([witnesses(both).needed, witnesses(both, "1").needed]).toEqual([2, 1]);
    const house = keyText(signerOf("house.example").key);
    const none = [`http://one.example ${one}`, "https://one.example", `https://one.example ${one} more`, `${one}`];
    for (const wrong of [...none, `https://one.example ${one},`, `https://one.example ${house}`])
      expect(() => witnesses(wrong)).toThrow(/WITNESSES must be addresses/);
    expect(() => witnesses(`https://one.example ${one}, https://two.example ${one}`)).toThrow(/one key twice/);
    for (const wrong of ["0", "3", "-1", "many"])
      expect(() => witnesses(both, wrong)).toThrow(/WITNESSES_NEEDED must be a number/);
    expect(() => readConfig({ WITNESSES_NEEDED: "1" }, [])).toThrow(/WITNESSES_NEEDED must be a number/);
  });

  it("takes what is set", () => {
    const env = { HOST: "0.0.0.0", PORT: "8080", DATA_DIR: "/srv/trio", MASTER_KEY: "k", METRICS_TOKEN: "m" };
    Object.assign(env, { DOCS_TOKEN: "d" });
    const config = readConfig({ ...env, LOG_LEVEL: "debug", PUBLIC_URL: "https://club.example/" }, ["--dev"]);
    expect(config).toMatchObject({
      host: "0.0.0.0",
      port: 8080,
      dataDir: "/srv/trio",
      database: "/srv/trio/trio.db",
      filesDir: "/srv/trio/files",
      masterKey: "k",
      metricsToken: "m",
      docsToken: "d",
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
    expect(readConfig({ HOST: host }, [])).toMatchObject({ demo, isLocal: demo });
  });

  it.each([{ PUBLIC_URL: "https://club.example" }, { TRUST_PROXY: "loopback" }])(
    "seeds no demo by default where others reach the site: %j",
    (env) => {
      expect(readConfig(env, [])).toMatchObject({ demo: false, isLocal: false });
      expect(readConfig({ PUBLIC_URL: "http://localhost:3000" }, [])).toMatchObject({ demo: true, isLocal: true });
    },
  );

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
    let message = "";
    try {
      s3Of(env);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain(why);
    expect(message).not.toContain("hush");
  });
});
