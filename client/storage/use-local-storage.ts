import { useSyncExternalStore } from "react";
import { onStored, readStored, type StoredName } from "./local-storage.ts";

/** What the device keeps under a name; null when there is nothing. */
export function useLocalStorage(name: StoredName): string | null {
  return useSyncExternalStore(onStored, () => readStored(name));
}

export const useIsMember = (): boolean => useLocalStorage("token") !== null;
