CREATE TABLE `member_chains` (
	`member_id` integer PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`hash` text NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `member_leaves` (
	`id` integer PRIMARY KEY NOT NULL,
	`member_id` integer NOT NULL,
	`number` integer NOT NULL,
	`key` text NOT NULL,
	`content` text NOT NULL,
	`hash` text NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `member_leaves_number` ON `member_leaves` (`member_id`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `member_leaves_key` ON `member_leaves` (`key`);--> statement-breakpoint
CREATE UNIQUE INDEX `member_leaves_hash` ON `member_leaves` (`hash`);--> statement-breakpoint
CREATE TRIGGER `member_leaves_no_update` BEFORE UPDATE ON `member_leaves` BEGIN SELECT RAISE(ABORT, 'what the log says of members is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `member_leaves_no_delete` BEFORE DELETE ON `member_leaves` BEGIN SELECT RAISE(ABORT, 'what the log says of members is never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `member_chains_grow` BEFORE UPDATE ON `member_chains` WHEN NEW.member_id IS NOT OLD.member_id OR NOT ((NEW.number = OLD.number AND NEW.hash = OLD.hash) OR NEW.number = OLD.number + 1) BEGIN SELECT RAISE(ABORT, 'the chain of a member only grows'); END;
--> statement-breakpoint
CREATE TRIGGER `member_chains_no_delete` BEFORE DELETE ON `member_chains` BEGIN SELECT RAISE(ABORT, 'the chain of a member is never deleted'); END;
