import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readMember } from "#server/domains/account/find-member.ts";
import { lock, set } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  mia = await w.player("mia_1");
});
afterEach(() => w.close());

const user = async () => (await mia.call("/member/getUserInfo")).data;
const stored = () => readMember(w.deps.db.read, mia.memberId);
const setName = (name: string, method: "GET" | "POST" = "POST") => mia.call("/member/setName", { name }, { method });

describe("a real name", () => {
  it.each(["GET", "POST"] as const)("is set by %s and shown to its member", async (method) => {
    expect(await setName("Mia Trần", method)).toMatchObject({ code: 200, data: null });
    expect((await user()).name).toBe("Mia Trần");
  });

  it("is stored in one spelling, trimmed", async () => {
    await setName(" \u3000Mia Tra\u0302\u0300n\n".replace("\n", " "));
    expect((await stored()).realName).toBe("Mia Tr\u1ea7n");
  });

  it("is set once", async () => {
    await setName("Mia");
    expect(await setName("Eva")).toMatchObject({ status: 200, code: 409, data: { reason: "name.set" } });
    expect(await setName("Mia")).toMatchObject({ code: 409 });
    expect((await stored()).realName).toBe("Mia");
  });

  it("is one of those that came at once", async () => {
    const names = ["Mia", "Eva", "Ann", "Zoe", "Kim"];
    const replies = await Promise.all(names.map((name) => setName(name)));
    expect(replies.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
    expect((await stored()).realName).toBe(names[replies.findIndex(({ code }) => code === 200)]);
  });

  it("is counted in characters: sixty-four of any script, and no more", async () => {
    expect((await setName("𝒜".repeat(65))).code).toBe(400);
    expect((await setName("𝒜".repeat(64))).code).toBe(200);
  });

  it.each(["김 미아", "ミア・トラン", "Мия О’Нил", "Mia-Łucja d'Étang", "มีอา ตรัน"])("may be %s", async (name) => {
    expect((await setName(name)).code).toBe(200);
    expect((await user()).name).toBe(name.normalize("NFC"));
  });

  it("leaves no trace when it is refused", async () => {
    const before = await stored();
    for (const name of ["", "  ", "a\u0000b", "a\u202eb", "a\u200db", "\ufeff", "\u115f"]) {
      expect((await setName(name)).data).toHaveProperty("fields.name");
    }
    expect(await stored()).toEqual(before);
  });
});

describe("a member's sex", () => {
  it("is what they last said, or not said", async () => {
    expect((await user()).sex).toBe("0");
    for (const sex of ["2", "1", "0"]) {
      expect((await mia.call("/member/setSex", { sex })).code).toBe(200);
      expect((await user()).sex).toBe(sex);
    }
  });

  it("refuses any other value", async () => {
    expect((await mia.call("/member/setSex", { sex: "3" })).data).toHaveProperty("fields.sex");
    expect((await stored()).sex).toBe("0");
  });
});

describe("a member's picture", () => {
  const choose = (header_img: string) => mia.call("/member/uploadHeaderImg", { header_img });

  it("is one of the stock avatars", async () => {
    for (const avatar of ["avatar/1", "avatar/20"]) {
      expect(await choose(avatar)).toMatchObject({ code: 200, data: null });
      expect((await user()).header_img).toBe(avatar);
    }
  });

  it("cannot be an unknown avatar", async () => {
    const before = await stored();
    expect(await choose("avatar/21")).toMatchObject({ code: 404, data: { reason: "object.unknown" } });
    await set(w, "head_toal", "5");
    expect((await choose("avatar/6")).code).toBe(404);
    expect(await stored()).toEqual(before);
  });

  it.each(["/uploads/somebody.webp", "https://example.com/a.png", "avatar/0", "avatar/01", "avatar/1/..", "x"])(
    "cannot be %s, which is not theirs",
    async (path) => {
      const before = await stored();
      expect(await choose(path)).toMatchObject({ code: 403, data: { reason: "picture.foreign" } });
      expect(await stored()).toEqual(before);
    },
  );

  it("cannot be chosen while the member is locked, nor can a name", async () => {
    await lock(w, mia.memberId, true);
    expect(await choose("avatar/3")).toMatchObject({ code: 403, data: { reason: "member.locked" } });
    expect((await setName("Mia")).code).toBe(403);
  });
});
