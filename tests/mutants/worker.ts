import { writeFileSync } from "node:fs";
import { afterEach, beforeEach } from "vitest";
import { beginTest } from "./probes.ts";

writeFileSync(process.env.MUTANT_WORKER!, String(process.pid));
beforeEach(({ task }) => beginTest(task.concurrent ? "" : task.id));
afterEach(() => beginTest(""));
