import { bytesToHex } from "@noble/hashes/utils.js";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { parseNote } from "#shared/log/note.ts";
import { House } from "./house.ts";

/** The same house after a loss: its next log says that it continues the one before. */
export function restored(house: House, more: Partial<Leaf<"restore">> = {}, days = house.days): House {
  const { text } = parseNote(house.note())!;
  const root = bytesToHex(parseCheckpoint(text)!.root);
  const number = house.origins.length + 1;
  const loss = { kind: "restore", number, reason: "the disk broke", old: text, kept_root: root, at: 5 } as const;
  const next = new House(`next ${number}`, { ...loss, kept: house.size, ...more }, 1, days);
  next.origins = [...house.origins, next.originReply()];
  return next;
}
