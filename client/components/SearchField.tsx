import { Search } from "lucide-react";
import { useState, type FormEvent } from "react";
import { removeStored, writeStored } from "#client/storage/local-storage.ts";
import { useLocalStorage } from "#client/storage/use-local-storage.ts";
import { useText } from "#client/text/use-text.ts";

const LONGEST = 64;
/** How many of the last searches are offered again. */
const MOST = 5;

interface Props {
  label: string;
  value: string;
  /** Where this device keeps the last searches, until the member logs out. */
  kept: "searched videos" | "searched listings";
  onFind: (words: string) => void;
}

/** A search field; the typed text takes effect on submit. While it is empty and has the focus, it offers the last ones. */
export function SearchField({ label, value, kept, onFind }: Props) {
  const [typed, type] = useState(value);
  const [isFocused, setFocused] = useState(false);
  const recent = useRecent(kept);
  const find = (words: string, event?: FormEvent) => {
    event?.preventDefault();
    type(words);
    if (words) recent.keep(words);
    onFind(words);
  };
  return (
    <form
      role="search"
      onSubmit={(event) => find(typed.trim(), event)}
      onFocus={() => setFocused(true)}
      onBlur={({ currentTarget, relatedTarget }) => setFocused(currentTarget.contains(relatedTarget))}
      className="min-w-0 flex-1"
    >
      <span className="relative block">
        <input
          type="search"
          enterKeyHint="search"
          value={typed}
          maxLength={LONGEST}
          onChange={({ target }) => {
            type(target.value);
            // The field's own clear button removes the filter at once.
            if (target.value === "" && value !== "") onFind("");
          }}
          aria-label={label}
          placeholder={label}
          className="min-h-12 w-full rounded-md border border-edge bg-card ps-3.5 pe-12 text-base placeholder:text-muted"
        />
        <Submit />
      </span>
      {isFocused && typed === "" && <Recent {...recent} onFind={find} />}
    </form>
  );
}

function Submit() {
  const text = useText();
  return (
    <button
      type="submit"
      aria-label={text("listing.find")}
      className="absolute inset-y-0 end-0 grid w-11 place-items-center text-brand-text"
    >
      <Search size={18} aria-hidden />
    </button>
  );
}

interface RecentProps extends Pick<ReturnType<typeof useRecent>, "words" | "forget"> {
  onFind: (words: string) => void;
}

function Recent({ words: recent, forget, onFind }: RecentProps) {
  const text = useText();
  if (recent.length === 0) return null;
  return (
    <ul
      aria-label={text("search.recent")}
      className="flex flex-wrap gap-2 pt-2"
      // A tap must not take the focus before it chooses.
      onPointerDown={(event) => event.preventDefault()}
    >
      {recent.map((words) => (
        <li key={words} className="min-w-0">
          <Chip label={words} onPress={() => onFind(words)} />
        </li>
      ))}
      <li>
        <Chip label={text("search.forget")} isQuiet onPress={forget} />
      </li>
    </ul>
  );
}

function Chip({ label, isQuiet = false, onPress }: { label: string; isQuiet?: boolean; onPress: () => void }) {
  return (
    <button
      type="button"
      onClick={onPress}
      className={`min-h-11 max-w-full truncate px-3 text-sm ${isQuiet ? "text-muted underline underline-offset-4" : "rounded-full border border-edge bg-card"}`}
    >
      {label}
    </button>
  );
}

function useRecent(kept: Props["kept"]) {
  const words = wordsIn(useLocalStorage(kept));
  return {
    words,
    keep: (one: string) =>
      writeStored(kept, JSON.stringify([one, ...words.filter((other) => other !== one)].slice(0, MOST))),
    forget: () => removeStored(kept),
  };
}

/** The kept searches; none where something else wrote there. */
function wordsIn(stored: string | null): string[] {
  try {
    const words: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(words) ? words.filter((one) => typeof one === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}
