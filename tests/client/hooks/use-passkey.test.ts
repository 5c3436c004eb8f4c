// @vitest-environment happy-dom
import { act, cleanup } from "@testing-library/react";
import { expect, it } from "vitest";
import { LostCall, RefusedCall } from "#client/api/call-error.ts";
import { usePasskey } from "#client/hooks/use-passkey.ts";
import { setStage, stand } from "../../support/Stage.tsx";

setStage();

const lost = () => Promise.reject(new LostCall("no answer"));
const refused = (code: number) => () => Promise.reject(new RefusedCall({ code, msg: "No", data: null }));
const taken = () => Promise.resolve();

/** The passkey's answers that were sent, one for each of these outcomes; each that is asked for is a new one. */
async function sentWith(...outcomes: (() => Promise<void>)[]) {
  const sent: string[] = [];
  let asked = 0;
  const hook = stand(
    () =>
      usePasskey<string>({
        ask: () => Promise.resolve(`answer-${++asked}`),
        send: (_, passkey) => outcomes[sent.push(passkey) - 1]!(),
      }),
    ["/Withdraw"],
  );
  for (const _ of outcomes) await act(() => hook.current.begin("100"));
  return sent;
}

it("an answer whose outcome is unknown is sent again, also past the limit on requests", async () => {
  expect(await sentWith(lost, refused(429), taken)).toEqual(["answer-1", "answer-1", "answer-1"]);
});

it("an answer that was refused is not sent again", async () => {
  expect(await sentWith(refused(422), refused(429), taken)).toEqual(["answer-1", "answer-2", "answer-3"]);
});

it("an answer that was taken is not sent again", async () => {
  expect(await sentWith(lost, taken, taken)).toEqual(["answer-1", "answer-1", "answer-2"]);
});

it("a withdrawal whose outcome is unknown is the same one after the member left the screen and came back", async () => {
  const sent: string[] = [];
  let asked = 0;
  const come = () =>
    stand(
      () =>
        usePasskey<string>({
          once: "withdraw",
          ask: () => Promise.resolve(`answer-${++asked}`),
          send: (_, passkey) => (sent.push(passkey) === 1 ? lost() : taken()),
        }),
      ["/Withdraw"],
    );
  const first = come();
  await act(() => first.current.begin("100"));
  cleanup();
  const second = come();
  await act(() => second.current.begin("100"));
  await act(() => second.current.begin("100"));
  expect(sent).toEqual(["answer-1", "answer-1", "answer-2"]);
});
