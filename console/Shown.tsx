import type { MadeFile } from "#shared/console.ts";
import { FALLBACK_LOCALE, localText } from "#shared/locales.ts";
import { plain, type Done } from "./api.ts";
import { accountStatus, COLUMNS, isByLanguage, shownOf } from "./columns.ts";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isNothing = (value: unknown) => value === null || value === undefined || value === "";
const isTime = (name: string, value: unknown) =>
  typeof value === "number" && /(^|_)(time|until|created|used|since|at|expires)$/.test(name);

const Time = ({ ms }: { ms: number }) => <time>{new Date(ms).toLocaleString("en-GB")}</time>;

/** A value of a command's JSON, as people read it. Seconds since the epoch become a time. */
function Value({ name, value }: { name: string; value: unknown }) {
  if (isTime(name, value) && value === 0) return <>–</>;
  if (isTime(name, value)) return <Time ms={(value as number) * 1_000} />;
  if (name === "publishedAt" && typeof value === "number") return <Time ms={value} />;
  if (name === "durationMs" && typeof value === "number") return <>{`${Math.round(value / 1_000)} s`}</>;
  if (name === "status") return <>{accountStatus(value)}</>;
  if (typeof value === "boolean") return <>{value ? "yes" : "no"}</>;
  if (isNothing(value)) return <>–</>;
  if (isRecord(value) && isByLanguage(value)) return <>{localText(value, FALLBACK_LOCALE)}</>;
  if (typeof value === "object") return <Json value={value} />;
  return <>{plain(value)}</>;
}

/** A command's JSON: rows as a table, fields as a list. */
export function Json({ value }: { value: unknown }) {
  if (Array.isArray(value)) {
    const rows = value as unknown[];
    if (rows.length === 0) return <>–</>;
    return rows.every(isRecord) ? <Table rows={rows} /> : <>{rows.join(", ")}</>;
  }
  if (!isRecord(value)) return <>{plain(value)}</>;
  return (
    <dl>
      {shownOf(value).map((name) => (
        <div key={name}>
          <dt>{COLUMNS[name] ?? name}</dt>
          <dd>
            <Value name={name} value={value[name]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function Table({ rows }: { rows: Record<string, unknown>[] }) {
  const names = shownOf(rows[0] ?? {}).filter((name) => rows.some((row) => !isNothing(row[name])));
  return (
    <div className="wide" role="region" aria-label="Rows" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {COLUMNS[name] ?? name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {names.map((name) => (
                <td key={name}>
                  <Value name={name} value={row[name]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What a command printed, and the files that it made. */
export function Outcome({ done, files }: Done) {
  const isTable = Array.isArray(done.json) && done.json.length > 0;
  return (
    <div role="status" className={done.bad ? "bad" : "done"}>
      {isTable ? <Json value={done.json} /> : <pre>{done.text}</pre>}
      <MadeFiles files={files} />
    </div>
  );
}

export function MadeFiles({ files }: { files: MadeFile[] }) {
  return files.map(({ id, name }) => (
    <p key={id}>
      {name.endsWith(".webp") ? (
        <img src={`/api/files/${id}`} alt={name} />
      ) : (
        <a href={`/api/files/${id}`} download={name}>
          {name}
        </a>
      )}
    </p>
  ));
}
