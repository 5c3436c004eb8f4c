import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readConfig } from "#server/config/config.ts";
import { CHANNEL_KINDS } from "#server/domains/payments/channels.ts";
import { codesIn, tableBelow } from "../../support/pages.ts";
import { haproxy, proxyEnv } from "../../support/proxy.ts";
import { ROOT } from "../../support/source-files.ts";

interface Service {
  image: string;
  build?: { context: string; dockerfile: string };
  user?: string;
  init?: boolean;
  restart?: string;
  read_only?: boolean;
  privileged?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  tmpfs?: string[];
  volumes?: string[];
  networks?: string[] | Record<string, { ipv4_address: string }>;
  ports?: string[];
  environment: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
}

const read = (file: string) => readFileSync(join(ROOT, "server/deploy", file), "utf8");
const text = read("compose.yaml");
const { services, networks, volumes } = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, unknown>;
};
const all = Object.entries(services);
const { proxy, database } = services as { proxy: Service; database: Service };
const servers = all.filter(([name]) => name.startsWith("server-")).map(([, service]) => service);

/** What compose fills in for `${NAME}`, `${NAME:-default}` and `${NAME:?why}`. */
function filledIn(value: string, env: Record<string, string>): string {
  return value.replaceAll(/\$\{(\w+)(?::(-|\?)([^}]*))?\}/g, (_all, name: string, how: string, rest: string) => {
    if (how === "?" && !env[name]) throw new Error(`${name} ${rest}`);
    return env[name] || (how === "-" ? rest : "");
  });
}
const environmentOf = ({ environment }: Service, env: Record<string, string>) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filledIn(value, env)]));
const NEEDED = { MASTER_KEY: "0f".repeat(32), POSTGRES_PASSWORD: "hush", PUBLIC_URL: "https://club.example" };

