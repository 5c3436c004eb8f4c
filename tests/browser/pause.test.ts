import { describe, expect } from "vitest";
import { fairPauses } from "#shared/contract/fair.ts";
import { lotteryList } from "#shared/contract/lottery.ts";
import { layersInHistory } from "../support/browser.ts";
import { browserTest } from "../support/browser-test.ts";
import { wordsIn } from "../support/words.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";

const test = browserTest();

describe("a pause of a game", () => {
  test("shows on the table as soon as it is announced, in the reader's language, and so does its end", async ({
    come,
    join,
    server,
  }) => {
    const operator = operatorOf(server);
    const member = await join("watcher_1", 100);
    const visitor = await come({ token: member.token!, lang: "ko_kr" });
    await visitor.openTable();
    const { page } = visitor;
    const words = wordsIn("ko_kr");
    const { key } = (await member.must(lotteryList, {}))[0]!;
    await operator("lottery:pause", key, "--reason", '{"en_us": "Repairs", "ko_kr": "점검합니다"}');
    const [pause] = await member.must(fairPauses, { key });
    const line = words.text("round.pausedFrom").replace("{{round}}", pause!.from);
    // All of it is a tap away.
    await page.getByRole("button", { name: line }).click();
    await page.getByRole("dialog").getByText("점검합니다").waitFor();
    expect(await page.getByText("Repairs").count()).toBe(0);
    await layersInHistory(page, 1);
    await page.goBack();
    await page.getByRole("dialog").waitFor({ state: "detached" });

    await operator("lottery:resume", key);
    const [, end] = await member.must(fairPauses, { key });
    // Taken back in the same round, it keeps no round from opening, and nothing is left to say.
    if (end!.from === pause!.from) await page.getByText(line).first().waitFor({ state: "detached" });
    else await page.getByText(words.text("round.opensAgain").replace("{{round}}", end!.from)).first().waitFor();
  });

  test("names the language of a reason that is not in the reader's", async ({ come, join, server }) => {
    const operator = operatorOf(server);
    const member = await join("watcher_2", 100);
    const visitor = await come({ token: member.token!, lang: "th_th" });
    await visitor.openTable();
    const { key } = (await member.must(lotteryList, {}))[0]!;
    await operator("lottery:pause", key, "--reason", '{"ja_ja": "点検します", "ko_kr": "점검합니다"}');
    const reason = visitor.page.getByText("点検します", { exact: true });
    await reason.waitFor();
    expect(await reason.getAttribute("lang")).toBe("ja");
    await visitor.page.getByText("(ญี่ปุ่น)").waitFor();
    await operator("lottery:resume", key);
  });
});
