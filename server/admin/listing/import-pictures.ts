import { removePictures, storePicture } from "#server/pictures/store.ts";
import { NoPicture, type Picture } from "#shared/picture.ts";
import { SECOND_MS } from "#shared/time.ts";
import { Refused, type Operator } from "#server/admin/command.ts";
import { faultAt, refuseFaults, type ListingRow } from "./import-file.ts";
import { BadFile, pathWithin, readPlainFile } from "#server/admin/read-file.ts";

const MOST_BYTES = 20 * 1_048_576;
const MOST_PICTURES = 5_000;
const REPORT_EVERY_MS = 2 * SECOND_MS;

/** A picture that a row names, and the path of its file. */
interface Wanted {
  row: number;
  field: string;
  path: string;
}

/** Re-encodes and stores the pictures of all rows. On a failure it removes them again and throws. */
export async function storePictures(operator: Operator, folder: string, rows: ListingRow[]): Promise<Picture[][]> {
  const wanted = await findPictures(folder, rows);
  const stored = rows.map((): Picture[] => []);
  using interrupt = watchInterrupts();
  let reportedAt = operator.clock.now();
  try {
    for (const [done, { row, field, path }] of wanted.entries()) {
      if (interrupt.came) throw new Refused("nothing was imported: the import was interrupted");
      stored[row]!.push(await storeOne(operator, path, (why) => faultAt(row, field, why)));
      if (operator.clock.now() - reportedAt < REPORT_EVERY_MS) continue;
      reportedAt = operator.clock.now();
      process.stderr.write(`${done + 1} of ${wanted.length} pictures\n`);
    }
  } catch (error) {
    await removePictures(operator.storage, stored.flat());
    throw error;
  }
  return stored;
}

async function storeOne(operator: Operator, path: string, fault: (why: string) => string): Promise<Picture> {
  try {
    return await storePicture(operator, await readPlainFile(path, MOST_BYTES));
  } catch (error) {
    if (error instanceof BadFile || error instanceof NoPicture) refuseFaults([fault(error.message)]);
    throw error;
  }
}

/** Finds the file of each picture before any is read. */
async function findPictures(folder: string, rows: ListingRow[]): Promise<Wanted[]> {
  const wanted: Wanted[] = [];
  const faults: string[] = [];
  for (const [row, { pictures }] of rows.entries()) {
    for (const [i, name] of pictures.entries()) {
      const field = `pictures.${i}`;
      try {
        wanted.push({ row, field, path: await pathWithin(folder, name) });
      } catch (error) {
        if (!(error instanceof BadFile)) throw error;
        faults.push(faultAt(row, field, error.message));
      }
    }
  }
  if (wanted.length > MOST_PICTURES) faults.push(`the file: more than ${MOST_PICTURES} pictures`);
  refuseFaults(faults);
  return wanted;
}

/** Notes an interrupt by the operator, so that the import can clean up before it ends. */
function watchInterrupts(): { came: boolean } & Disposable {
  const state = { came: false };
  const note = () => {
    state.came = true;
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, note);
  return {
    get came() {
      return state.came;
    },
    [Symbol.dispose]() {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, note);
    },
  };
}
