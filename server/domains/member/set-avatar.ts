import { eq } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
import { members } from "#db/schema/member.ts";
import type { Deps } from "#server/deps.ts";
import { Refusal } from "#shared/refusal.ts";

/** Gives a member one of the stock avatars. Any other picture is not theirs. */
export async function setAvatar(
  tx: Tx,
  { settings }: Pick<Deps, "settings">,
  memberId: number,
  avatar: string,
): Promise<void> {
  const [, number] = /^avatar\/([1-9]\d{0,3})$/.exec(avatar) ?? [];
  if (number === undefined) throw new Refusal("picture.foreign");
  if (Number(number) > settings.get<number>("head_toal")) throw new Refusal("object.unknown");
  await tx.update(members).set({ avatar }).where(eq(members.id, memberId));
}
