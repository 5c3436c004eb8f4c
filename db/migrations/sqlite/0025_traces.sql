CREATE TABLE `operator_acts` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`who` text NOT NULL,
	`host` text NOT NULL,
	`command` text NOT NULL,
	`words` text NOT NULL,
	`reason` text,
	`outcome` text NOT NULL,
	`why` text
);
--> statement-breakpoint
CREATE INDEX `sessions_seen` ON `sessions` (`last_seen_at`);
--> statement-breakpoint
CREATE TRIGGER `operator_acts_fixed` BEFORE UPDATE ON `operator_acts` BEGIN SELECT RAISE(ABORT, 'what an operator did is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `operator_acts_no_delete` BEFORE DELETE ON `operator_acts` BEGIN SELECT RAISE(ABORT, 'what an operator did is never deleted'); END;
--> statement-breakpoint
DROP TRIGGER `deposits_no_delete`;
--> statement-breakpoint
CREATE TRIGGER `deposits_no_delete` BEFORE DELETE ON `deposits` WHEN OLD.status IS NOT 'failed' OR OLD.received IS NOT NULL OR OLD.paid_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'a deposit is deleted only if it lapsed unpaid'); END;
