import { KeptHead } from "#server/domains/log/kept-head.ts";
import { noteAt } from "./note-at.ts";

/* Keeps one head after another in a file, until it is killed. */
const [path] = process.argv.slice(2);
const kept = new KeptHead(path!);
process.stdout.write("begun\n");
for (let size = 2; ; size++) await kept.keep(noteAt(size));
