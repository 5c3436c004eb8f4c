import type { NewGame } from "#server/domains/lottery/add-game.ts";
import { browserTest } from "./browser-test.ts";
import { fillCatalogue } from "./catalogue.ts";
import { Client } from "./client.ts";
import { importVideos } from "./import-videos.ts";
import { offerPrizes } from "./prizes.ts";
import { TEN_SECONDS } from "./server-process.ts";

/** A site with something on every screen, further games among them, and `token`: the session of a member who looks at it. */
export const lookerTest = (...others: NewGame[]) =>
  browserTest({
    furnish: async (server) => {
      await offerPrizes(server);
      await fillCatalogue(server, { seoul: 1, hanoi: 3 });
      await importVideos(server, { size: "160x90", seconds: 20 });
    },
    games: [TEN_SECONDS, ...others],
  }).extend("token", { scope: "file" }, async ({ server }) => {
    const member = await new Client(server.address).register("looker");
    await member.topUp(1_000);
    return member.token!;
  });
