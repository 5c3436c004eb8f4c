CREATE INDEX "replays_created" ON "replays" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "members_until" ON "members" USING btree ("member_until");--> statement-breakpoint
CREATE INDEX "support_messages_picture" ON "support_messages" USING btree ("picture") WHERE "support_messages"."picture" is not null;