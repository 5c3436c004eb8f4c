import { useId, useState, type ChangeEvent } from "react";
import type { LabelledField, Offered } from "#shared/console.ts";
import { give, type Done } from "./api.ts";
import { FileField } from "./FileField.tsx";
import { LocalField } from "./LocalField.tsx";
import { Preview } from "./Preview.tsx";
import { Outcome } from "./Shown.tsx";
import { useWork } from "./use-work.ts";

interface Props {
  command: Offered;
  /** Fields that are known already. */
  known?: Record<string, string>;
  onDone?: () => void;
}

const isForFile = ({ kind }: LabelledField): boolean => kind === "file" || kind === "captions";

/** The words by where they go. What is left empty is not said, unless it has to be. */
function sortWords({ fields }: Offered, words: Record<string, string>) {
  const part = (isOption: boolean) =>
    Object.fromEntries(
      fields
        .filter((field) => field.isOption === isOption && (field.isRequired || (words[field.name] ?? "") !== ""))
        .map(({ name }) => [name, words[name] ?? ""]),
    );
  return { args: part(false), options: part(true) };
}

/** Gives a command with the words of its form. */
function useGiving({ command, known = {}, onDone }: Props) {
  const [words, setWords] = useState<Record<string, string>>(known);
  const [files, setFiles] = useState<Record<string, File | null>>({});
  const [asks, setAsks] = useState<string | null>(null);
  const [secret, setSecret] = useState("");
  const [outcome, setOutcome] = useState<Done | null>(null);
  /** How often it was given. */
  const [given, setGiven] = useState(0);
  const { isBusy, failure, submits } = useWork();
  const fileFields = command.fields.filter(isForFile);
  const run = async () => {
    setOutcome(null);
    const sent = { ...sortWords(command, words), ...(secret !== "" && { secret }) };
    const answer = await give(command.name, sent);
    if ("asks" in answer) return setAsks(answer.asks);
    setOutcome(answer);
    setAsks(null);
    setSecret("");
    // A file is taken once.
    setWords((before) => ({ ...before, ...Object.fromEntries(fileFields.map(({ name }) => [name, ""])) }));
    setFiles({});
    setGiven(given + 1);
    onDone?.();
  };
  const onSubmit = submits(run);
  return { words, setWords, files, setFiles, asks, secret, setSecret, outcome, given, failure, isBusy, onSubmit };
}

/** A command as a form, made from its definition. */
export function CommandForm(props: Props) {
  const { command, known = {} } = props;
  const { words, setWords, files, setFiles, asks, secret, setSecret, outcome, given, failure, isBusy, onSubmit } =
    useGiving(props);
  const label = command.reads ? "Show" : command.hurts ? "Do it, with your passkey" : "Do it";
  return (
    <form onSubmit={onSubmit} aria-label={command.name}>
      <About command={command} />
      {command.fields
        .filter(({ name }) => known[name] === undefined)
        .map((field) => (
          <FieldInput
            key={isForFile(field) ? `${field.name} ${given}` : field.name}
            field={field}
            value={words[field.name] ?? ""}
            onValue={(value) => setWords((before) => ({ ...before, [field.name]: value }))}
            onChosen={(file) => setFiles((before) => ({ ...before, [field.name]: file }))}
          />
        ))}
      <Preview command={command.name} words={words} files={files} />
      {asks !== null && (
        <label>
          {asks}
          <input
            type="password"
            autoComplete="off"
            required
            value={secret}
            onChange={(e) => setSecret(e.target.value)}
          />
        </label>
      )}
      <button type="submit" className={command.reads ? undefined : "first"} aria-disabled={isBusy}>
        {isBusy ? "Working…" : label}
      </button>
      {failure !== "" && <p role="alert">{failure}</p>}
      {outcome && <Outcome {...outcome} />}
    </form>
  );
}

const About = ({ command: { does, more } }: Pick<Props, "command">) => (
  <>
    <p className="does">{does}.</p>
    {more !== "" && (
      <details>
        <summary>More</summary>
        <pre>{more}</pre>
      </details>
    )}
  </>
);

interface InputProps {
  field: LabelledField;
  value: string;
  onValue: (value: string) => void;
  onChosen: (file: File | null) => void;
}

function FieldInput(props: InputProps) {
  const id = useId();
  const { label, isRequired, kind, least, most } = props.field;
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {!isRequired && <small> (if you like)</small>}
        {kind === "number" && <small>{` (${least} to ${most})`}</small>}
        {kind === "captions" && <small> files named by their language: vn_vn.vtt</small>}
      </label>
      <Control {...props} id={id} />
    </div>
  );
}

/** The control that fits what a field takes. */
function Control({ id, field, value, onValue, onChosen }: InputProps & { id: string }) {
  const { isRequired, kind, least, most } = field;
  const common = { id, required: isRequired, value };
  const byLanguage = kind === "captions";
  if (isForFile(field)) return <FileField {...{ id, isRequired, byLanguage, onChosen }} onFile={onValue} />;
  if (kind === "local") return <LocalField {...{ id, isRequired, value, onValue }} />;
  const onChange = ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onValue(target.value);
  if (kind === "text") return <textarea {...common} rows={3} onChange={onChange} />;
  if (kind === "number") return <input {...common} type="number" min={least} max={most} step={1} onChange={onChange} />;
  if (kind !== "choice" && kind !== "folder")
    return <input {...common} type="text" autoComplete="off" onChange={onChange} />;
  return (
    <input
      id={id}
      type="checkbox"
      checked={value !== ""}
      onChange={({ target }) => onValue(target.checked ? (field.value ?? "1") : "")}
    />
  );
}
