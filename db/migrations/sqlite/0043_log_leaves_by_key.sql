DROP INDEX `log_leaves_key`;--> statement-breakpoint
CREATE UNIQUE INDEX `log_leaves_key` ON `log_leaves` (`key`,`log`);