CREATE TABLE `log_bundles` (
	`log` integer NOT NULL,
	`index` integer NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`log`, `index`)
);
--> statement-breakpoint
CREATE TABLE `log_heads` (
	`log` integer NOT NULL,
	`size` integer NOT NULL,
	`root` text NOT NULL,
	`at` integer NOT NULL,
	`note` text,
	`announced_at` integer,
	PRIMARY KEY(`log`, `size`)
);
--> statement-breakpoint
CREATE INDEX `log_heads_unsigned` ON `log_heads` (`size`) WHERE "log_heads"."note" is null;--> statement-breakpoint
CREATE TABLE `log_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`log` integer NOT NULL,
	`origin` text NOT NULL,
	`public_key` text NOT NULL,
	`sealed_key` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `log_leaves` (
	`id` integer PRIMARY KEY NOT NULL,
	`log` integer NOT NULL,
	`key` text NOT NULL,
	`text` text,
	`number` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `log_leaves_key` ON `log_leaves` (`log`,`key`);--> statement-breakpoint
CREATE UNIQUE INDEX `log_leaves_number` ON `log_leaves` (`log`,`number`) WHERE "log_leaves"."text" is not null;--> statement-breakpoint
CREATE INDEX `log_leaves_waiting` ON `log_leaves` (`id`) WHERE "log_leaves"."number" is null;--> statement-breakpoint
CREATE TABLE `log_restores` (
	`id` integer PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `log_rounds` (
	`round_id` integer PRIMARY KEY NOT NULL,
	`bets_root` text,
	`bets` integer,
	`staked` integer,
	FOREIGN KEY (`round_id`) REFERENCES `rounds`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `log_tiles` (
	`log` integer NOT NULL,
	`level` integer NOT NULL,
	`index` integer NOT NULL,
	`hashes` text NOT NULL,
	PRIMARY KEY(`log`, `level`, `index`)
);
--> statement-breakpoint
CREATE TABLE `member_salts` (
	`member_id` integer PRIMARY KEY NOT NULL,
	`salt` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `house_entries_bets` ON `house_entries` (`from_id`) WHERE "house_entries"."kind" = 'bets';
--> statement-breakpoint
CREATE TRIGGER `log_keys_fixed` BEFORE UPDATE ON `log_keys` WHEN NEW.id IS NOT OLD.id OR NEW.log IS NOT OLD.log OR NEW.origin IS NOT OLD.origin OR NEW.public_key IS NOT OLD.public_key OR NEW.sealed_key IS NOT OLD.sealed_key OR NEW.created_at IS NOT OLD.created_at BEGIN SELECT RAISE(ABORT, 'keys of the log are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `log_keys_no_delete` BEFORE DELETE ON `log_keys` BEGIN SELECT RAISE(ABORT, 'keys of the log are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `log_leaves_fixed` BEFORE UPDATE ON `log_leaves` WHEN NEW.id IS NOT OLD.id OR NEW.log IS NOT OLD.log OR NEW.key IS NOT OLD.key OR (OLD.number IS NOT NULL AND NEW.number IS NOT OLD.number) OR (NEW.text IS NOT OLD.text AND (NEW.text IS NOT NULL OR NEW.number IS NULL OR NOT EXISTS (SELECT 1 FROM `log_bundles` WHERE log = OLD.log AND `index` = NEW.number / 256))) BEGIN SELECT RAISE(ABORT, 'what the log states is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `log_leaves_no_delete` BEFORE DELETE ON `log_leaves` BEGIN SELECT RAISE(ABORT, 'leaves of the log are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `log_bundles_no_update` BEFORE UPDATE ON `log_bundles` BEGIN SELECT RAISE(ABORT, 'bundles of the log are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `log_bundles_no_delete` BEFORE DELETE ON `log_bundles` BEGIN SELECT RAISE(ABORT, 'bundles of the log are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `log_tiles_grow` BEFORE UPDATE ON `log_tiles` WHEN NEW.log IS NOT OLD.log OR NEW.level IS NOT OLD.level OR NEW.`index` IS NOT OLD.`index` OR substr(NEW.hashes, 1, length(OLD.hashes)) IS NOT OLD.hashes BEGIN SELECT RAISE(ABORT, 'tiles of the log only grow'); END;
--> statement-breakpoint
CREATE TRIGGER `log_tiles_no_delete` BEFORE DELETE ON `log_tiles` BEGIN SELECT RAISE(ABORT, 'tiles of the log are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `log_heads_grow` BEFORE INSERT ON `log_heads` WHEN NEW.size <= (SELECT max(size) FROM `log_heads` WHERE log = NEW.log) BEGIN SELECT RAISE(ABORT, 'a head of the log is larger than all before'); END;
--> statement-breakpoint
CREATE TRIGGER `log_heads_fixed` BEFORE UPDATE ON `log_heads` WHEN NEW.log IS NOT OLD.log OR NEW.size IS NOT OLD.size OR NEW.root IS NOT OLD.root OR NEW.at IS NOT OLD.at OR OLD.note IS NOT NULL OR OLD.announced_at IS NOT NULL OR NEW.note IS NULL OR NEW.announced_at IS NULL BEGIN SELECT RAISE(ABORT, 'heads of the log are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `log_heads_pruned` BEFORE DELETE ON `log_heads` WHEN OLD.size >= (SELECT max(size) FROM `log_heads` WHERE log = OLD.log AND note IS NOT NULL) OR OLD.note IS NULL BEGIN SELECT RAISE(ABORT, 'the newest head of the log is never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `log_rounds_fixed` BEFORE UPDATE ON `log_rounds` WHEN NEW.round_id IS NOT OLD.round_id OR OLD.bets_root IS NOT NULL BEGIN SELECT RAISE(ABORT, 'the bets of a closed round are counted once'); END;
--> statement-breakpoint
CREATE TRIGGER `member_salts_fixed` BEFORE UPDATE ON `member_salts` BEGIN SELECT RAISE(ABORT, 'the salt of a member is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `log_restores_no_update` BEFORE UPDATE ON `log_restores` BEGIN SELECT RAISE(ABORT, 'what was said of a restore is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `log_restores_no_delete` BEFORE DELETE ON `log_restores` BEGIN SELECT RAISE(ABORT, 'what was said of a restore is never deleted'); END;
