CREATE TABLE `batch_signatures` (
	`batch` integer PRIMARY KEY NOT NULL,
	`signature` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `log_rotations` (
	`id` integer PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `served_apps` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`files` text NOT NULL,
	`page` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `log_keys` ADD `first_batch` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
DROP TRIGGER `log_keys_fixed`;
--> statement-breakpoint
CREATE TRIGGER `log_keys_fixed` BEFORE UPDATE ON `log_keys` WHEN NEW.id IS NOT OLD.id OR NEW.log IS NOT OLD.log OR NEW.origin IS NOT OLD.origin OR NEW.public_key IS NOT OLD.public_key OR NEW.first_batch IS NOT OLD.first_batch OR NEW.created_at IS NOT OLD.created_at OR (NEW.sealed_key IS NOT OLD.sealed_key AND (NEW.sealed_key <> '' OR NOT EXISTS (SELECT 1 FROM `log_keys` WHERE id > OLD.id))) BEGIN SELECT RAISE(ABORT, 'keys of the log are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `log_rotations_no_update` BEFORE UPDATE ON `log_rotations` BEGIN SELECT RAISE(ABORT, 'what was said of a key is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `log_rotations_no_delete` BEFORE DELETE ON `log_rotations` BEGIN SELECT RAISE(ABORT, 'what was said of a key is never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `batch_signatures_no_update` BEFORE UPDATE ON `batch_signatures` BEGIN SELECT RAISE(ABORT, 'the signature of a batch is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `batch_signatures_no_delete` BEFORE DELETE ON `batch_signatures` BEGIN SELECT RAISE(ABORT, 'the signature of a batch is never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `served_apps_no_update` BEFORE UPDATE ON `served_apps` BEGIN SELECT RAISE(ABORT, 'what was served is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `served_apps_no_delete` BEFORE DELETE ON `served_apps` BEGIN SELECT RAISE(ABORT, 'what was served is never deleted'); END;
