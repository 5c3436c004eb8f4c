import { noteStatements } from "./note-statements.ts";

// A writer thread that notes its statements. The note is there before anything is prepared.
noteStatements();
await import("#server/writer/sqlite-main.ts");
