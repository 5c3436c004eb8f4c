CREATE TABLE `cities` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `comments` (
	`id` integer PRIMARY KEY NOT NULL,
	`listing_id` integer NOT NULL,
	`member_id` integer NOT NULL,
	`text` text NOT NULL,
	`hearts` integer NOT NULL,
	`shown` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `comments_once` ON `comments` (`listing_id`,`member_id`);--> statement-breakpoint
CREATE INDEX `comments_shown` ON `comments` (`listing_id`,`shown`,`id`);--> statement-breakpoint
CREATE INDEX `comments_waiting` ON `comments` (`shown`,`id`);--> statement-breakpoint
CREATE TABLE `listing_looks` (
	`id` integer PRIMARY KEY NOT NULL,
	`member_id` integer NOT NULL,
	`listing_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `listing_looks_listing` ON `listing_looks` (`listing_id`,`id`);--> statement-breakpoint
CREATE INDEX `listing_looks_member` ON `listing_looks` (`member_id`,`id`);--> statement-breakpoint
CREATE TABLE `listing_words` (
	`word` text NOT NULL,
	`listing_id` integer NOT NULL,
	PRIMARY KEY(`word`, `listing_id`),
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `listing_words_listing` ON `listing_words` (`listing_id`);--> statement-breakpoint
CREATE TABLE `listings` (
	`id` integer PRIMARY KEY NOT NULL,
	`code` text NOT NULL,
	`city_id` integer NOT NULL,
	`name` text NOT NULL,
	`headline` text NOT NULL,
	`district` text NOT NULL,
	`birthday` text NOT NULL,
	`height_cm` integer NOT NULL,
	`chest_cm` integer,
	`price` integer NOT NULL,
	`pictures` text NOT NULL,
	`address` text NOT NULL,
	`contact` text NOT NULL,
	`service` text NOT NULL,
	`paused` integer DEFAULT false NOT NULL,
	`demo` integer DEFAULT false NOT NULL,
	`comment_count` integer DEFAULT 0 NOT NULL,
	`hearts_sum` integer DEFAULT 0 NOT NULL,
	`hearts_mean` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`city_id`) REFERENCES `cities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `listings_code` ON `listings` (`code`);--> statement-breakpoint
CREATE INDEX `listings_newest` ON `listings` (`paused`,`id`);--> statement-breakpoint
CREATE INDEX `listings_price` ON `listings` (`paused`,`price`,`id`);--> statement-breakpoint
CREATE INDEX `listings_hearts` ON `listings` (`paused`,`hearts_mean`,`id`);--> statement-breakpoint
CREATE INDEX `listings_city_newest` ON `listings` (`city_id`,`paused`,`id`);--> statement-breakpoint
CREATE INDEX `listings_city_price` ON `listings` (`city_id`,`paused`,`price`,`id`);--> statement-breakpoint
CREATE INDEX `listings_city_hearts` ON `listings` (`city_id`,`paused`,`hearts_mean`,`id`);--> statement-breakpoint
CREATE TABLE `sso_tickets` (
	`jti_hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `uploads` (
	`id` integer PRIMARY KEY NOT NULL,
	`member_id` integer NOT NULL,
	`path` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `uploads_path` ON `uploads` (`path`);--> statement-breakpoint
CREATE INDEX `uploads_member` ON `uploads` (`member_id`,`id`);--> statement-breakpoint
CREATE TABLE `prizes` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`memo` text NOT NULL,
	`image` text NOT NULL,
	`kind` text NOT NULL,
	`amount` integer NOT NULL,
	`weight` integer NOT NULL,
	`stock` integer,
	`position` integer NOT NULL,
	`offered` integer DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE `spins` (
	`id` integer PRIMARY KEY NOT NULL,
	`member_id` integer NOT NULL,
	`pair_id` integer NOT NULL,
	`nonce` integer NOT NULL,
	`table_id` integer NOT NULL,
	`prize_id` text NOT NULL,
	`kind` text NOT NULL,
	`amount` integer NOT NULL,
	`price` integer NOT NULL,
	`won` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`pair_id`) REFERENCES `wheel_pairs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`table_id`) REFERENCES `wheel_tables`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`prize_id`) REFERENCES `prizes`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `spins_nonce` ON `spins` (`pair_id`,`nonce`);--> statement-breakpoint
CREATE INDEX `spins_member` ON `spins` (`member_id`,`id`);--> statement-breakpoint
CREATE INDEX `spins_won` ON `spins` (`won`,`id`);--> statement-breakpoint
CREATE TABLE `wheel_members` (
	`member_id` integer PRIMARY KEY NOT NULL,
	`day` integer NOT NULL,
	`used` integer DEFAULT 0 NOT NULL,
	`extra` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `wheel_pairs` (
	`id` integer PRIMARY KEY NOT NULL,
	`member_id` integer NOT NULL,
	`number` integer NOT NULL,
	`commit` text NOT NULL,
	`client_seed` text NOT NULL,
	`nonce` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`revealed_at` integer,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `wheel_pairs_member` ON `wheel_pairs` (`member_id`,`number`);--> statement-breakpoint
CREATE TABLE `wheel_tables` (
	`id` integer PRIMARY KEY NOT NULL,
	`prizes` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `sessions` ADD `sso_hash` text;