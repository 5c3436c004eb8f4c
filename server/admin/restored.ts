import { eq } from "drizzle-orm";
import { meta } from "#db/schema/site.ts";
import type { Command } from "./command.ts";

export const restored: Command = {
  usage: "",
  does: "Says that this database has just been restored: clients fetch everything anew. Before the servers start again",
  async run({ db, random }) {
    const epoch = Buffer.from(random(8)).toString("hex");
    await db.transact((tx) => tx.update(meta).set({ value: epoch }).where(eq(meta.name, "epoch")));
    return { text: `Epoch ${epoch}. Start the servers.`, json: { ok: true, epoch } };
  },
};
