import { and, asc, eq, gt, isNotNull, like, notExists, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { listings, members, supportMessages, uploads, videos } from "#db/schema/index.ts";
import { filesOf } from "#server/domains/video/video-files.ts";
import { pictureFiles } from "#shared/picture.ts";
import { videoWireId } from "#shared/video.ts";
import { addressed, filesIn, type FileReference } from "./file-addresses.ts";
import { inPages } from "./pages.ts";

const OURS = "/files/%";

/** All rows that refer to files in the storage. Files without a row do no harm and are ignored. */
export async function* fileReferences(read: Tx): AsyncGenerator<FileReference> {
  yield* avatars(read);
  yield* ownedUploads(read);
  yield* supportPictures(read);
  yield* listed(read);
  yield* videoFiles(read);
  yield* await addressed(read);
}

async function* avatars(read: Tx): AsyncGenerator<FileReference> {
  const { id, username, avatar } = members;
  const page = (after: number, limit: number) =>
    read
      .select({ id, username, avatar })
      .from(members)
      .where(and(gt(id, after), like(avatar, OURS)))
      .orderBy(asc(id))
      .limit(limit);
  for await (const member of inPages(page))
    yield {
      of: `the avatar of member ${member.username}`,
      files: filesIn(member.avatar),
      mend: "ask the member to choose another",
    };
}

/** Uploads that are nobody's avatar. */
async function* ownedUploads(read: Tx): AsyncGenerator<FileReference> {
  const { id, memberId, path } = uploads;
  const wearer = read
    .select({ one: sql`1` })
    .from(members)
    .where(and(eq(members.id, memberId), eq(members.avatar, path)));
  const page = (after: number, limit: number) =>
    read
      .select({ id, memberId, path })
      .from(uploads)
      .where(and(gt(id, after), notExists(wearer)))
      .orderBy(asc(id))
      .limit(limit);
  for await (const upload of inPages(page))
    yield {
      of: `upload ${upload.id} of member ${upload.memberId}`,
      files: filesIn(upload.path),
      mend: "leave it, for a picture that is not used goes after a day",
    };
}

async function* supportPictures(read: Tx): AsyncGenerator<FileReference> {
  const { id, memberId, picture } = supportMessages;
  const page = (after: number, limit: number) =>
    read
      .select({ id, memberId, picture })
      .from(supportMessages)
      .where(and(gt(id, after), isNotNull(picture)))
      .orderBy(asc(id))
      .limit(limit);
  for await (const message of inPages(page))
    yield {
      of: `message svc_${message.id} of member ${message.memberId}`,
      files: [message.picture!],
      mend: "ask the member to send the picture again",
    };
}

async function* listed(read: Tx): AsyncGenerator<FileReference> {
  const { id, code, pictures } = listings;
  const page = (after: number, limit: number) =>
    read.select({ id, code, pictures }).from(listings).where(gt(id, after)).orderBy(asc(id)).limit(limit);
  for await (const listing of inPages(page)) {
    const files = filesIn(listing.pictures.flatMap(pictureFiles));
    yield { of: `listing ${listing.code}`, files, mend: "import the listing again (listing:import)" };
  }
}

async function* videoFiles(read: Tx): AsyncGenerator<FileReference> {
  const { id, folder, poster, renditions, strip, captions } = videos;
  const page = (after: number, limit: number) =>
    read
      .select({ id, folder, poster, renditions, strip, captions })
      .from(videos)
      .where(gt(id, after))
      .orderBy(asc(id))
      .limit(limit);
  for await (const video of inPages(page)) {
    const names = [...filesOf(video).keys(), ...(video.poster ? pictureFiles(video.poster) : [])];
    yield {
      of: `video ${videoWireId(video.id)}`,
      files: names.map((name) => `${video.folder}/${name}`),
      mend: "remove the video and import it again (video:remove, video:import)",
    };
  }
}
