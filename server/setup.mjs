// Makes a fresh clone ready: installs packages and builds the client, each only when stale. To run (`run`, `start`), what
// `npm ci --omit=dev` installs is enough, and what was built elsewhere.
// Plain JavaScript without packages, because it runs first, on whatever Node (18 or newer) the machine has.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const tools = join("node_modules", ".bin");
const stampFile = join("dist", ".stamp");
const pages = [join("dist", "index.html"), join("console", "dist", "index.html")];
const buildSources = ["client", "console", "shared", "locales", "package-lock.json"];

const packagesOf = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : null);
const wanted = packagesOf("package-lock.json");

/** What npm noted of the packages that it installed; null without any. */
const present = () => (existsSync(join(tools, "node")) ? packagesOf(join("node_modules", ".package-lock.json")) : null);

/** Whether node_modules holds exactly what the lock file asks for, but for what may be skipped. */
function isInstalled(maySkip) {
  const found = present();
  if (!found) return false;
  const sameVersions = Object.entries(found).every(([path, { integrity }]) => wanted[path]?.integrity === integrity);
  return sameVersions && Object.entries(wanted).every(([path, it]) => path === "" || maySkip(it) || found[path]);
}

const isExtra = ({ optional, devOptional, peer }) => optional || devOptional || peer;
/** Whether somebody installed what runs, and nothing that develops. */
function isWithoutDev() {
  const found = present();
  return found !== null && !Object.keys(found).some((path) => wanted[path]?.dev);
}

function install(...kinds) {
  process.stdout.write("Installing packages (once, about half a minute)…\n");
  // npm must not run on the very Node inside node_modules that it is about to replace.
  const PATH = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.endsWith(tools))
    .join(delimiter);
  execFileSync("npm", ["ci", ...kinds, "--no-audit", "--no-fund", "--loglevel=error"], {
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

const isBuilt = () => pages.every((page) => existsSync(page));
const builtFrom = () => (existsSync(stampFile) ? readFileSync(stampFile, "utf8") : null);

async function buildClient() {
  const stamp = fingerprint(buildSources);
  if (builtFrom() === stamp && isBuilt()) return;
  process.stdout.write("Building the client…\n");
  const vite = join("node_modules", "vite", "bin", "vite.js");
  const build = async (app) => {
    const [code] = await once(
      spawn(join(tools, "node"), [vite, "build", app, "--logLevel", "warn"], { stdio: "inherit" }),
      "exit",
    );
    return code === 0;
  };
  const built = await Promise.all(["client", "console"].map(build));
  if (built.includes(false)) process.exit(1);
  writeFileSync(stampFile, stamp);
}

/** Without the packages that build, what was built is served, whoever built it. */
function checkBuilt() {
  if (!isBuilt()) {
    process.stderr.write(`The client is not built, and the packages that build it are not installed. Either
  run \`npm ci\` and then \`npm start\`, or
  copy dist and console/dist from where \`npm run build\` ran.\n`);
    process.exit(1);
  }
  const from = builtFrom();
  if (from !== null && from !== fingerprint(buildSources))
    process.stderr.write(
      "The client was built from other sources than these. `npm ci` and `npm start` build it anew.\n",
    );
}

const mode = process.argv[2];
const isLean = (mode === "run" || mode === "start") && isWithoutDev();
if (isLean && !isInstalled((it) => it.dev || isExtra(it))) install("--omit=dev");
if (!isLean && !isInstalled(isExtra)) install("--include=dev");
if (isLean && mode === "start") checkBuilt();
else if (mode === "start" || mode === "build") await buildClient();