describe("every container of compose.yaml", () => {
  it.each(all)("%s writes only where it may, has no privilege and restarts", (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"], restart: "unless-stopped" });
    expect(service.security_opt).toEqual(["no-new-privileges:true"]);
    expect([service.privileged, service.cap_add]).toEqual([undefined, undefined]);
  });

  it.each(all)("%s is pinned by its version", (_name, { image }) => {
    expect(image).toMatch(/^[a-z]+:\d+\.\d+/);
  });

  it("is reached from outside through the proxy alone, and that from this machine unless the operator says otherwise", () => {
    expect(all.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(["proxy"]);
    expect(proxy.ports!.map((port) => filledIn(port, {}))).toEqual(["127.0.0.1:8080:8080"]);
    expect(proxy.ports!.map((port) => filledIn(port, { PUBLISH: "0.0.0.0:443" }))).toEqual(["0.0.0.0:443:8080"]);
  });

  it("has no secret in the file", () => {
    const named = Object.keys(NEEDED);
    for (const name of named) expect(read("env.example")).toContain(`${name}=`);
    expect(read("env.example")).toMatch(/^MASTER_KEY=$[^]*^POSTGRES_PASSWORD=$/m);
    for (const missing of named) {
      const env = { ...NEEDED, [missing]: "" };
      expect(() => environmentOf(servers[0]!, env)).toThrow(`${missing} is missing, see env.example`);
    }
  });

  it("stores its data in declared volumes", () => {
    const named = all.flatMap(([, service]) => service.volumes ?? []).map((volume) => volume.split(":")[0]!);
    expect([...new Set(named.filter((name) => /^\w+$/.test(name)))].sort()).toEqual(Object.keys(volumes).sort());
  });
});

describe("the servers of compose.yaml", () => {
  it("are two of the same image, with the same key and the same files", () => {
    expect(servers).toHaveLength(2);
    expect(servers[0]).toEqual(servers[1]);
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
    expect(servers[0]!.image).toBe(`trio:${version}`);
    expect(servers[0]!.build).toEqual({ context: "../..", dockerfile: "server/deploy/Dockerfile" });
  });

  it("are given every documented variable that is theirs to set, and nothing else", () => {
    const elsewhere = new Map([
      ["HOST PORT DATA_DIR", "the image sets them"],
      ["DATABASE_URL TRUST_PROXY", "they follow from the other containers"],
      ["BACKUP_DIR BACKUP_HOURS BACKUP_KEEP_DAYS BACKUP_KEEP_WEEKS BACKUP_RECIPIENTS", "the image has no pg_dump"],
    ]);
    const set = new Set([...elsewhere.keys()].join(" ").split(" "));
    const documented = tableBelow("docs/settings.md", "## Variables").flatMap(([names]) => codesIn(names!));
    const secrets = documented.filter((name) => /^(STRIPE|BTCPAY)_.*(KEY|SECRET)$/.test(name));
    const free = [...documented, ...secrets.map((name) => `${name}_FILE`)].filter((name) => !set.has(name));
    expect(Object.keys(servers[0]!.environment).sort()).toEqual([...free, "DATABASE_URL", "TRUST_PROXY"].sort());
    const env = Object.fromEntries(free.map((name) => [name, `what ${name} says`]));
    expect(environmentOf(servers[0]!, { ...NEEDED, ...env })).toMatchObject(env);
    expect(documented.filter((name) => set.has(name)).sort()).toEqual([...set].sort());
  });

  it("see the folders of the operator's secrets and of the kept head where env.example says", () => {
    const laid = servers[0]!.volumes!.map((volume) => filledIn(volume, { SECRETS: "/etc/trio", HEADS: "/mnt/other" }));
    expect(laid).toEqual(["files:/data", "/mnt/other:/heads", "/etc/trio:/run/secrets:ro"]);
    expect(read("env.example")).toMatch(/^# SECRETS=.*\n# STRIPE_SECRET_KEY_FILE=\/run\/secrets\/\w+$/m);
    expect(read("env.example")).toMatch(/^# HEADS=.*\n# HEAD_FILE=\/heads\/\S+$/m);
  });

  it("start with their settings, and trust the proxy alone for the client's address", () => {
    const { DATABASE_URL, ...rest } = environmentOf(servers[0]!, NEEDED);
    expect(DATABASE_URL).toBe("postgres://trio:hush@database:5432/trio");
    const config = readConfig({ ...rest, HOST: "0.0.0.0" }, []);
    expect(config).toMatchObject({ masterKey: NEEDED.MASTER_KEY, publicUrl: NEEDED.PUBLIC_URL, demo: false, s3: null });
    // What is not set is as if it was not there.
    const { TRUST_PROXY: _proxy, ...own } = rest;
    const bare = { MASTER_KEY: NEEDED.MASTER_KEY, PUBLIC_URL: NEEDED.PUBLIC_URL, DEMO: "0" };
    expect({ ...readConfig(own, []), secret: null }).toEqual({ ...readConfig(bare, []), secret: null });
    expect(CHANNEL_KINDS.filter(({ isTried, isConfigured }) => !isTried && isConfigured(config.secret))).toEqual([]);
    const { front } = proxy.networks as { front: { ipv4_address: string } };
    expect(config.trustedProxies).toEqual([filledIn(front.ipv4_address, {})]);
    expect(servers[0]!.networks).toEqual(expect.arrayContaining(["front"]));
  });

  it("get longer to drain than they take, and pass signals on", () => {
    const drainMs = /DRAIN_MS = ([\d_]+)/.exec(readFileSync(join(ROOT, "server/app/start.ts"), "utf8"))![1]!;
    for (const { stop_grace_period, init } of servers) {
      expect(parseInt(stop_grace_period!) * 1_000).toBeGreaterThan(Number(drainMs.replace("_", "")) + 2_000);
      expect(init).toBe(true);
    }
  });

  it("write to the shared volume, to the kept head and to their own /tmp", () => {
    for (const { volumes: laid, tmpfs } of servers) {
      expect(laid!.filter((volume) => !volume.endsWith(":ro"))).toEqual(["files:/data", "${HEADS:-./heads}:/heads"]);
      expect(tmpfs!.map((one) => one.split(":")[0])).toEqual(["/tmp"]);
    }
  });

  it("start once the database answers, and the proxy once they do", () => {
    for (const { depends_on } of servers) expect(depends_on).toEqual({ database: { condition: "service_healthy" } });
    const conditions = Object.fromEntries(
      ["server-1", "server-2"].map((name) => [name, { condition: "service_healthy" }]),
    );
    expect(proxy.depends_on).toEqual(conditions);
    expect(database.healthcheck!.test).toEqual(expect.arrayContaining(["pg_isready"]));
  });
});

describe("the proxy of compose.yaml", () => {
  it("gets all that its configuration needs", () => {
    const asked = [...read("haproxy.cfg").matchAll(/"\$\{?(\w+)\}?"/g)].map(([, name]) => name!);
    expect(Object.keys(proxy.environment).sort()).toEqual([...new Set(asked)].sort());
    const given = proxyEnv({ listen: "", servers: ["http://a:1", "http://b:1"] });
    expect(Object.keys(given).sort()).toEqual([...Object.keys(proxy.environment), "PATH"].sort());
    expect(haproxy === undefined || haproxy.endsWith("/haproxy")).toBe(true);
  });

  it("knows every server", () => {
    const addresses = Object.entries(proxy.environment).filter(([name]) => name.startsWith("SERVER_"));
    const names = all.map(([name]) => name).filter((name) => name.startsWith("server-"));
    expect(addresses.map(([, address]) => address)).toEqual(names.map((name) => `${name}:3000`));
  });
});

describe("the database of compose.yaml", () => {
  it("is reached by the servers alone, and runs as its own user", () => {
    expect(database.networks).toEqual(["store"]);
    expect(networks.store).toEqual({ internal: true });
    expect(proxy.networks).not.toContain("store");
    expect(Number(database.user!.split(":")[0])).toBeGreaterThan(0);
    expect(Number(/postgres:(\d+)/.exec(database.image)![1])).toBeGreaterThanOrEqual(15);
  });
});
