import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What Debian's packages install. */
const SOURCES = "/usr/share/gocode";
const PACKAGES = ["golang-go", "golang-golang-x-mod-dev"];
const MOST_BYTES = 64 * 1024 * 1024;

/** What is asked: its kind and the fields of that kind. Go reads bytes as base64. */
export type Question = { kind: "head" | "inclusion" | "extension" | "root" | "tile" } & Record<
  string,
  string | number | Uint8Array | readonly Uint8Array[]
>;

const isThere = () =>
  existsSync(join(SOURCES, "src/golang.org/x/mod/sumdb/tlog")) && spawnSync("go", ["version"]).status === 0;

/** Root installs what is missing, as for PostgreSQL. */
function needGo(): void {
  if (!isThere() && process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    for (const words of [
      ["update", "-q"],
      ["install", "-q", "-y", "--no-install-recommends", ...PACKAGES],
    ])
      spawnSync("apt-get", words, { env, stdio: "ignore" });
  }
  if (!isThere()) throw new Error(`Debian's ${PACKAGES.join(" and ")} are not here, and could not be installed`);
}

/** Why Go's packages refuse each of these; empty where they do not. */
export function askGo(questions: readonly Question[]): string[] {
  needGo();
  const asBase64 = (_: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
  const { status, stdout, stderr } = spawnSync("go", ["run", join(import.meta.dirname, "main.go")], {
    env: { ...process.env, GO111MODULE: "off", GOPATH: SOURCES, GOCACHE: join(tmpdir(), "go-cache") },
    input: JSON.stringify(questions, asBase64),
    encoding: "utf8",
    maxBuffer: MOST_BYTES,
  });
  if (status !== 0) throw new Error(`Go did not answer: ${stderr}`);
  return JSON.parse(stdout) as string[];
}
