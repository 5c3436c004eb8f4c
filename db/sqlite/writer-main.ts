import { parentPort, workerData } from "node:worker_threads";
import type { WriterData } from "./protocol.ts";
import { runWriter } from "./writer.ts";

// The entry point of a writer thread that runs transactions only: for processes that take no bets and settle nothing.
runWriter(parentPort!, workerData as WriterData, { batches: {}, jobs: {} });
