import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";

/** The methods of a part, which other processes call. Each part declares its own types. */
type Methods = Record<string, (...input: never[]) => unknown>;
type Request = { id: number; name: string; input: unknown[] };
type Response = { id: number; answer?: unknown; failure?: string };

/** A part of the bench in a process of its own. It ends with its disposal, or with the bench. */
export interface Part<A extends Methods> extends AsyncDisposable {
  call<K extends keyof A & string>(name: K, ...input: Parameters<A[K]>): Promise<Awaited<ReturnType<A[K]>>>;
}

const running = new Set<ChildProcess>();
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/** Starts a module of `parts/` in a process of its own, on a PostgreSQL if its address is given. */
export function startPart<A extends Methods>(name: string, database?: string): Part<A> {
  const env = { ...process.env, ...(database && { DATABASE_URL: database }) };
  const execArgv = [...process.execArgv, "--import", new URL("./choose-dialect.ts", import.meta.url).href];
  const child = fork(new URL(`./parts/${name}.ts`, import.meta.url), { serialization: "advanced", env, execArgv });
  const waiting = new Map<number, (answer: Response) => void>();
  let asked = 0;
  running.add(child);
  child.on("message", (answer: Response) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  child.on("exit", () => {
    running.delete(child);
    for (const [id, tell] of waiting) tell({ id, failure: "it ended" });
  });
  return {
    call: (ask, ...input) =>
      new Promise((resolve, reject) => {
        const id = ++asked;
        waiting.set(id, ({ answer, failure }) => {
          if (failure === undefined) resolve(answer as never);
          else reject(new Error(`${name}: ${failure}`));
        });
        child.send({ id, name: ask, input } satisfies Request);
      }),
    async [Symbol.asyncDispose]() {
      if (!running.has(child)) return;
      // The part ends by itself once its channel is closed.
      child.disconnect();
      await once(child, "exit");
    },
  };
}

/** Serves the methods of a part, in its own process, until the bench is gone. */
export function serveMethods(asks: Methods): void {
  process.on("message", ({ id, name, input }: Request) => {
    const tell = (answer: Response) => process.send!(answer);
    Promise.resolve()
      // `Part.call` checks the arguments' types.
      .then(() => asks[name]!(...(input as never[])))
      .then(
        (answer) => tell({ id, answer }),
        (error: Error) => tell({ id, failure: error.stack ?? error.message }),
      );
  });
  process.on("disconnect", () => process.exit());
}
