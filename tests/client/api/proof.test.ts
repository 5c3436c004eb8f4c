import { afterEach, describe, expect, it } from "vitest";
import { bus } from "#client/api/bus.ts";
import { RefusedCall } from "#client/api/call-error.ts";
import { settleSheet, withProof } from "#client/api/proof.ts";

afterEach(() => bus.off("proof"));

const needed = new RefusedCall({ code: 403, msg: "Please confirm", data: { reason: "proof.needed" } });

/** Work that is refused for want of a proof until `prove` was called. */
function guarded() {
  let isProven = false;
  let tries = 0;
  return {
    prove: () => (isProven = true),
    tries: () => tries,
    work: async () => {
      tries++;
      if (!isProven) throw needed;
      return "done";
    },
  };
}

describe("work that needs a proof", () => {
  it("is done again once the member has proved who they are", async () => {
    const { prove, tries, work } = guarded();
    bus.on("proof", ({ resolve }) => {
      prove();
      resolve(true);
    });
    expect(await withProof(work)).toBe("done");
    expect(tries()).toBe(2);
  });

  it("waits for a sheet that comes after the first screen", async () => {
    const { prove, tries, work } = guarded();
    const done = withProof(work);
    await Promise.resolve();
    bus.on("proof", ({ resolve }) => {
      prove();
      resolve(true);
    });
    settleSheet();
    expect(await done).toBe("done");
    expect(tries()).toBe(2);
  });

  it("stays refused when the member closes the sheet, or nothing is there to ask them", async () => {
    const { tries, work } = guarded();
    await expect(withProof(work)).rejects.toBe(needed);
    bus.on("proof", ({ resolve }) => resolve(false));
    await expect(withProof(work)).rejects.toBe(needed);
    expect(tries()).toBe(2);
  });

  it("that is refused for another reason asks for no proof", async () => {
    const other = new RefusedCall({ code: 422, msg: "No", data: { reason: "passcode.wrong" } });
    bus.on("proof", ({ resolve }) => resolve(true));
    await expect(withProof(() => Promise.reject(other))).rejects.toBe(other);
  });
});
