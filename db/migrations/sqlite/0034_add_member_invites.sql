ALTER TABLE `invites` ADD `member_id` integer REFERENCES members(id);--> statement-breakpoint
ALTER TABLE `invites` ADD `place` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `invites_member_place` ON `invites` (`member_id`,`place`);