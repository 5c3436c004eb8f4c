import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { set } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { register } from "./people.ts";

let w: World;
let mia: Player;

beforeAll(async () => {
  w = await world();
  mia = await w.player("mia_1");
});
afterAll(() => w.close());

const make = (player = mia) => player.call("/member/invites", {});
const own = async (player = mia) => (await player.call("/member/invites")).data;

describe("a member's own invites", () => {
  it("are made only where the operator allows it", async () => {
    const msg = w.deps.text("vn_vn", "refusal.feature.invites");
    expect(await make()).toMatchObject({ msg, data: { reason: "feature.off" } });
    expect(await own()).toEqual({ most: 0, list: [] });
  });

  it("let one person in each, and say only whether they were used", async () => {
    await set(w, "member_invites", "2");
    const { code } = (await make()).data;
    expect(code).toMatch(/^[0-9A-Z]{12}$/);
    w.pass(1_000);
    const { code: next } = (await make()).data;
    expect((await register(w, "guest_1", { code: code.toLowerCase() })).code).toBe(200);
    expect((await register(w, "guest_2", { code })).data).toMatchObject({ fields: { code: expect.any(String) } });
    expect(await own()).toEqual({
      most: 2,
      list: [
        { code: next, used: 0, create_time: expect.any(Number) },
        { code, used: 1, create_time: expect.any(Number) },
      ],
    });
  });

  it("are no more than allowed, used ones counted, also when asked for at once", async () => {
    expect((await make()).data).toEqual({ reason: "invite.spent" });
    const nora = await w.player("nora_1");
    const answers = await Promise.all([1, 2, 3, 4].map(() => make(nora)));
    expect(answers.map(({ code }) => code).sort((a, b) => a - b)).toEqual([200, 200, 422, 422]);
    expect((await own(nora)).list).toHaveLength(2);
  });

  it("are nobody else's to see, and stay valid when no more may be made", async () => {
    const olga = await w.player("olga_1");
    expect((await own(olga)).list).toEqual([]);
    const { code } = (await make(olga)).data;
    await set(w, "member_invites", "0");
    expect((await make(olga)).data).toEqual({ reason: "feature.off" });
    expect((await register(w, "guest_3", { code })).code).toBe(200);
  });
});
