CREATE TABLE `conversations` (
	`member_id` integer PRIMARY KEY NOT NULL,
	`read_to` integer DEFAULT 0 NOT NULL,
	`waiting_since` integer,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `conversations_waiting` ON `conversations` (`waiting_since`);--> statement-breakpoint
CREATE TABLE `support_messages` (
	`id` integer PRIMARY KEY NOT NULL,
	`member_id` integer NOT NULL,
	`by_operator` integer NOT NULL,
	`text` text NOT NULL,
	`picture` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `support_messages_member` ON `support_messages` (`member_id`,`id`);--> statement-breakpoint
CREATE INDEX `support_messages_created` ON `support_messages` (`created_at`);