import type { ExportFormat } from "#shared/contract/export.ts";

/** The fields of a row, in the order of the CSV columns. Missing values are empty. */
export const COLUMNS = [
  "id",
  "time",
  "kind",
  "text",
  "amount",
  "balance",
  "version",
  "status",
  "until",
  "game",
  "round",
  "options",
  "odds",
  "stake",
  "dice",
  "win",
  "proof",
] as const;

/** Amounts are decimals and times ISO 8601 in UTC, so everything is text, or a list of texts. */
export type Row = Partial<Record<(typeof COLUMNS)[number], string | string[]>>;

/** A signature as it stands in the file's last line. Key and value in hex. */
export interface Signature {
  algorithm: "Ed25519";
  key: string;
  value: string;
}

/** Writes the file piece by piece: head, then for each section begin, rows and end, then the line of the signature. */
export interface Writer {
  type: string;
  head(): string;
  begin(section: string): string;
  rows(section: string, rows: readonly Row[]): string;
  end(): string;
  signature(signature: Signature): string;
}

/** Each section is a list of objects, one a line. Empty fields are left out. */
function jsonWriter(): Writer {
  let isFirst = true;
  return {
    type: "application/json; charset=utf-8",
    head: () => "{\n",
    begin(section) {
      isFirst = true;
      return `${JSON.stringify(section)}:[`;
    },
    rows: (_section, rows) => rows.map((row) => `${comma()}\n${JSON.stringify(row)}`).join(""),
    end: () => "\n],\n",
    signature: (signature) => `"signature":${JSON.stringify(signature)}}\n`,
  };

  function comma(): string {
    const before = isFirst ? "" : ",";
    isFirst = false;
    return before;
  }
}

const BOM = "\uFEFF";
const LINE_END = "\r\n";

/**
 * RFC 4180, one table for all sections, with a byte order mark: without it spreadsheets take UTF-8 for something else.
 */
function csvWriter(): Writer {
  const line = (section: string, row: Row) =>
    [section, ...COLUMNS.map((column) => cell(row[column]))].join(",") + LINE_END;
  return {
    type: "text/csv; charset=utf-8; header=present",
    head: () => `${BOM}section,${COLUMNS.join(",")}${LINE_END}`,
    begin: () => "",
    rows: (section, rows) => rows.map((row) => line(section, row)).join(""),
    end: () => "",
    signature: ({ algorithm, key, value }) => line("signature", { id: key, kind: algorithm, text: value }),
  };
}

/**
 * One cell. What a spreadsheet would run as a formula gets an apostrophe before it (OWASP, CSV injection); a plain
 * negative number is none.
 */
function cell(value: string | string[] | undefined): string {
  const text = Array.isArray(value) ? value.join(" ") : (value ?? "");
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-\d+(\.\d+)?$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const writerOf = (format: ExportFormat): Writer => (format === "csv" ? csvWriter() : jsonWriter());
