import { useState } from "react";
import { readKept, writeKept } from "./tab-storage.ts";

/** Text that stays in this tab while the member is elsewhere in the app, and over a reload. */
export function useKept(name: string): [kept: string, keep: (text: string) => void] {
  const [kept, show] = useState(() => readKept(name));
  const keep = (text: string) => {
    writeKept(name, text);
    show(text);
  };
  return [kept, keep];
}

export const forgetKept = (name: string): void => writeKept(name, "");
