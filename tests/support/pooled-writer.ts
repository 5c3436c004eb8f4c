import { parentPort, type MessagePort } from "node:worker_threads";
import type { WriterData } from "#db/sqlite/protocol.ts";
import { runWriter } from "#db/sqlite/writer.ts";
import { batches, jobs } from "#server/writer/sqlite.ts";

// A writer thread for one database after another. Each has its own port, which the writer closes at its end.
parentPort!.on("message", ({ port, data }: { port: MessagePort; data: WriterData }) =>
  runWriter(port, data, { batches, jobs }),
);
