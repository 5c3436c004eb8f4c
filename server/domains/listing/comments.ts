import { and, count, desc, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { comments, listings } from "#db/schema/listing.ts";
import { members } from "#db/schema/member.ts";
import type { Deps } from "#server/app/deps.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { maskedName } from "#shared/masked-name.ts";
import { Refusal } from "#shared/refusal.ts";
import { toSeconds } from "#shared/time.ts";
import type { Page } from "./listing-pages.ts";
import { languageOf } from "./comment-language.ts";
import { stateComment } from "./state-comment.ts";
import { wireId } from "./wire-ids.ts";

interface NewComment {
  listingId: number;
  memberId: number;
  text: string;
  /** Of the app that it was written in. */
  locale: LocaleCode;
  hearts: number;
}

/** Adds a member's comment on a listing, one per member. It stays hidden until the operator shows it. */
export async function addComment(tx: Tx, deps: Pick<Deps, "clock">, { locale, ...comment }: NewComment): Promise<void> {
  const [listing] = await tx
    .select({ id: listings.id })
    .from(listings)
    .where(and(eq(listings.id, comment.listingId), eq(listings.paused, false)));
  if (!listing) throw new Refusal("object.unknown");
  const row = { ...comment, lang: languageOf(comment.text, locale), createdAt: deps.clock.now() };
  const [added] = await tx.insert(comments).values(row).onConflictDoNothing().returning();
  if (!added) throw new Refusal("comment.given");
  await stateComment(tx, deps, added, "waiting");
}

/** The comments on a listing that the operator shows, newest first. */
export async function listComments(read: Tx, listingId: number, { limit, offset }: Page) {
  const isShown = and(eq(comments.listingId, listingId), eq(comments.shown, true));
  const rows = await read
    .select({ comment: comments, username: members.username, demo: members.demo })
    .from(comments)
    .innerJoin(members, eq(members.id, comments.memberId))
    .where(isShown)
    .orderBy(desc(comments.id))
    .limit(limit)
    .offset(offset);
  const [total] = await read.select({ count: count() }).from(comments).where(isShown);
  const list = rows.map(({ comment, username, demo }) => ({
    id: wireId("comment", comment.id),
    username: maskedName(username),
    text: comment.text,
    ...(comment.lang !== null && { langs: { text: comment.lang } }),
    hearts: comment.hearts,
    create_time: toSeconds(comment.createdAt),
    demo: demo ? (1 as const) : (0 as const),
  }));
  return { list, count: total!.count };
}
