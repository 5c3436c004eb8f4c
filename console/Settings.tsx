import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { give, look, plain } from "./api.ts";
import { LocalField } from "./LocalField.tsx";
import { SettingPreview } from "./Preview.tsx";
import { useWork } from "./use-work.ts";

interface Setting {
  name: string;
  value: unknown;
  default: boolean;
  /** One text for all, or one for each language. */
  local: boolean;
  meaning: string;
}

export function Settings() {
  const { data = [], error } = useQuery({
    queryKey: ["settings"],
    queryFn: async () => (await look<Setting[]>("setting:list")).json,
  });
  return (
    <>
      {error && <p role="alert">{error.message}</p>}
      {data.map((setting) => (
        <SettingForm key={setting.name} setting={setting} />
      ))}
    </>
  );
}

/** As `setting:set` takes it. */
const typed = (value: unknown): string => (Array.isArray(value) ? value.join(",") : plain(value));

/** Saves a setting, once at a time. `onSaved` comes when the list has the new value. */
function useSaving(name: string, text: string, onSaved: () => void) {
  const client = useQueryClient();
  const { isBusy, failure, submits } = useWork();
  const save = async () => {
    const isSecret = name.endsWith("_secret") && text !== "";
    const args = { NAME: name, VALUE: isSecret ? "-" : text };
    await give("setting:set", { args, ...(isSecret && { secret: text }) });
    await client.invalidateQueries({ queryKey: ["settings"] });
    onSaved();
  };
  return { failure, isBusy, onSubmit: submits(save) };
}

function SettingForm({ setting: { name, value, default: isDefault, local, meaning } }: { setting: Setting }) {
  const id = useId();
  const stored = typed(value);
  /** Null where nobody has typed since the last save. */
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? stored;
  const { failure, isBusy, onSubmit } = useSaving(name, text, () => {
    // The button goes away, and would take the focus with it.
    document.getElementById(id)?.focus();
    setDraft(null);
  });
  return (
    <form className="setting" aria-label={name} onSubmit={onSubmit}>
      <label htmlFor={id}>
        <b>{name}</b> <small>{isDefault ? "as it comes" : "set"}</small>
        <span className="does">{meaning}</span>
      </label>
      {local ? (
        <LocalField id={id} isRequired={false} value={text} onValue={setDraft} />
      ) : (
        <textarea id={id} rows={1} value={text} onChange={({ target }) => setDraft(target.value)} />
      )}
      {local && text !== stored && <SettingPreview value={text} />}
      {text !== stored && (
        <button type="submit" className="first" aria-disabled={isBusy}>
          Save, with your passkey
        </button>
      )}
      {failure !== "" && <p role="alert">{failure}</p>}
    </form>
  );
}
