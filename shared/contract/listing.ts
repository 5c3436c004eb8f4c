import * as z from "zod/mini";
import { get, post } from "./endpoint.ts";
import { Decimal, Flag, Id, Langs, maybe, Nothing, OnOff, Paging, Seconds, Text, told, WholeNumber } from "./values.ts";

/** A picture's placeholder, beyond the specification: its widths, ratio and blurred preview (shared/picture.ts). */
const Shape = z.object({ widths: z.array(z.int()), ratio: z.number(), blur: z.string() });
export type PictureShape = z.output<typeof Shape>;

/** Private parts are `[]` or null unless the caller is an active member. */
const Profile = z.object({
  id: z.string(),
  img_url: z.string(),
  img_shape: z.nullable(Shape),
  xuanfei_name: z.string(),
  height: z.int(),
  one: z.nullable(z.int()),
  address: z.string(),
  service_data: z.array(z.string()),
  vo_title: z.string(),
  ...Langs,
});
export type Profile = z.output<typeof Profile>;

const Card = z.object({
  id: z.string(),
  name: z.string(),
  img: z.string(),
  img_shape: z.nullable(Shape),
  address: z.string(),
  hearts: z.number(),
  comment_total: z.int(),
  city_name: z.string(),
  price: Decimal,
  height: z.int(),
  ...Langs,
});
export type ListingCard = z.output<typeof Card>;

export const cityList = get("/xuanfei/address", {
  isRecord: true,
  access: "guest",
  knowsMembers: true,
  input: z.object({}),
  reply: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** How many listings are shown there. */
      count: z.int(),
      /** A picture of the newest of them; empty without one, and for guests while `video_login` is 1. */
      cover: z.string(),
      cover_shape: z.nullable(Shape),
      ...Langs,
    }),
  ),
  summary: "Cities, with how many are listed there",
});

export const profileList = get("/xuanfei/xuanfeilist", {
  access: "guest",
  sessionWhile: "video_login",
  knowsMembers: true,
  refuses: ["object.unknown"],
  input: z.object({ id: maybe(Id), ...Paging }),
  reply: z.object({ list: z.array(Profile), count: z.int() }),
  summary: "Listings of a city, or of all, newest first",
});

/** Orders of the list: newest, cheapest, dearest, most hearts. */
export const SORTS = ["newest", "price", "price_desc", "hearts"] as const;
export type Sort = (typeof SORTS)[number];

export const listingList = get("/nHomeList", {
  isRecord: true,
  access: "guest",
  sessionWhile: "video_login",
  refuses: ["object.unknown"],
  input: z.object({
    ...Paging,
    city: maybe(Id),
    q: maybe(Text(64)),
    sort: maybe(z.enum(SORTS, { error: "choice" })),
    price_min: maybe(WholeNumber(0, 2_000_000_000)),
    price_max: maybe(WholeNumber(0, 2_000_000_000)),
    height_min: maybe(WholeNumber(0, 300)),
    height_max: maybe(WholeNumber(0, 300)),
  }),
  reply: z.object({ list: z.array(Card), count: z.int() }),
  summary: "Search and sort listings",
});

export const listingDetail = get("/xuanfei/xuanfeidata", {
  access: "guest",
  knowsMembers: true,
  sessionWhile: "video_login",
  refuses: ["object.unknown"],
  input: z.object({ id: Id }),
  reply: z.object({
    id: z.string(),
    xuanfei_name: z.string(),
    img_url: z.array(z.string()),
    img_shapes: z.array(Shape),
    /** The age in whole years. The date itself is kept from everybody. */
    birthday: z.int(),
    height: z.int(),
    one: z.nullable(z.int()),
    address: z.string(),
    vo_title: z.string(),
    media_level: z.int(),
    activated: Flag,
    private: z.nullable(z.object({ address: z.string(), contact: z.string(), service: z.array(z.string()), ...Langs })),
    city: z.object({ id: z.string(), name: z.string(), ...Langs }),
    price: Decimal,
    hearts: z.number(),
    comment_total: z.int(),
    /** Made up for the demo. */
    demo: Flag,
    ...Langs,
  }),
  summary: "One listing; its private part for active members only",
});

export const pictureSets = get("/xuanfei/piclist", {
  access: "guest",
  sessionWhile: "video_login",
  input: z.object(Paging),
  reply: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        cover: z.string(),
        cover_shape: z.nullable(Shape),
        total: z.int(),
        ...Langs,
      }),
    ),
    count: z.int(),
  }),
  summary: "Listings by their pictures",
});

export const pictureSet = get("/xuanfei/picshow", {
  access: "guest",
  sessionWhile: "video_login",
  refuses: ["object.unknown"],
  input: z.object({ id: Id }),
  reply: z.object({
    id: z.string(),
    title: z.string(),
    images: z.array(z.string()),
    image_shapes: z.array(Shape),
    ...Langs,
  }),
  summary: "The pictures of one listing",
});

export const commentList = get("/xuanfei/commentlist", {
  access: "guest",
  sessionWhile: "video_login",
  refuses: ["object.unknown"],
  input: z.object({ id: Id, ...Paging }),
  reply: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        username: z.string(),
        text: z.string(),
        hearts: z.int(),
        create_time: Seconds,
        demo: Flag,
        /** Of `text`, the language that it is most probably in, the reader's too. */
        ...Langs,
      }),
    ),
    count: z.int(),
  }),
  summary: "Comments on a listing, newest first",
});

/** Invisible characters alone are no text. */
const CommentText = told(
  Text(500).check(z.refine((value) => /[^\s\p{Default_Ignorable_Code_Point}]/u.test(value), "required")),
  {
    maxLength: 500,
    description: "Invisible characters alone are no text.",
  },
);

export const addComment = post("/xuanfei/comment", {
  access: "member",
  refuses: ["object.unknown", "comment.given"],
  input: z.object({ id: Id, text: CommentText, hearts: WholeNumber(1, 6) }),
  reply: Nothing,
  summary: "Comment on a listing, once; shown when the operator approves it",
});

export const savedListingIds = get("/xuanfei/savedIds", {
  isRecord: true,
  access: "session",
  input: z.object({}),
  reply: z.array(z.string()),
  summary: "The ids of the listings that one saved",
});

export const saveListing = post("/xuanfei/save", {
  access: "session",
  refuses: ["object.unknown", "saved.many"],
  input: z.object({ id: Id, on: OnOff }),
  reply: Nothing,
  summary: "Save a listing, or drop it from the saved ones",
});

/** The lists of a member's own listings. */
export const LISTING_LISTS = ["saved", "opened"] as const;

export const ownListings = get("/xuanfei/own", {
  isRecord: true,
  access: "session",
  input: z.object({ list: z.enum(LISTING_LISTS, { error: "choice" }), ...Paging }),
  reply: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        /** When it was saved, or opened last. */
        time: Seconds,
        /** Null while it is not shown. */
        card: z.nullable(Card),
      }),
    ),
    count: z.int(),
  }),
  summary: "Listings that one saved or opened, newest first",
});

export const openListing = post("/xuanfei/open", {
  access: "session",
  refuses: ["object.unknown"],
  input: z.object({ id: Id }),
  reply: Nothing,
  summary: "Remember that one opened a listing",
});

export const forgetListings = post("/xuanfei/forget", {
  access: "session",
  input: z.object({}),
  reply: Nothing,
  summary: "Clear the history of opened listings",
});
