CREATE INDEX `replays_created` ON `replays` (`created_at`);--> statement-breakpoint
CREATE INDEX `members_until` ON `members` (`member_until`);--> statement-breakpoint
CREATE INDEX `support_messages_picture` ON `support_messages` (`picture`) WHERE "support_messages"."picture" is not null;