CREATE TABLE `bet_groups` (
	`round_id` integer NOT NULL,
	`first` integer NOT NULL,
	`steps` text NOT NULL,
	`staked` integer NOT NULL,
	`root` text,
	`leaves` text,
	PRIMARY KEY(`round_id`, `first`),
	FOREIGN KEY (`round_id`) REFERENCES `rounds`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `log_rounds` ADD `grown_to` integer;
--> statement-breakpoint
CREATE TRIGGER `bet_groups_fixed` BEFORE UPDATE ON `bet_groups` WHEN OLD.root IS NOT NULL OR NEW.round_id IS NOT OLD.round_id OR NEW.first IS NOT OLD.first BEGIN SELECT RAISE(ABORT, 'a group of bets that has its root is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `bet_groups_no_delete` BEFORE DELETE ON `bet_groups` BEGIN SELECT RAISE(ABORT, 'groups of bets are never deleted'); END;
