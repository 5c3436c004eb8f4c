import { chooseDialect } from "#db/dialect.ts";
import { readConfig } from "#server/config/config.ts";

/*
 * One server of a site, in a process of its own. The clock and all loops are driven by whoever started it.
 */
const config = readConfig(process.env, []);
chooseDialect(config.database);
const { openHouse } = await import("./open-house.ts");
const methods: Record<string, (...input: never[]) => unknown> = await openHouse(config, Number(process.env.NOW));

process.on("message", ({ id, name, input }: { id: number; name: string; input: never[] }) => {
  Promise.resolve()
    .then(() => methods[name]!(...input))
    .then(
      (answer) => process.send!({ id, answer }),
      (error: Error) => process.send!({ id, failure: error.stack }),
    );
});
process.on("disconnect", () => process.exit());
process.send!({ id: 0, answer: null });
