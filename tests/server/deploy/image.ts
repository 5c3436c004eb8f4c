import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ROOT } from "../../support/source-files.ts";
import { finish, runInside } from "./container.ts";
import { readStages, settingsOf, type Instruction, type Stage } from "./dockerfile.ts";

interface Locked {
  dev?: boolean;
}

/** The context of `docker build`: files that git knows or would take, except those that .dockerignore excludes. */
export function contextFiles(): string[] {
  const list = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: ROOT, encoding: "utf8" });
  const rules = readFileSync(join(ROOT, "server/deploy/Dockerfile.dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const fits = (path: string, rule: string) => rule === "*" || path === rule || path.startsWith(`${rule}/`);
  const isSent = (path: string) => {
    const last = rules.findLast((rule) => fits(path, rule.replace("!", "")));
    return last === undefined || last.startsWith("!");
  };
  return list.split("\0").filter((path) => path !== "" && isSent(path) && existsSync(join(ROOT, path)));
}

/** Builds the Dockerfile into folders, one a stage, and runs its commands as a container would. */
export class ImageBuild {
  readonly folder: string;
  /** Whether packages come from the registry, as in a real build; else from this machine's own node_modules. */
  readonly fromRegistry: boolean;
  readonly #stages: Stage[] = readStages();
  readonly #context = contextFiles();

  constructor(folder: string, fromRegistry: boolean) {
    this.folder = folder;
    this.fromRegistry = fromRegistry;
  }

  async build(): Promise<string> {
    for (const stage of this.#stages) {
      if (this.#stages.some(({ name }) => name === stage.from)) link(this.#at(stage.from), this.#at(stage.name));
      else mkdirSync(this.#at(stage.name), { recursive: true });
      for (const instruction of stage.instructions) await this.#follow(stage, instruction);
    }
    return this.#at("last");
  }

  #at = (stage: string, path = "") => join(this.folder, stage, path);

  async #follow(stage: Stage, { word, text }: Instruction): Promise<void> {
    const { folder } = settingsOf(this.#stages, stage.name);
    if (word === "WORKDIR") mkdirSync(this.#at(stage.name, text), { recursive: true });
    if (word === "COPY") this.#copy(text.split(" "), this.#at(stage.name, folder));
    if (word === "RUN" && !this.#shortCut(text, this.#at(stage.name, folder))) await this.#run(stage, text);
  }

  #copy(words: string[], into: string): void {
    const stage = /^--from=(.+)$/.exec(words[0]!)?.[1];
    const sources = words.slice(stage ? 1 : 0, -1);
    const target = join(into, words.at(-1)!);
    for (const source of sources) {
      if (stage) link(this.#at(stage, source), target);
      else this.#copyContext(source, words.at(-1)!.endsWith("/") ? join(target, basename(source)) : target);
    }
  }

  #copyContext(source: string, target: string): void {
    const files = this.#context.filter((path) => path === source || path.startsWith(`${source}/`));
    if (files.length === 0) throw new Error(`COPY: the context has no ${source}`);
    for (const path of files) {
      const to = join(target, path.slice(source.length));
      mkdirSync(dirname(to), { recursive: true });
      cpSync(join(ROOT, path), to);
    }
  }

  /** What a build without the registry takes from here instead. Everything else is run. */
  #shortCut(command: string, folder: string): boolean {
    if (this.fromRegistry) return false;
    if (command.startsWith("npm ci --omit=dev")) copyPackages(folder);
    else if (command === "npm run build") cpSync(join(ROOT, "dist"), join(folder, "dist"), DEEP);
    return command.startsWith("npm ");
  }

  async #run(stage: Stage, command: string): Promise<void> {
    const { folder, env } = settingsOf(this.#stages, stage.name);
    const root = this.#at(stage.name);
    // The builder's home: it has the registry's address and the package cache.
    const home = join(root, "home");
    symlinkSync(process.env.HOME ?? "/root", home);
    // Where the command makes folders beside the program's.
    const made = command.startsWith("install ") ? command.split(" ").filter((word) => word.startsWith("/")) : [];
    for (const path of made) mkdirSync(join(root, path), { recursive: true });
    const writable = ["/app", "/home", ...made];
    const trusted = process.env.NODE_EXTRA_CA_CERTS;
    const known = { HOME: "/home", ...(trusted && { NODE_EXTRA_CA_CERTS: trusted }) };
    const inside = { root, writable, user: "0:0", folder, env: { ...env, ...known } };
    const { code, output } = await finish(runInside(inside, ["sh", "-c", command]));
    rmSync(home);
    if (code !== 0) throw new Error(`RUN ${command}: ${output}`);
  }
}

/** A copy that shares its files, which are never written again. */
function link(from: string, to: string): void {
  execFileSync("cp", ["--archive", "--link", "--no-target-directory", from, to]);
}

const DEEP = { recursive: true, verbatimSymlinks: true } as const;

/** The packages that the lock file does not mark for development. */
function copyPackages(folder: string): void {
  const lock = readFileSync(join(ROOT, "package-lock.json"), "utf8");
  const { packages } = JSON.parse(lock) as { packages: Record<string, Locked> };
  const there = Object.keys(packages).filter((path) => path !== "" && existsSync(join(ROOT, path)));
  const wanted = there.filter((path) => path.lastIndexOf("node_modules/") === 0 && !packages[path]!.dev);
  execFileSync("cp", ["--archive", "--parents", ...wanted, folder], { cwd: ROOT });
  for (const path of there.filter((nested) => packages[nested]!.dev))
    rmSync(join(folder, path), { recursive: true, force: true });
}
