CREATE TABLE `listing_marks` (
	`member_id` integer NOT NULL,
	`kind` text NOT NULL,
	`listing_id` integer NOT NULL,
	`marked_at` integer NOT NULL,
	PRIMARY KEY(`member_id`, `kind`, `listing_id`),
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `listing_marks_newest` ON `listing_marks` (`member_id`,`kind`,`marked_at`,`listing_id`);--> statement-breakpoint
CREATE INDEX `listing_marks_age` ON `listing_marks` (`kind`,`marked_at`);--> statement-breakpoint
CREATE INDEX `listing_marks_listing` ON `listing_marks` (`listing_id`);--> statement-breakpoint
CREATE TABLE `saved_videos` (
	`member_id` integer NOT NULL,
	`video_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`member_id`, `video_id`),
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `saved_videos_newest` ON `saved_videos` (`member_id`,`created_at`,`video_id`);--> statement-breakpoint
CREATE INDEX `watch_places_age` ON `watch_places` (`updated_at`);