import type { Config } from "#server/config/config.ts";
import { folderStorage } from "./folder.ts";
import { checkBucket, s3Storage } from "./s3.ts";
import { withWebp } from "./webp.ts";
import type { Storage } from "./storage.ts";

type Place = Pick<Config, "filesDir" | "s3">;

/** The configured storage, the same for the server and the operator's commands. */
export const storageOf = ({ s3, filesDir }: Place): Storage => withWebp(s3 ? s3Storage(s3) : folderStorage(filesDir));

/** Throws an Error that an operator understands when it cannot be used. */
export async function checkStorage({ s3 }: Place): Promise<void> {
  if (s3) await checkBucket(s3);
}
