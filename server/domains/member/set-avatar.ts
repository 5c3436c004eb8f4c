import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members } from "#db/schema/member.ts";
import { uploads } from "#db/schema/upload.ts";
import type { Deps } from "#server/app/deps.ts";
import { Refusal } from "#shared/refusal.ts";

/** Sets a stock avatar or the member's own upload. Any other picture is refused. */
export async function setAvatar(
  tx: Tx,
  { settings }: Pick<Deps, "settings">,
  memberId: number,
  avatar: string,
): Promise<void> {
  const [, number] = /^avatar\/([1-9]\d{0,3})$/.exec(avatar) ?? [];
  if (number === undefined) await checkOwn(tx, memberId, avatar);
  else if (Number(number) > settings.get<number>("head_toal")) throw new Refusal("object.unknown");
  await tx.update(members).set({ avatar }).where(eq(members.id, memberId));
}

async function checkOwn(tx: Tx, memberId: number, path: string): Promise<void> {
  if (!/^\/files\/uploads\/[0-9a-f]{32}\.webp$/.test(path)) throw new Refusal("picture.foreign");
  const [upload] = await tx.select().from(uploads).where(eq(uploads.path, path));
  if (!upload) throw new Refusal("object.unknown");
  if (upload.memberId !== memberId) throw new Refusal("picture.foreign");
}
