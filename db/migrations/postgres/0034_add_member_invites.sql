ALTER TABLE "invites" ADD COLUMN "member_id" bigint;--> statement-breakpoint
ALTER TABLE "invites" ADD COLUMN "place" integer;--> statement-breakpoint
ALTER TABLE "invites" ADD CONSTRAINT "invites_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "invites_member_place" ON "invites" USING btree ("member_id","place");