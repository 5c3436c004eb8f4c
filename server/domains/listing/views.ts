import type { ListingCard, PictureShape, Profile } from "#shared/contract/listing.ts";
import { localText, type LocaleCode, type LocalText } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { pictureUrl, type Picture } from "#shared/picture.ts";
import { ageAt } from "#shared/time.ts";
import type { OpenListing, PrivatePart } from "./read-listings.ts";
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
    name: localText(listing.name, locale),
    img: url,
    img_shape: shape,
    address: localText(listing.district, locale),
    hearts: heartsOf(listing),
    comment_total: listing.commentCount,
    city_name: localText(listing.cityName, locale),
    price: toDecimal(listing.price),
    height: listing.heightCm,
  };
}

export function profileView(listing: OpenListing, service: LocalText[], locale: LocaleCode): Profile {
  const { url, shape } = cover(listing.pictures);
  return {
    id: wireId("listing", listing.id),
    img_url: url,
    img_shape: shape,
    xuanfei_name: localText(listing.name, locale),
    height: listing.heightCm,
    one: listing.chestCm,
    address: localText(listing.district, locale),
    service_data: service.map((text) => localText(text, locale)),
    vo_title: localText(listing.headline, locale),
  };
}

export function detailView(listing: OpenListing, part: PrivatePart | null, locale: LocaleCode, now: number) {
  return {
    id: wireId("listing", listing.id),
    xuanfei_name: localText(listing.name, locale),
    img_url: listing.pictures.map(pictureUrl),
    img_shapes: listing.pictures.map(shapeOf),
    birthday: ageAt(listing.birthday, now),
    height: listing.heightCm,
    one: listing.chestCm,
    address: localText(listing.district, locale),
    vo_title: localText(listing.headline, locale),
    media_level: MEDIA_LEVEL,
    activated: part ? (1 as const) : (0 as const),
    private: part && {
      address: localText(part.address, locale),
      contact: part.contact,
      service: part.service.map((text) => localText(text, locale)),
    },
    city: { id: wireId("city", listing.cityId), name: localText(listing.cityName, locale) },
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
    title: localText(listing.name, locale),
    cover: url,
    cover_shape: shape,
    total: listing.pictures.length,
  };
}

export const picturesView = (listing: OpenListing, locale: LocaleCode) => ({
  id: wireId("listing", listing.id),
  title: localText(listing.name, locale),
  images: listing.pictures.map(pictureUrl),
  image_shapes: listing.pictures.map(shapeOf),
});
