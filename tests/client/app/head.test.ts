// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { watchHead } from "#client/app/head.ts";
import { showLanguage, text } from "#client/text/i18n.ts";

it("the page describes itself in the language on the screen", async () => {
  document.head.innerHTML = '<meta name="description" content="A club">';
  const said = () => document.querySelector('meta[name="description"]')!.getAttribute("content");
  await showLanguage("ko_kr");
  watchHead();
  expect(said()).toMatch(/^[^a-z]*회원제 클럽/);
  await showLanguage("ja_ja");
  expect([said(), document.documentElement.lang]).toEqual([text("home.introMoney"), "ja"]);
  expect(said()).toContain("会員制クラブ");
});
