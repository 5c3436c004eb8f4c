import { Moon, Sun, SunMoon } from "lucide-react";
import { useLocalStorage } from "#client/storage/use-local-storage.ts";
import { useText } from "#client/text/use-text.ts";
import { chooseTheme, chosenTheme, THEMES } from "#client/app/theme.ts";

const ICONS = { system: SunMoon, light: Sun, dark: Moon } as const;

/** The theme: the system's, light or dark. */
export function ThemeChoice() {
  const text = useText();
  useLocalStorage("theme");
  const chosen = chosenTheme();
  return (
    <fieldset className="mb-4">
      <legend className="mb-2 px-1 text-sm font-semibold text-muted">{text("setting.look")}</legend>
      <div className="grid grid-tiles gap-2 [--columns:3] [--tile:5.25rem]">
        {THEMES.map((theme) => {
          const Icon = ICONS[theme];
          return (
            <label
              key={theme}
              className="relative flex min-h-18 flex-col items-center justify-center gap-1.5 rounded-lg border border-line bg-card px-2 py-3 text-center text-sm has-checked:border-brand-text has-checked:bg-brand-soft has-checked:font-semibold has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand-text"
            >
              <input
                type="radio"
                name="theme"
                value={theme}
                checked={theme === chosen}
                onChange={() => chooseTheme(theme)}
                className="absolute inset-0 size-full cursor-pointer opacity-0"
              />
              <Icon size={22} aria-hidden className="text-brand-text" />
              {text(`setting.${theme}`)}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
