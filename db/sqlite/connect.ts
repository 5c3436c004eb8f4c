import type { ConnectOptions, Db } from "#db/db.ts";
import { WriteGate } from "#db/write-gate.ts";
import { clockOf } from "#shared/time.ts";
import { CommitStamp } from "./commit-stamp.ts";
import { openOutboxReader } from "./outbox-reader.ts";
import { openSqlite } from "./open.ts";
import { reading, readSnapshot, WAL_LIMIT } from "./read.ts";
import { WriterThread } from "./writer-worker.ts";
import { Transactions } from "./transactions.ts";
import { isDamage, awayReasonOf } from "./disk-errors.ts";

/** Opens SQLite in one file: this thread reads on its own connection, and the writer thread writes. */
export async function connectSqlite(file: string, options: ConnectOptions): Promise<Db> {
  const reader = openSqlite(file);
  const commits = new CommitStamp(reader);
  const someRow = reader.prepare("select name from meta limit 1").pluck();
  const { gate, writer } = openWriteSide(file, options, () => commits.forget());
  const transactions = new Transactions(writer);
  return {
    engine: "sqlite",
    clock: clockOf(options.clock),
    read: reading(reader),
    transact: (work, kind, turn) => gate.pass(() => transactions.transact(work, kind, turn)),
    batch: (name, input) => gate.pass(() => writer.send({ ask: "batch", name, input })) as Promise<never>,
    job: (name, input, onPiece) =>
      gate.pass(() => writer.send({ ask: "job", name, input }, onPiece as (piece: unknown) => void)) as Promise<never>,
    snapshot: (work) => readSnapshot(file, options.walLimit ?? WAL_LIMIT, work),
    stamp: () => commits.get(),
    staleStamp: () => commits.get(),
    newsStamp: () => commits.news(),
    // One read transaction, so that it ends however much is written meanwhile.
    backup: async (target) => void reader.prepare("vacuum into ?").run(target),
    listen: async (wake) => openOutboxReader(reader, () => gate.read(() => commits.fresh()), wake, options.onFatal),
    mention: async () => {},
    waits: () => ({ write: transactions.waits() }),
    ping: async () => {
      gate.check();
      gate.read(() => someRow.get());
    },
    away: () => gate.reason,
    onAway: (listener) => gate.onChange(listener),
    async close() {
      gate.stop();
      await transactions.end();
      await writer.close();
      reader.close();
    },
  };
}

function openWriteSide(
  file: string,
  options: ConnectOptions,
  onResponse: () => void,
): { gate: WriteGate; writer: WriterThread } {
  /** A read found damage, and the file has not been checked since. */
  let isDoubted = false;
  const gate = new WriteGate({
    async probe() {
      await writer.probe(isDoubted);
      isDoubted = false;
    },
    diagnose(error) {
      if (isDamage(error)) isDoubted = true;
      return awayReasonOf(error, file);
    },
  });
  const writer = new WriterThread(file, options, { onFailure: (error) => gate.report(error), onResponse });
  return { gate, writer };
}
