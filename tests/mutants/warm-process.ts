import type { ModuleRunner } from "vite/module-runner";
import { init, runBaseTests, setupEnvironment } from "vitest/worker";

/*
 * A process that runs tests again and again. What changed is loaded anew, with all that imports it; packages, and sources
 * that it does not concern, stay. They took most of a run's time.
 */

/** Tests may put others in their place. */
const [send, on, off, exit] = [process.send!, process.on, process.off, process.exit].map((own) =>
  own.bind(process),
) as [NonNullable<typeof process.send>, typeof process.on, typeof process.off, typeof process.exit];
let changed: readonly string[] = [];

on("disconnect", () => exit(1));
init({
  post: (message) => send(message),
  on: (listener) => on("message", listener),
  off: (listener) => off("message", listener),
  setup: setupEnvironment,
  runTests(state, traces) {
    ({ files: changed } = state.ctx.providedContext.changed);
    return runBaseTests("run", state, traces);
  },
  collectTests: (state, traces) => runBaseTests("collect", state, traces),
  onModuleRunner: drop,
});

function drop({ evaluatedModules }: ModuleRunner): void {
  const dropped = new Set(changed.flatMap((file) => [...(evaluatedModules.getModulesByFile(file) ?? [])]));
  for (const node of dropped) {
    for (const id of node.importers) {
      const importer = evaluatedModules.getModuleById(id);
      if (importer) dropped.add(importer);
    }
    node.importers.clear();
    evaluatedModules.invalidateModule(node);
  }
}
