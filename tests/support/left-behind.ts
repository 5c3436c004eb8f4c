import { startPrivate } from "./postgres-server.ts";
import { ServerProcess } from "./server-process.ts";

/* A program as a run of tests that is interrupted: it starts a server and a PostgreSQL, says so and waits. */
const server = await ServerProcess.start();
const postgres = await startPrivate();
process.stdout.write(JSON.stringify({ server: server.launched.pid, postgres: Number(new URL(postgres.url).port) }));
setInterval(() => {}, 1_000);
