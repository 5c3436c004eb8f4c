CREATE TABLE `operator_invites` (
	`operator_id` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `operator_passkeys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`operator_id` integer NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operator_passkeys_credential` ON `operator_passkeys` (`credential_id`);--> statement-breakpoint
CREATE TABLE `operators` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`roles` text NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operators_name` ON `operators` (`name`);--> statement-breakpoint
CREATE TABLE `withdrawal_approvals` (
	`withdrawal_id` integer PRIMARY KEY NOT NULL,
	`operator_id` integer,
	`who` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`withdrawal_id`) REFERENCES `withdrawals`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `operator_acts` ADD `operator_id` integer REFERENCES operators(id);
--> statement-breakpoint
DROP TRIGGER `operator_acts_fixed`;
--> statement-breakpoint
CREATE TRIGGER `operator_acts_fixed` BEFORE UPDATE ON `operator_acts` WHEN NOT (NEW.id IS OLD.id AND NEW.at IS OLD.at AND NEW.who IS OLD.who AND NEW.host IS OLD.host AND NEW.operator_id IS OLD.operator_id AND NEW.command IS OLD.command AND NEW.outcome IS OLD.outcome AND NEW.reason IS NULL AND NEW.why IS NULL AND EXISTS (SELECT 1 FROM `erased_members` WHERE 'erased ' || member_id = NEW.words)) BEGIN SELECT RAISE(ABORT, 'what an operator did is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `operators_fixed` BEFORE UPDATE ON `operators` WHEN NEW.id IS NOT OLD.id OR NEW.name IS NOT OLD.name OR NEW.created_at IS NOT OLD.created_at OR (OLD.state = 'removed' AND NEW.state IS NOT 'removed') BEGIN SELECT RAISE(ABORT, 'who an operator is never changes'); END;
--> statement-breakpoint
CREATE TRIGGER `operators_no_delete` BEFORE DELETE ON `operators` BEGIN SELECT RAISE(ABORT, 'an operator is never deleted'); END;
