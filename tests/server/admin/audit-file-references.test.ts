import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Tx } from "#db/db.ts";
import * as t from "#db/schema/index.ts";
import { addressed, filesIn, type FileReference } from "#server/admin/audit/file-addresses.ts";
import { fileReferences } from "#server/admin/audit/file-references.ts";
import { ENGINE } from "../../support/databases.ts";
import { add, addMany, emptyRows, listed, MANY, person, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

const referencesIn = (write: (tx: Tx) => Promise<unknown>) =>
  rows.during(write, async (tx) => {
    const references: FileReference[] = [];
    for await (const one of fileReferences(tx)) references.push(one);
    return references;
  });

const picture = (name: string) => `/files/pictures/${name}.webp`;
const shown = (name: string, ...widths: number[]) => ({ name: `/files/pictures/${name}`, widths, ratio: 1, blur: "" });
const listing = (id: number, pictures: ReturnType<typeof shown>[]) => listed(id, { pictures });
const film = (id: number, more: Partial<typeof t.videos.$inferInsert> = {}): typeof t.videos.$inferInsert => ({
  id,
  source: `${id}`,
  categoryId: 1,
  title: {},
  durationMs: 1,
  publishedAt: 1,
  folder: `videos/${id}`,
  renditions: [],
  captions: [],
  ...more,
});

describe("the files that rows refer to", () => {
  it("are none in an empty database", async () => {
    expect(await referencesIn(async () => {})).toEqual([]);
  });

  it("are the avatars of members, and what else they uploaded", async () => {
    const [worn, other] = ["/files/uploads/one.webp", "/files/uploads/two.webp"] as const;
    const references = await referencesIn(async (tx) => {
      const avatars = [worn, "avatar/1", "/elsewhere/files/x.webp", other];
      await add(tx, t.members, ...avatars.map((avatar, i) => person(i + 1, { avatar })));
      const paths = [
        [1, worn],
        [1, "/files/uploads/three.webp"],
        [2, other],
        [9, "/files/uploads/four.webp"],
      ] as const;
      await add(tx, t.uploads, ...paths.map(([memberId, path]) => ({ memberId, path, createdAt: 1 })));
    });
    const avatar = (name: string, file: string) => ({
      of: `the avatar of member ${name}`,
      files: [file],
      mend: "ask the member to choose another",
    });
    const upload = (id: number, member: number, file: string) => ({
      of: `upload ${id} of member ${member}`,
      files: [file],
      mend: "leave it, for a picture that is not used goes after a day",
    });
    expect(references).toEqual([
      avatar("member_1", "uploads/one.webp"),
      avatar("member_4", "uploads/two.webp"),
      upload(2, 1, "uploads/three.webp"),
      upload(3, 2, "uploads/two.webp"),
      upload(4, 9, "uploads/four.webp"),
    ]);
  });

  it("are the pictures of messages to the service", async () => {
    const references = await referencesIn((tx) => {
      const sent = { memberId: 5, byOperator: false, text: "", createdAt: 1 };
      return add(tx, t.supportMessages, { ...sent, picture: null }, { ...sent, picture: "support/one.webp" });
    });
    expect(references).toEqual([
      {
        of: "message svc_2 of member 5",
        files: ["support/one.webp"],
        mend: "ask the member to send the picture again",
      },
    ]);
  });

  it("are the pictures of listings, in all widths", async () => {
    const references = await referencesIn((tx) =>
      add(tx, t.listings, listing(1, [shown("a", 320, 640), shown("b", 320)]), listing(2, [])),
    );
    const mend = "import the listing again (listing:import)";
    const files = ["a-320.avif", "a-320.webp", "a-640.avif", "a-640.webp", "b-320.avif", "b-320.webp"];
    expect(references).toEqual([
      { of: "listing elf-1", files: files.map((file) => `pictures/${file}`), mend },
      { of: "listing elf-2", files: [], mend },
    ]);
  });

  it("are the files of videos", async () => {
    const segments = ["s1", "s2"].map((name) => ({ name }));
    const whole = {
      renditions: [{ init: "init", segments }],
      strip: { file: "strip.webp" },
      captions: [{ file: "en.vtt" }],
      poster: { ...shown("x", 640), name: "poster" },
    } as unknown as Partial<typeof t.videos.$inferInsert>;
    const references = await referencesIn((tx) => add(tx, t.videos, film(1, whole), film(2)));
    const mend = "remove the video and import it again (video:remove, video:import)";
    const names = ["init", "s1", "s2", "strip.webp", "en.vtt", "poster-640.avif", "poster-640.webp"];
    expect(references).toEqual([
      { of: "video vid_1", files: names.map((name) => `videos/1/${name}`), mend },
      { of: "video vid_2", files: [], mend },
    ]);
  });

  it("are all of many rows, each once and in their order", async () => {
    const references = await referencesIn(async () => {
      const text = (value: string) => (ENGINE === "postgres" ? `${value}::json` : value);
      const [none, list] = [text("'{}'"), text("'[]'")];
      const times = { id: "i", created_at: "1" };
      await addMany(rows, "members", { ...times, username: "'m' || i", avatar: "'/files/uploads/x.webp'" });
      await addMany(rows, "uploads", { ...times, member_id: "i", path: "'/files/uploads/' || i || '.webp'" });
      const message = { ...times, member_id: "1", by_operator: "true", text: "''", picture: "'x.webp'" };
      await addMany(rows, "support_messages", message);
      const words = { name: none, headline: none, district: none, address: none, service: list, pictures: list };
      const facts = { city_id: "1", birthday: "''", height_cm: "1", price: "1", contact: "''" };
      await addMany(rows, "listings", { ...times, code: "'elf-' || i", ...words, ...facts });
      const parts = { title: none, renditions: list, captions: list, folder: "''", source: "'v' || i" };
      await addMany(rows, "videos", { id: "i", category_id: "1", duration_ms: "1", published_at: "1", ...parts });
    });
    const of = (name: (id: number) => string) => Array.from({ length: MANY }, (_, i) => name(i + 1));
    expect(references.map((one) => one.of)).toEqual([
      ...of((id) => `the avatar of member m${id}`),
      ...of((id) => `upload ${id} of member ${id}`),
      ...of((id) => `message svc_${id} of member 1`),
      ...of((id) => `listing elf-${id}`),
      ...of((id) => `video vid_${id}`),
    ]);
  });
});

describe("the addresses of files in a text", () => {
  it.each<[string, unknown, string[]]>([
    ["one", "/files/uploads/a_b-c.webp", ["uploads/a_b-c.webp"]],
    ["one in a folder", "/files/pictures/demo/x.avif", ["pictures/demo/x.avif"]],
    [
      "those in a tag",
      `<img src="/files/pictures/x.webp"><img src='/files/pictures/y.webp'>`,
      ["pictures/x.webp", "pictures/y.webp"],
    ],
    ["one that occurs twice", ["/files/pictures/x.webp", { a: "/files/pictures/x.webp" }], ["pictures/x.webp"]],
    ["another site's", "https://a.example/files/pictures/x.webp", []],
    ["another folder's", "/files/videos/x.webp", []],
    ["another kind's", "/files/pictures/x.png", []],
    ["nothing", null, []],
  ])("are found: %s", (_, value, files) => {
    expect(filesIn(value)).toEqual(files);
  });
});

describe("the rows that refer to files by address", () => {
  const references = (write: (tx: Tx) => Promise<unknown>) => rows.during(write, addressed);

  it("are banners, prizes, notices and settings, each kind in its order", async () => {
    const prize = (id: string, position: number, image: string, memo: string): typeof t.prizes.$inferInsert => ({
      id,
      position,
      image: picture(image),
      title: {},
      memo: { en_us: picture(memo) },
      kind: "thanks",
      amount: 0,
      weight: 1,
    });
    const found = await references(async (tx) => {
      const banner = { link: "", position: 1 };
      await add(tx, t.banners, { id: 2, url: picture("b2"), ...banner }, { id: 1, url: picture("b1"), ...banner });
      await add(tx, t.banners, { id: 3, url: "https://a.example/x.webp", ...banner });
      await add(tx, t.prizes, prize("one", 2, "p1", "m1"), prize("two", 1, "p2", "p2"));
      const [name, text] = [{ en_us: picture("name") }, { en_us: picture("text") }];
      const back = { en_us: picture("why") };
      await add(tx, t.notices, { id: 2, name, text, createdAt: 1, takenBack: back });
      await add(tx, t.notices, { id: 1, name, text, createdAt: 1 });
      await add(tx, t.settings, { name: "logo", value: picture("logo") }, { name: "ico", value: [picture("ico")] });
    });
    const row = (of: string, names: string[], mend: string) => ({
      of,
      files: names.map((name) => `pictures/${name}.webp`),
      mend,
    });
    expect(found).toEqual([
      row("banner 1", ["b1"], "add the banner again (banner:add)"),
      row("banner 2", ["b2"], "add the banner again (banner:add)"),
      row("prize two", ["p2"], "set another picture (prize:set)"),
      row("prize one", ["p1", "m1"], "set another picture (prize:set)"),
      row("notice ntc_1", ["name", "text"], "put up another (notice:add)"),
      row("notice ntc_2", ["why"], "put up another (notice:add)"),
      row("setting ico", ["ico"], "set another (setting:set ico)"),
      row("setting logo", ["logo"], "set another (setting:set logo)"),
    ]);
  });

  it("are tables of the wheel with former pictures, each picture with its first table", async () => {
    const table = (id: number, ...images: string[]): typeof t.wheelTables.$inferInsert => ({
      id,
      prizes: images.map((name) => ({ image: picture(name) })) as never,
      createdAt: 1,
    });
    const found = await references(async (tx) => {
      await add(tx, t.banners, { id: 1, url: picture("now"), link: "", position: 1 });
      await add(tx, t.wheelTables, table(3, "b", "c"), table(2, "now", "a", "b"), table(4, "a", "c"));
    });
    const mend = "leave it: old wins are then shown without a picture";
    expect(found.slice(1)).toEqual([
      { of: "wheel table 2", files: ["pictures/a.webp", "pictures/b.webp"], mend },
      { of: "wheel table 3", files: ["pictures/c.webp"], mend },
    ]);
  });
});
