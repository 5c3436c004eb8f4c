import { fileURLToPath } from "node:url";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import base from "../vitest.config.ts";
import { warmPool } from "./warm-pool.ts";

/** Files run in the order in which they were asked for. */
class AsAsked extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files);
  }
}

const worker = fileURLToPath(new URL("./worker.ts", import.meta.url));
const projects = (base.test!.projects as { test: { setupFiles?: string[] } }[]).map((project) => ({
  ...project,
  test: { ...project.test, pool: warmPool, setupFiles: [...(project.test.setupFiles ?? []), worker] },
}));

/**
 * The projects of `npm test`, one file at a time. No cache on disk: what Vitest 5.1 reads from there breaks the state of
 * modules that were invalidated, and a file that then cannot be loaded would look like one that noticed the change.
 */
export default {
  ...base,
  test: {
    ...base.test,
    projects,
    maxWorkers: 1,
    // What has not come by then fails its test, which is tried again without the change.
    expect: { poll: { timeout: 10_000 } },
    fsModuleCache: false,
    reporters: [],
    sequence: { sequencer: AsAsked },
  },
};
