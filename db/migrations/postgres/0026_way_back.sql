CREATE TABLE "password_resets" (
	"member_id" bigint PRIMARY KEY NOT NULL,
	"secret_hash" text NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "cooling_until" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invites_folded" ON "invites" USING btree (lower("code"));