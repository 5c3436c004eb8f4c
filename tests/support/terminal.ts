import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./source-files.ts";
import { spawnBound } from "./spawn-bound.ts";

/** A command as entered, and how it ended. */
export interface Given {
  exit: number;
  words: string;
}

const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };

/** What `npm run NAME -- WORDS` runs, wherever the terminal is; packages are installed already. */
const branches = Object.entries(scripts)
  .filter(([, script]) => script.startsWith("exec node "))
  .map(([name, script]) => {
    const program = script.replace("exec node", '"$NODE"').replaceAll(/ (?:\.\/)?(server|tests)\//g, ' "$TREE"/$1/');
    return `${name}) ${program} "$@";;`;
  });

/** npm runs our programs; docker, which needs an engine, is only recorded. */
const PRELUDE = `
npm() {
  local script="$2" all="$*"; shift 3
  case "$script" in ${branches.join(" ")} *) return 127;; esac
  local exit=$?
  echo "$exit npm $all" >> "$GIVEN"
  return $exit
}
docker() { cat > /dev/null; echo "0 docker $*" >> "$GIVEN"; }
`;

/** A shell in its own folder, which runs a page's commands as they are written there. */
export class Terminal {
  readonly folder = mkdtempSync(join(tmpdir(), "trio-terminal-"));
  readonly env: Record<string, string> = { TREE: ROOT, NODE: process.execPath };
  readonly #tree: string;

  constructor(tree = ROOT) {
    this.#tree = tree;
  }

  write(file: string, content: string): void {
    writeFileSync(join(this.folder, file), content);
  }

  /** Runs commands. Returns each with its exit status, and all their output. */
  async give(commands: string): Promise<{ given: Given[]; output: string }> {
    const log = join(this.folder, ".given");
    writeFileSync(log, "");
    const { PATH = "", HOME = "" } = process.env;
    const env = { PATH, HOME, ...this.env, TREE: this.#tree, GIVEN: log };
    const shell = spawnBound("bash", ["-c", `${PRELUDE}\n${commands} 2>&1`], {
      cwd: this.folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err] = await Promise.all([text(shell.stdout!), text(shell.stderr!)]);
    const lines = readFileSync(log, "utf8").split("\n").filter(Boolean);
    const given = lines.map((line) => {
      const [exit, ...words] = line.split(" ");
      return { exit: Number(exit), words: words.join(" ") };
    });
    return { given, output: out + err };
  }

  close(): void {
    rmSync(this.folder, { recursive: true });
  }
}
