import { parentPort, workerData } from "node:worker_threads";
import type { WriterData } from "#db/sqlite/protocol.ts";
import { runWriter } from "#db/sqlite/writer.ts";
import { batches, jobs } from "./sqlite.ts";

// The entry point of a server's writer thread.
runWriter(parentPort!, workerData as WriterData, { batches, jobs });
