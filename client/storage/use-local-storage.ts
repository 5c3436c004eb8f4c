import { useSyncExternalStore } from "react";
import { onStored, readStored, type StoredName } from "./local-storage.ts";

/** A value in local storage; null when absent. */
export function useLocalStorage(name: StoredName): string | null {
  return useSyncExternalStore(onStored, () => readStored(name));
}

export const useIsMember = (): boolean => useLocalStorage("token") !== null;
