// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SaveButton } from "#client/components/SaveButton.tsx";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { savedVideoIds } from "#shared/contract/video.ts";
import { setStage, show } from "../../support/Stage.tsx";

setStage();
beforeEach(() => {
  writeStored("token", "mia-0001");
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ code: 200, msg: "", data: null })));
});
afterEach(() => {
  forgetSession();
  vi.unstubAllGlobals();
});

it("what is saved is added to what is known in each language, and stands for no answer that is missing or to come", async () => {
  const answers = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const [here, old, failed] = ["en_us", "ko_kr", "ru_ru"].map((lang) => [savedVideoIds.path, {}, lang]) as [
    unknown[],
    unknown[],
    unknown[],
  ];
  for (const key of [here, old]) answers.setQueryData(key, ["vid_1"]);
  await answers.invalidateQueries({ queryKey: old, refetchType: "none" });
  await answers.prefetchQuery({ queryKey: failed, queryFn: () => Promise.reject(new Error("no answer")) });
  const { user } = show(
    <QueryClientProvider client={answers}>
      <SaveButton kind="video" id="vid_2" name="A video" />
    </QueryClientProvider>,
  );
  await user.click(screen.getByRole("button"));
  await expect.poll(() => answers.getQueryData(here)).toEqual(["vid_2", "vid_1"]);
  expect(answers.getQueryState(old)).toMatchObject({ data: ["vid_2", "vid_1"], isInvalidated: true });
  expect(answers.getQueryData(failed)).toBeUndefined();
});
