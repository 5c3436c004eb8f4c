CREATE TABLE "listing_marks" (
	"member_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"listing_id" bigint NOT NULL,
	"marked_at" bigint NOT NULL,
	CONSTRAINT "listing_marks_member_id_kind_listing_id_pk" PRIMARY KEY("member_id","kind","listing_id")
);
--> statement-breakpoint
CREATE TABLE "saved_videos" (
	"member_id" bigint NOT NULL,
	"video_id" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "saved_videos_member_id_video_id_pk" PRIMARY KEY("member_id","video_id")
);
--> statement-breakpoint
ALTER TABLE "listing_marks" ADD CONSTRAINT "listing_marks_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_videos" ADD CONSTRAINT "saved_videos_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "listing_marks_newest" ON "listing_marks" USING btree ("member_id","kind","marked_at","listing_id");--> statement-breakpoint
CREATE INDEX "listing_marks_age" ON "listing_marks" USING btree ("kind","marked_at");--> statement-breakpoint
CREATE INDEX "listing_marks_listing" ON "listing_marks" USING btree ("listing_id");--> statement-breakpoint
CREATE INDEX "saved_videos_newest" ON "saved_videos" USING btree ("member_id","created_at","video_id");--> statement-breakpoint
CREATE INDEX "watch_places_age" ON "watch_places" USING btree ("updated_at");