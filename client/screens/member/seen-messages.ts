import { onStored, readStored, writeStored } from "#client/storage/local-storage.ts";

/** Members whose last look is remembered on this device. */
const MOST = 20;

/** The newest message that each member has seen here, the one who looked last at the end. */
function readAll(): [memberId: string, messageId: string][] {
  try {
    // Only this app writes here.
    return JSON.parse(readStored("seen") ?? "[]") as [string, string][];
  } catch {
    return [];
  }
}

/** The newest message that a member has seen on this device; null before their first look. */
export const readSeen = (memberId: string): string | null => readAll().find(([id]) => id === memberId)?.[1] ?? null;

export function writeSeen(memberId: string, messageId: string): void {
  if (readSeen(memberId) === messageId) return;
  const others = readAll().filter(([id]) => id !== memberId);
  writeStored("seen", JSON.stringify([...others, [memberId, messageId]].slice(-MOST)));
}

export const onSeen = onStored;
