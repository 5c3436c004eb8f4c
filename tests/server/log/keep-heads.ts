import { KeptHead } from "#server/domains/log/kept-head.ts";

/* Keeps the heads that it is sent, until it is killed. */
process.once("message", async ({ path, notes }: { path: string; notes: string[] }) => {
  const kept = new KeptHead(path);
  process.send!("begun");
  for (const note of notes) await kept.keep(note);
});
