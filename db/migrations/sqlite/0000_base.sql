CREATE TABLE `house_entries` (
	`id` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`amount` integer NOT NULL,
	`round_id` integer,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `journal_index` (
	`member_id` integer NOT NULL,
	`version` integer NOT NULL,
	`kind` text NOT NULL,
	`row_id` integer NOT NULL,
	PRIMARY KEY(`member_id`, `version`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `replays` (
	`member_id` integer NOT NULL,
	`path` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`answer` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`member_id`, `path`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `seals` (
	`id` integer PRIMARY KEY NOT NULL,
	`house_to` integer NOT NULL,
	`transfers_to` integer NOT NULL,
	`root` text NOT NULL,
	`seal` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `transfers` (
	`id` integer PRIMARY KEY NOT NULL,
	`code` text NOT NULL,
	`cause` text NOT NULL,
	`debit` text NOT NULL,
	`credit` text NOT NULL,
	`amount` integer NOT NULL,
	`member_id` integer,
	`version` integer,
	`balance_after` integer,
	`reason` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "transfers_amount" CHECK("transfers"."amount" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `transfers_once` ON `transfers` (`code`,`cause`);--> statement-breakpoint
CREATE TABLE `wallets` (
	`member_id` integer PRIMARY KEY NOT NULL,
	`balance` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
	`frozen` integer DEFAULT false NOT NULL,
	`excluded_until` integer DEFAULT 0 NOT NULL,
	`remind_minutes` integer,
	`limit_stake_day` integer,
	`limit_stake_week` integer,
	`limit_stake_month` integer,
	`limit_loss_day` integer,
	`limit_loss_week` integer,
	`limit_loss_month` integer,
	`limit_deposit_day` integer,
	`limit_deposit_week` integer,
	`limit_deposit_month` integer,
	`day` integer DEFAULT 0 NOT NULL,
	`week` integer DEFAULT 0 NOT NULL,
	`month` integer DEFAULT 0 NOT NULL,
	`staked_day` integer DEFAULT 0 NOT NULL,
	`staked_week` integer DEFAULT 0 NOT NULL,
	`staked_month` integer DEFAULT 0 NOT NULL,
	`won_day` integer DEFAULT 0 NOT NULL,
	`won_week` integer DEFAULT 0 NOT NULL,
	`won_month` integer DEFAULT 0 NOT NULL,
	`deposited_day` integer DEFAULT 0 NOT NULL,
	`deposited_week` integer DEFAULT 0 NOT NULL,
	`deposited_month` integer DEFAULT 0 NOT NULL,
	`staked_total` integer DEFAULT 0 NOT NULL,
	`won_total` integer DEFAULT 0 NOT NULL,
	`deposited_total` integer DEFAULT 0 NOT NULL,
	`withdrawn_total` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "wallets_balance" CHECK("wallets"."balance" between 0 and 9000000000000000)
);
--> statement-breakpoint
CREATE TABLE `limit_changes` (
	`member_id` integer NOT NULL,
	`name` text NOT NULL,
	`value` integer,
	`due_at` integer NOT NULL,
	PRIMARY KEY(`member_id`, `name`),
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `limit_changes_due` ON `limit_changes` (`due_at`);--> statement-breakpoint
CREATE TABLE `anchors` (
	`game_id` integer NOT NULL,
	`day` integer NOT NULL,
	`anchor` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`game_id`, `day`),
	FOREIGN KEY (`game_id`) REFERENCES `games`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `games` (
	`id` integer PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`icon` text NOT NULL,
	`period_s` integer NOT NULL,
	`close_s` integer NOT NULL,
	`paused` integer DEFAULT false NOT NULL,
	`paused_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `games_key` ON `games` (`key`);--> statement-breakpoint
CREATE TABLE `gaps` (
	`id` integer PRIMARY KEY NOT NULL,
	`game_id` integer NOT NULL,
	`from_day` integer NOT NULL,
	`from_number` integer NOT NULL,
	`to_day` integer NOT NULL,
	`to_number` integer NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`game_id`) REFERENCES `games`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `gaps_game` ON `gaps` (`game_id`);--> statement-breakpoint
CREATE TABLE `odds` (
	`id` integer PRIMARY KEY NOT NULL,
	`game_id` integer NOT NULL,
	`milli` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`game_id`) REFERENCES `games`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `odds_game` ON `odds` (`game_id`);--> statement-breakpoint
CREATE TABLE `rounds` (
	`id` integer PRIMARY KEY NOT NULL,
	`game_id` integer NOT NULL,
	`day` integer NOT NULL,
	`number` integer NOT NULL,
	`commit` text NOT NULL,
	`odds_id` integer NOT NULL,
	`opened_at` integer NOT NULL,
	`closes_at` integer NOT NULL,
	`draws_at` integer NOT NULL,
	`closed_at` integer,
	`from_bet` integer NOT NULL,
	`to_bet` integer,
	`beacon` text DEFAULT '' NOT NULL,
	`seed` text,
	`dice` text,
	`drawn_at` integer,
	`settled_to` integer DEFAULT 0 NOT NULL,
	`settled_at` integer,
	`bet_count` integer DEFAULT 0 NOT NULL,
	`staked` integer DEFAULT 0 NOT NULL,
	`paid` integer DEFAULT 0 NOT NULL,
	`indexed_at` integer,
	FOREIGN KEY (`game_id`) REFERENCES `games`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`odds_id`) REFERENCES `odds`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "rounds_order" CHECK("rounds"."drawn_at" is null or "rounds"."closed_at" is not null)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `rounds_place` ON `rounds` (`game_id`,`day`,`number`);--> statement-breakpoint
CREATE INDEX `rounds_unfinished` ON `rounds` (`game_id`,`id`) WHERE "rounds"."indexed_at" is null;--> statement-breakpoint
CREATE TABLE `bet_keys` (
	`member_id` integer NOT NULL,
	`key` text NOT NULL,
	`bet_id` integer NOT NULL,
	`request_hash` text NOT NULL,
	PRIMARY KEY(`member_id`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `bets` (
	`id` integer PRIMARY KEY NOT NULL,
	`member_id` integer NOT NULL,
	`round_id` integer NOT NULL,
	`odds_id` integer NOT NULL,
	`mask` integer NOT NULL,
	`stake` integer NOT NULL,
	`total` integer NOT NULL,
	`version` integer NOT NULL,
	`balance_after` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `payouts` (
	`round_id` integer NOT NULL,
	`member_id` integer NOT NULL,
	`amount` integer NOT NULL,
	`version` integer NOT NULL,
	`balance_after` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`round_id`, `member_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `spent_keys` (
	`member_id` integer NOT NULL,
	`key` text NOT NULL,
	`bet_id` integer NOT NULL,
	`request_hash` text NOT NULL,
	PRIMARY KEY(`member_id`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `members` (
	`id` integer PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`password_hash` text,
	`avatar` text NOT NULL,
	`real_name` text,
	`sex` text DEFAULT '0' NOT NULL,
	`pay_pin_hash` text,
	`locked` integer DEFAULT false NOT NULL,
	`member_until` integer DEFAULT 0 NOT NULL,
	`demo` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_username` ON `members` (`username`);--> statement-breakpoint
CREATE TABLE `plans` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`days` integer NOT NULL,
	`price` integer NOT NULL,
	`position` integer NOT NULL,
	`sold` integer DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`topic` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `outbox_created` ON `outbox` (`created_at`);--> statement-breakpoint
CREATE TABLE `deposits` (
	`id` integer PRIMARY KEY NOT NULL,
	`order_no` text NOT NULL,
	`member_id` integer NOT NULL,
	`channel` text NOT NULL,
	`amount` integer NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`locale` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`paid_at` integer,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deposits_order` ON `deposits` (`order_no`);--> statement-breakpoint
CREATE INDEX `deposits_member` ON `deposits` (`member_id`,`id`);--> statement-breakpoint
CREATE INDEX `deposits_waiting` ON `deposits` (`status`,`expires_at`);--> statement-breakpoint
CREATE TABLE `sandbox_checkouts` (
	`order_no` text PRIMARY KEY NOT NULL,
	`amount` integer NOT NULL,
	`state` text DEFAULT 'open' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `attempts` (
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`failures` integer NOT NULL,
	`blocked_until` integer NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `subject`)
);
--> statement-breakpoint
CREATE INDEX `attempts_last` ON `attempts` (`last_at`);--> statement-breakpoint
CREATE TABLE `invites` (
	`code` text PRIMARY KEY NOT NULL,
	`uses_left` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` integer PRIMARY KEY NOT NULL,
	`member_id` integer NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`ip` text NOT NULL,
	`agent` text NOT NULL,
	`ended_at` integer,
	`ended_by` text,
	`end_reason` text,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sessions_member` ON `sessions` (`member_id`);--> statement-breakpoint
CREATE TABLE `banners` (
	`id` integer PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`link` text NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `meta` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `notices` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
