import { onStored, readStored, writeStored } from "#client/storage/local-storage.ts";

/** The number of members whose last seen message this device stores. */
const MOST = 20;

/** The newest message each member has seen on this device, most recent reader last. */
function readAll(): [memberId: string, messageId: string][] {
  try {
    // Only this app writes this entry.
    return JSON.parse(readStored("seen") ?? "[]") as [string, string][];
  } catch {
    return [];
  }
}

/** The newest message a member has seen on this device; null before their first visit. */
export const readSeen = (memberId: string): string | null => readAll().find(([id]) => id === memberId)?.[1] ?? null;

export function writeSeen(memberId: string, messageId: string): void {
  if (readSeen(memberId) === messageId) return;
  const others = readAll().filter(([id]) => id !== memberId);
  writeStored("seen", JSON.stringify([...others, [memberId, messageId]].slice(-MOST)));
}

export const onSeen = onStored;
