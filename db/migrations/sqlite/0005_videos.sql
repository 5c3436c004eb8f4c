CREATE TABLE `video_categories` (
	`id` integer PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`name` text NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `video_categories_key` ON `video_categories` (`key`);--> statement-breakpoint
CREATE TABLE `video_plays` (
	`hour` integer NOT NULL,
	`video_id` integer NOT NULL,
	`viewer` text NOT NULL,
	PRIMARY KEY(`hour`, `video_id`, `viewer`)
);
--> statement-breakpoint
CREATE TABLE `videos` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source` text NOT NULL,
	`category_id` integer NOT NULL,
	`title` text NOT NULL,
	`duration_ms` integer NOT NULL,
	`published_at` integer NOT NULL,
	`plays` integer DEFAULT 0 NOT NULL,
	`poster` text,
	`folder` text NOT NULL,
	`renditions` text NOT NULL,
	`strip` text,
	`captions` text NOT NULL,
	`demo` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`category_id`) REFERENCES `video_categories`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `videos_source` ON `videos` (`source`);--> statement-breakpoint
CREATE INDEX `videos_category` ON `videos` (`category_id`,`id`);--> statement-breakpoint
CREATE TABLE `watch_places` (
	`member_id` integer NOT NULL,
	`video_id` integer NOT NULL,
	`position_ms` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`member_id`, `video_id`),
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`video_id`) REFERENCES `videos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `watch_places_video` ON `watch_places` (`video_id`);