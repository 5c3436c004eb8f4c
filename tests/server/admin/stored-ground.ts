import { buffer } from "node:stream/consumers";
import { banners } from "#db/schema/site.ts";
import { audit } from "#server/admin/audit/audit.ts";
import type { Operator } from "#server/admin/command.ts";
import { addNotice } from "#server/domains/site/notices.ts";
import { storePicture } from "#server/pictures/store.ts";
import { pictureFile } from "#shared/picture.ts";
import { set } from "../../support/operator.ts";
import { fileOf, pngOf } from "../../support/pictures.ts";
import type { World } from "../../support/world.ts";
import { city, listing, save } from "../listing/listing-world.ts";
import { category, video } from "../video/video-world.ts";
import { offer, prize } from "../wheel/wheel-world.ts";

export interface Report {
  ok: boolean;
  files?: number;
  problems: string[];
}

/** The audit command's result. */
export async function auditOf({ deps, config }: World, over: Partial<Operator> = {}, only?: string): Promise<Report> {
  const operator = { ...deps, config, ...over } as unknown as Operator;
  return (await audit.run(operator, { args: {}, options: { only } })).json as Report;
}

/** Runs the work while a file is missing. */
export async function lacking<T>({ deps: { storage } }: World, name: string, work: () => Promise<T>): Promise<T> {
  const bytes = await buffer((await storage.find(name))!.read());
  await storage.remove(name);
  try {
    return await work();
  } finally {
    await storage.put(name, bytes);
  }
}

/** The name in the storage of the file at an address. */
export const storedAs = (address: string) => address.slice("/files/".length);

/** One of every kind that refers to files. */
export async function furnish(w: World) {
  const mia = await w.player("mia_1");
  const bring = async (seed: number): Promise<string> =>
    (await mia.call("/system/uploadimg", { file: fileOf(await pngOf(64, 48, seed)) })).data;
  const store = async (seed: number) => storePicture(w.deps, await pngOf(700, 300, seed));
  const [worn, unused] = [await bring(1), await bring(2)];
  await mia.call("/member/uploadHeaderImg", { header_img: worn });
  const shown = await store(3);
  const [banner, won, former, linked, logo] = [
    await store(4),
    await store(5),
    await store(6),
    await store(7),
    await store(8),
  ];
  const address = (picture: typeof shown) => pictureFile(picture.name, 320, "webp");
  await city(w, "Seoul");
  await save(w, listing("elf-1", { pictures: [shown] }), listing("elf-2"));
  await w.deps.db.transact((tx) => tx.insert(banners).values({ url: address(banner), link: "/Home", position: 1 }));
  await offer(w, prize("one", { image: address(former) }), prize("two"));
  await offer(w, prize("one", { image: address(won) }), prize("two"));
  const notice = `<a href="${address(linked)}">look</a> <a href="https://other.example/files/pictures/not-ours.webp">it</a>`;
  await w.deps.db.transact((tx) => addNotice(tx, w.deps, "News", { en_us: notice }));
  await set(w, "ico", address(logo));
  await category(w, "sea");
  const film = await video(w);
  const pictures = { banner, won, former, linked, logo };
  const named = Object.fromEntries(Object.entries(pictures).map(([name, one]) => [name, storedAs(address(one))]));
  return { film, shown, named, worn: storedAs(worn), unused: storedAs(unused) };
}
