import { hasSound, hasVibration } from "#client/app/cues.ts";
import { writeStored } from "#client/storage/local-storage.ts";
import { useLocalStorage } from "#client/storage/use-local-storage.ts";
import { useText } from "#client/text/use-text.ts";

/** Sound and vibration at the table, on this device. Vibration is offered where the device has it. */
export function CueChoice() {
  const text = useText();
  useLocalStorage("sound");
  useLocalStorage("vibration");
  const choices = [
    { name: "sound", isOn: hasSound() },
    ...("vibrate" in navigator ? [{ name: "vibration", isOn: hasVibration() } as const] : []),
  ] as const;
  return (
    <fieldset className="mb-4">
      <legend className="mb-2 px-1 text-sm font-semibold text-muted">{text("setting.atTable")}</legend>
      <div className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-card">
        {choices.map(({ name, isOn }) => (
          <label key={name} className="flex min-h-13 items-center gap-3 px-4 py-2 text-base">
            <span className="min-w-0 flex-1 wrap-anywhere">{text(`setting.${name}`)}</span>
            <input
              type="checkbox"
              checked={isOn}
              onChange={() => writeStored(name, isOn ? "off" : "on")}
              className="size-5 shrink-0 accent-brand-deep"
            />
          </label>
        ))}
      </div>
      <p className="mt-2 px-1 text-xs text-muted">{text("setting.atTableHint")}</p>
    </fieldset>
  );
}
