import type { ListingCard, PictureShape, Profile } from "#shared/contract/listing.ts";
import { localTexts, type LocaleCode, type LocalText } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { pictureUrl, type Picture } from "#shared/picture.ts";
import { ageAt } from "#shared/time.ts";
import type { City, OpenListing, PrivatePart } from "./read-listings.ts";
import { wireId } from "./wire-ids.ts";

/** Fixed by the specification. */
const MEDIA_LEVEL = 88;

const shapeOf = ({ widths, ratio, blur }: Picture): PictureShape => ({ widths, ratio, blur });

/** The first picture is the cover. */
const cover = ([first]: Picture[]) =>
  first ? { url: pictureUrl(first), shape: shapeOf(first) } : { url: "", shape: null };

/** Stored in 1/100 heart, shown in tenths. */
const heartsOf = ({ heartsMean }: OpenListing) => Math.round(heartsMean / 10) / 10;

export function cardView(listing: OpenListing, locale: LocaleCode): ListingCard {
  const { url, shape } = cover(listing.pictures);
  return {
    id: wireId("listing", listing.id),
    ...localTexts({ name: listing.name, address: listing.district, city_name: listing.cityName }, locale),
    img: url,
    img_shape: shape,
    hearts: heartsOf(listing),
    comment_total: listing.commentCount,
    price: toDecimal(listing.price),
    height: listing.heightCm,
  };
}

export function cityView({ id, name, count, pictures }: City, locale: LocaleCode, isCovered: boolean) {
  const { url, shape } = cover(isCovered ? pictures : []);
  return { id: wireId("city", id), ...localTexts({ name }, locale), count, cover: url, cover_shape: shape };
}

export function profileView(listing: OpenListing, service: LocalText[], locale: LocaleCode): Profile {
  const { url, shape } = cover(listing.pictures);
  return {
    id: wireId("listing", listing.id),
    img_url: url,
    img_shape: shape,
    height: listing.heightCm,
    one: listing.chestCm,
    service_data: servicesIn(service, locale).service,
    ...factsIn(listing, locale),
  };
}

const factsIn = ({ name, district, headline }: OpenListing, locale: LocaleCode) =>
  localTexts({ xuanfei_name: name, address: district, vo_title: headline }, locale);

/** A list of texts, with the language of the first that is not in the reader's. */
function servicesIn(texts: LocalText[], locale: LocaleCode) {
  const { langs = {}, ...service } = localTexts<string>(Object.fromEntries(texts.entries()), locale);
  return { service: Object.values(service), lang: Object.values(langs)[0] };
}

/** What active members see of a listing. */
function privateView({ address, contact, service: texts }: PrivatePart, locale: LocaleCode) {
  const { service, lang } = servicesIn(texts, locale);
  const { langs, ...shown } = localTexts({ address }, locale);
  return {
    ...shown,
    contact,
    service,
    ...((langs || lang) && { langs: { ...langs, ...(lang && { service: lang }) } }),
  };
}

export function detailView(listing: OpenListing, part: PrivatePart | null, locale: LocaleCode, now: number) {
  return {
    id: wireId("listing", listing.id),
    ...factsIn(listing, locale),
    img_url: listing.pictures.map(pictureUrl),
    img_shapes: listing.pictures.map(shapeOf),
    birthday: ageAt(listing.birthday, now),
    height: listing.heightCm,
    one: listing.chestCm,
    media_level: MEDIA_LEVEL,
    activated: part ? (1 as const) : (0 as const),
    private: part && privateView(part, locale),
    city: { id: wireId("city", listing.cityId), ...localTexts({ name: listing.cityName }, locale) },
    price: toDecimal(listing.price),
    hearts: heartsOf(listing),
    comment_total: listing.commentCount,
    demo: listing.demo ? (1 as const) : (0 as const),
  };
}

export function pictureSetView(listing: OpenListing, locale: LocaleCode) {
  const { url, shape } = cover(listing.pictures);
  return {
    id: wireId("listing", listing.id),
    ...localTexts({ title: listing.name }, locale),
    cover: url,
    cover_shape: shape,
    total: listing.pictures.length,
  };
}

export const picturesView = (listing: OpenListing, locale: LocaleCode) => ({
  id: wireId("listing", listing.id),
  ...localTexts({ title: listing.name }, locale),
  images: listing.pictures.map(pictureUrl),
  image_shapes: listing.pictures.map(shapeOf),
});
