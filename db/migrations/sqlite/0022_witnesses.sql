CREATE TABLE `log_cosignatures` (
	`log` integer NOT NULL,
	`size` integer NOT NULL,
	`witness` text NOT NULL,
	`line` text NOT NULL,
	`signed_at` integer NOT NULL,
	PRIMARY KEY(`log`, `size`, `witness`)
);
--> statement-breakpoint
CREATE INDEX `log_cosignatures_witness` ON `log_cosignatures` (`log`,`witness`,`size`);
--> statement-breakpoint
CREATE TRIGGER `log_cosignatures_fixed` BEFORE UPDATE ON `log_cosignatures` BEGIN SELECT RAISE(ABORT, 'what a witness signed is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `log_cosignatures_pruned` BEFORE DELETE ON `log_cosignatures` WHEN EXISTS (SELECT 1 FROM `log_heads` WHERE log = OLD.log AND size = OLD.size) BEGIN SELECT RAISE(ABORT, 'what a witness signed is kept as long as its head'); END;
