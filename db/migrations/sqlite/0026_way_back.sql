CREATE TABLE `password_resets` (
	`member_id` integer PRIMARY KEY NOT NULL,
	`secret_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `members` ADD `cooling_until` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `invites_folded` ON `invites` (lower("code"));