import * as z from "zod/mini";
import { get, type FileEndpoint } from "./endpoint.ts";
import { Hex256 } from "./values.ts";

export const EXPORT_FORMATS = ["json", "csv"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const Format = z.enum(EXPORT_FORMATS, {
  error: (issue) => (issue.input === undefined || issue.input === null ? "required" : "exportFormat"),
});

/**
 * All data that the house stores about the caller, as one file. Its last line holds an Ed25519 signature (hex) of the 32
 * bytes SHA-256(every byte before that line); the key is at `/fair/export-key`. The signature is part of the format: JSON
 * stays JSON, CSV stays CSV, a truncated file is recognised, and no second file is needed.
 * `head -n -1 FILE | sha256sum` gives what was signed; `npm run verify -- export FILE` checks it.
 */
export const dataExport = {
  path: "/member/export",
  access: "session",
  whileLocked: true,
  freshProof: true,
  input: z.object({ format: Format }),
  types: ["application/json", "text/csv"],
  summary: "Download one's own data as a signed file, 10 times an hour: JSON or CSV (UTF-8 with BOM, RFC 4180)",
} as const satisfies FileEndpoint<z.ZodMiniType>;

export const exportKey = get("/fair/export-key", {
  access: "guest",
  input: z.object({}),
  reply: z.object({
    algorithm: z.literal("Ed25519"),
    key: Hex256,
    /** All so far, oldest first, each with the day from which it signed, YYYYMMDD; null for the first. */
    keys: z.array(z.object({ key: Hex256, from: z.nullable(z.string()) })),
  }),
  summary: "The public key, raw and in hex, that exports are signed with, and those before it",
});
