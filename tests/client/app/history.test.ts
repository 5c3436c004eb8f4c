// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { browserHistory } from "#client/app/history.ts";

const here = () => `${window.location.pathname}${window.location.search}`;

describe("the history", () => {
  it("has one entry for two taps, and one for each way back", () => {
    const before = window.history.length;
    browserHistory.push("/Lottery?key=a");
    browserHistory.push("/Lottery?key=a");
    expect([here(), window.history.length]).toEqual(["/Lottery?key=a", before + 1]);
    browserHistory.push({ pathname: "/Lottery", search: "?key=b" });
    browserHistory.push({ pathname: "/Lottery", search: "?key=b" });
    browserHistory.push("/Game");
    expect([here(), window.history.length]).toEqual(["/Game", before + 3]);
  });

  it("still lets an entry replace itself, with its state", () => {
    browserHistory.push("/Channel");
    browserHistory.replace("/Channel", { attempt: 1 });
    expect(browserHistory.location.state).toEqual({ attempt: 1 });
  });
});
