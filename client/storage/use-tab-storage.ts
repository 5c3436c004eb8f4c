import { useState } from "react";
import { readTab, writeTab } from "./tab-storage.ts";

/** Text that stays in this tab while the member is elsewhere in the app, and over a reload. */
export function useTabStorage(name: string): [stored: string, store: (text: string) => void] {
  const [stored, show] = useState(() => readTab(name));
  const write = (text: string) => {
    writeTab(name, text);
    show(text);
  };
  return [stored, write];
}

export const clearTab = (name: string): void => writeTab(name, "");
