CREATE TABLE `channel_looks` (
	`channel` text PRIMARY KEY NOT NULL,
	`looked_to` integer NOT NULL,
	`look_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `debts` (
	`id` integer PRIMARY KEY NOT NULL,
	`member_id` integer NOT NULL,
	`return_id` integer NOT NULL,
	`amount` integer NOT NULL,
	`paid` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`settled_at` integer,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`return_id`) REFERENCES `payment_returns`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "debts_amount" CHECK("debts"."amount" > 0 and "debts"."paid" between 0 and "debts"."amount")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `debts_return` ON `debts` (`return_id`);--> statement-breakpoint
CREATE INDEX `debts_open` ON `debts` (`settled_at`,`member_id`);--> statement-breakpoint
CREATE TABLE `payment_returns` (
	`id` integer PRIMARY KEY NOT NULL,
	`deposit_id` integer NOT NULL,
	`reference` text NOT NULL,
	`kind` text NOT NULL,
	`amount` integer NOT NULL,
	`due` integer,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`deposit_id`) REFERENCES `deposits`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_returns_amount" CHECK("payment_returns"."amount" > 0 and ("payment_returns"."due" is null or "payment_returns"."due" between 0 and "payment_returns"."amount"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_returns_once` ON `payment_returns` (`deposit_id`,`reference`);--> statement-breakpoint
DROP INDEX `deposits_waiting`;--> statement-breakpoint
ALTER TABLE `deposits` ADD `fee` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `deposits` ADD `unit` text DEFAULT 'point' NOT NULL;--> statement-breakpoint
ALTER TABLE `deposits` ADD `page` text;--> statement-breakpoint
ALTER TABLE `deposits` ADD `opens` text;--> statement-breakpoint
ALTER TABLE `deposits` ADD `reference` text;--> statement-breakpoint
ALTER TABLE `deposits` ADD `request_key` text;--> statement-breakpoint
ALTER TABLE `deposits` ADD `received` integer;--> statement-breakpoint
ALTER TABLE `deposits` ADD `ask_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `deposits_request` ON `deposits` (`member_id`,`request_key`);--> statement-breakpoint
CREATE INDEX `deposits_waiting` ON `deposits` (`status`,`ask_at`);