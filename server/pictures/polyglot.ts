/** Beginnings of what a browser, an interpreter or a reader of documents would run, in any case of letters. */
const RUNNABLE = /<(script|html|body|iframe|!doctype|\?php)|%pdf-\d/i;
/** The end of a ZIP archive, whose comment is nothing or short. Readers look for it from the end. */
const ARCHIVE_END = Buffer.from("PK\u0005\u0006");
const ARCHIVE_END_BYTES = 22;
const LAST_BYTES = 65_557;

/**
 * Whether bytes that may well be a picture are something else besides: a page, a program, a document, an archive.
 * Re-encoding drops it anyway, but its sender wants something else than a picture.
 */
export function isPolyglot(bytes: Uint8Array): boolean {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return RUNNABLE.test(all.toString("latin1")) || isScript(all) || endsAsArchive(all);
}

/** The sizes at the beginning of a GIF or a JPEG, chosen so that a script can follow. */
const isScript = (all: Buffer) => /^(GIF8[79]a(\/\*|=)|\xff\xd8\xff\xe0\/[*/])/.test(all.toString("latin1", 0, 16));

function endsAsArchive(all: Buffer): boolean {
  const from = Math.max(0, all.length - LAST_BYTES);
  const at = all.lastIndexOf(ARCHIVE_END);
  if (at < from || at + ARCHIVE_END_BYTES > all.length) return false;
  return at + ARCHIVE_END_BYTES + all.readUInt16LE(at + ARCHIVE_END_BYTES - 2) === all.length;
}
