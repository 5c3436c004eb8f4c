import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, inject } from "vitest";
import { endIdleThreads } from "../support/writer-pool.ts";
import { beginTest } from "./probes.ts";

writeFileSync(process.env.MUTANT_WORKER!, String(process.pid));
if (inject("changed").isInThreads) endIdleThreads();
beforeEach(({ task }) => beginTest(task.id));
afterEach(() => beginTest(""));
