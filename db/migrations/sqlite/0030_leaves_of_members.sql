CREATE TABLE `erased_members` (
	`member_id` integer PRIMARY KEY NOT NULL,
	`mark` text NOT NULL,
	`reason` text NOT NULL,
	`erased_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `kept_salts` (
	`member_id` integer NOT NULL,
	`name` text NOT NULL,
	`salt` text NOT NULL,
	PRIMARY KEY(`member_id`, `name`),
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `play_hours` (
	`hour` integer PRIMARY KEY NOT NULL,
	`counts` text NOT NULL,
	`previous` text NOT NULL,
	`hash` text NOT NULL,
	`salt` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `member_leaves` ADD `salt` text;
--> statement-breakpoint
CREATE TRIGGER `erased_members_no_update` BEFORE UPDATE ON `erased_members` BEGIN SELECT RAISE(ABORT, 'an erasure is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `erased_members_no_delete` BEFORE DELETE ON `erased_members` BEGIN SELECT RAISE(ABORT, 'an erasure is never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `kept_salts_no_update` BEFORE UPDATE ON `kept_salts` BEGIN SELECT RAISE(ABORT, 'kept salts are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `kept_salts_no_delete` BEFORE DELETE ON `kept_salts` BEGIN SELECT RAISE(ABORT, 'kept salts are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `play_hours_no_update` BEFORE UPDATE ON `play_hours` BEGIN SELECT RAISE(ABORT, 'the plays of an hour are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `play_hours_no_delete` BEFORE DELETE ON `play_hours` BEGIN SELECT RAISE(ABORT, 'the plays of an hour are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `erased_members_empty` BEFORE INSERT ON `erased_members` WHEN NOT EXISTS (SELECT 1 FROM `wallets` WHERE member_id = NEW.member_id AND balance = 0 AND frozen) BEGIN SELECT RAISE(ABORT, 'a member is erased once nothing is left in the wallet, which is locked'); END;
--> statement-breakpoint
CREATE TRIGGER `members_erased` BEFORE UPDATE ON `members` WHEN EXISTS (SELECT 1 FROM `erased_members` WHERE member_id = OLD.id) BEGIN SELECT RAISE(ABORT, 'an erased member is never changed'); END;
--> statement-breakpoint
DROP TRIGGER `member_leaves_no_update`;
--> statement-breakpoint
CREATE TRIGGER `member_leaves_no_update` BEFORE UPDATE ON `member_leaves` WHEN NOT (NEW.id IS OLD.id AND NEW.member_id IS OLD.member_id AND NEW.number IS OLD.number AND NEW.key IS OLD.key AND NEW.hash IS OLD.hash AND OLD.salt IS NULL AND ((NEW.content = OLD.content AND NEW.salt IS NOT NULL) OR (NEW.content = '' AND NEW.salt IS NULL)) AND EXISTS (SELECT 1 FROM `erased_members` WHERE member_id = OLD.member_id)) BEGIN SELECT RAISE(ABORT, 'what the log says of members is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `member_salts_no_delete` BEFORE DELETE ON `member_salts` WHEN NOT EXISTS (SELECT 1 FROM `erased_members` WHERE member_id = OLD.member_id) BEGIN SELECT RAISE(ABORT, 'the salt of a member goes with its member alone'); END;
--> statement-breakpoint
CREATE TRIGGER `member_salts_once` BEFORE INSERT ON `member_salts` WHEN EXISTS (SELECT 1 FROM `erased_members` WHERE member_id = NEW.member_id) BEGIN SELECT RAISE(ABORT, 'an erased member gets no other salt'); END;
--> statement-breakpoint
DROP TRIGGER `wheel_pairs_fixed`;
--> statement-breakpoint
CREATE TRIGGER `wheel_pairs_fixed` BEFORE UPDATE ON `wheel_pairs` WHEN NEW.id IS NOT OLD.id OR NEW.member_id IS NOT OLD.member_id OR NEW.number IS NOT OLD.number OR NEW.`commit` IS NOT OLD.`commit` OR NEW.created_at IS NOT OLD.created_at OR (OLD.words IS NOT NULL AND ((NEW.words IS NOT OLD.words AND NOT (NEW.words = '' AND EXISTS (SELECT 1 FROM `erased_members` WHERE member_id = OLD.member_id))) OR NEW.words_by IS NOT OLD.words_by OR NEW.table_id IS NOT OLD.table_id OR NEW.table_hash IS NOT OLD.table_hash)) OR (OLD.words IS NULL AND (NEW.nonce <> 0 OR NEW.revealed_at IS NOT NULL OR (NEW.words IS NULL) + (NEW.words_by IS NULL) + (NEW.table_id IS NULL) + (NEW.table_hash IS NULL) NOT IN (0, 4))) OR NEW.nonce NOT IN (OLD.nonce, OLD.nonce + 1) OR (OLD.revealed_at IS NOT NULL AND (NEW.revealed_at IS NOT OLD.revealed_at OR NEW.nonce IS NOT OLD.nonce)) BEGIN SELECT RAISE(ABORT, 'what a seed pair says is never changed'); END;
--> statement-breakpoint
DROP TRIGGER `operator_acts_fixed`;
--> statement-breakpoint
CREATE TRIGGER `operator_acts_fixed` BEFORE UPDATE ON `operator_acts` WHEN NOT (NEW.id IS OLD.id AND NEW.at IS OLD.at AND NEW.who IS OLD.who AND NEW.host IS OLD.host AND NEW.command IS OLD.command AND NEW.outcome IS OLD.outcome AND NEW.reason IS NULL AND NEW.why IS NULL AND EXISTS (SELECT 1 FROM `erased_members` WHERE 'erased ' || member_id = NEW.words)) BEGIN SELECT RAISE(ABORT, 'what an operator did is never changed'); END;
