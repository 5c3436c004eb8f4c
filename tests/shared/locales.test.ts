import { describe, expect, it } from "vitest";
import { localText, localTexts, namedText, namePacked, packText } from "#shared/locales.ts";

const MAP = { en_us: "Repairs", ko_kr: "점검" };

describe("a text by language", () => {
  it("is the reader's, else English, else Vietnamese, else any", () => {
    expect([localText(MAP, "ko_kr"), localText(MAP, "ja_ja")]).toEqual(["점검", "Repairs"]);
    expect(localText({ th_th: "ซ่อม", vn_vn: "Bảo trì" }, "ja_ja")).toBe("Bảo trì");
    expect([localText({ th_th: "ซ่อม" }, "ja_ja"), localText({}, "ja_ja")]).toEqual(["ซ่อม", ""]);
  });

  it("says its language where that is not the reader's, and of one text for all it is not known", () => {
    expect(localTexts({ name: MAP, text: { th_th: "ซ่อม" }, key: "k3" }, "ko_kr")).toEqual({
      name: "점검",
      text: "ซ่อม",
      key: "k3",
      langs: { text: "th" },
    });
    expect(localTexts({ name: MAP, text: "Plain" }, "en_us")).toEqual({ name: "Repairs", text: "Plain" });
  });

  it("that is empty says nothing", () => {
    expect(localTexts({ name: { en_us: "" } }, "ja_ja")).toEqual({ name: "" });
  });

  it("names its language in words of the reader's on a line of its own", () => {
    expect(namePacked(packText(MAP), "ja_ja")).toBe("Repairs (英語)");
    expect([namePacked(packText(MAP), "ko_kr"), namedText("Plain", "ja_ja")]).toEqual(["점검", "Plain"]);
  });
});
