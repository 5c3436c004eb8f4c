import { desc, eq, not } from "drizzle-orm";
import { comments, listings } from "#db/schema/listing.ts";
import { members } from "#db/schema/member.ts";
import { decideComment } from "#server/domains/listing/decide-comment.ts";
import { wireId } from "#server/domains/listing/wire-ids.ts";
import { Refusal } from "#shared/refusal.ts";
import { toSeconds } from "#shared/time.ts";
import { Misused, Refused, type Command } from "#server/admin/command.ts";
import { readReason } from "#server/admin/read-words.ts";
import { isNewComment, MOST_DONE, MOST_WAITING } from "#server/admin/waiting.ts";

export const commentList: Command = {
  usage: "",
  does: `Lists all comments that wait and the newest ${MOST_DONE} others, and their state: shown, hidden or waiting`,
  reads: true,
  async run({ db }) {
    const asked = () =>
      db.read
        .select({ comment: comments, username: members.username, code: listings.code })
        .from(comments)
        .innerJoin(members, eq(members.id, comments.memberId))
        .innerJoin(listings, eq(listings.id, comments.listingId));
    const [waiting, others] = await Promise.all([
      asked().where(isNewComment).orderBy(comments.id).limit(MOST_WAITING),
      asked().where(not(isNewComment)).orderBy(desc(comments.id)).limit(MOST_DONE),
    ]);
    const rows = [...waiting, ...others].sort((a, b) => b.comment.id - a.comment.id);
    const list = rows.map(({ comment, username, code }) => ({
      id: wireId("comment", comment.id),
      listing: code,
      username,
      hearts: comment.hearts,
      text: comment.text,
      state: comment.shown === null ? "waiting" : comment.shown ? "shown" : "hidden",
      create_time: toSeconds(comment.createdAt),
    }));
    const lines = list.map(
      ({ id, listing, username, hearts, text, state }) =>
        `${id.padEnd(10)} ${state.padEnd(7)} ${listing} ${username} ${hearts}/6  ${text}`,
    );
    return { text: lines.join("\n") || "There are no comments yet.", json: list };
  },
};

const decide = (shown: boolean, told: Pick<Command, "usage" | "does" | "more" | "local">): Command => ({
  ...told,
  async run(operator, { args, options }) {
    const reason = options.reason === undefined ? null : readReason(options.reason);
    const number = /^cmt_([1-9]\d{0,14})$/.exec(args.ID!)?.[1];
    if (!number) throw new Misused("ID looks like cmt_12, as comment:list prints it");
    await operator.db
      .transact((tx) => decideComment(tx, operator, Number(number), shown, reason))
      .catch((error: unknown) => {
        if (error instanceof Refusal) throw new Refused(`there is no comment ${args.ID}`);
        throw error;
      });
    return { text: `${args.ID} is ${shown ? "shown" : "hidden"}.`, json: { ok: true, id: args.ID, shown } };
  },
});

export const commentShow = decide(true, { usage: "ID", does: "Shows a comment and counts its hearts" });
export const commentHide = decide(false, {
  usage: "ID [--reason T]",
  local: ["reason"],
  does: "Hides a comment and no longer counts its hearts; its author reads the reason",
  more: () => "T is a text, or JSON by language. Without one, the author is not told.",
});
