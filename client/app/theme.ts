import { readStored, writeStored } from "#client/storage/local-storage.ts";

export const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

export const chosenTheme = (): Theme => THEMES.find((theme) => theme === readStored("theme")) ?? "system";

/** The system's colours, unless the member chose. */
export function showTheme(theme: Theme = chosenTheme()): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  writeStored("theme", theme);
  showTheme(theme);
}
