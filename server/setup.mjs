// Makes a fresh clone ready: installs packages and builds the client, each only when stale.
// Plain JavaScript without packages, because it runs first, on whatever Node (18 or newer) the machine has.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const tools = join("node_modules", ".bin");
const stampFile = join("dist", ".stamp");
const buildSources = ["client", "console", "shared", "locales", "package-lock.json"];

/** Whether node_modules holds exactly what the lock file asks for. */
function isInstalled() {
  const record = join("node_modules", ".package-lock.json");
  if (!existsSync(record) || !existsSync(join(tools, "node"))) return false;
  const wanted = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
  const present = JSON.parse(readFileSync(record, "utf8")).packages;
  const sameVersions = Object.entries(present).every(([path, { integrity }]) => wanted[path]?.integrity === integrity);
  const maySkip = ({ optional, devOptional, peer }) => optional || devOptional || peer;
  return sameVersions && Object.entries(wanted).every(([path, it]) => path === "" || maySkip(it) || present[path]);
}

function install() {
  process.stdout.write("Installing packages (once, about half a minute)…\n");
  // npm must not run on the very Node inside node_modules that it is about to replace.
  const PATH = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.endsWith(tools))
    .join(delimiter);
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    stdio: "inherit",
    env: { ...process.env, PATH },
  });
}

function fingerprint(paths) {
  const hash = createHash("sha256");
  const add = (path) => {
    // What a build has made is no source of the next one.
    const names = () => readdirSync(path).filter((name) => name !== "dist");
    if (statSync(path).isDirectory()) for (const name of names().sort()) add(join(path, name));
    else hash.update(path).update(readFileSync(path));
  };
  paths.filter((path) => existsSync(path)).forEach(add);
  return hash.digest("hex");
}

function buildClient() {
  const stamp = fingerprint(buildSources);
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  process.stdout.write("Building the client…\n");
  const vite = join("node_modules", "vite", "bin", "vite.js");
  for (const app of ["client", "console"])
    execFileSync(join(tools, "node"), [vite, "build", app, "--logLevel", "warn"], { stdio: "inherit" });
  writeFileSync(stampFile, stamp);
}

if (!isInstalled()) install();
if (process.argv[2] === "build") buildClient();
