-- With its check the column is added in place. A table made anew would lose its triggers.
ALTER TABLE `rounds` ADD `refunded_at` integer CONSTRAINT `rounds_refunded` CHECK (`refunded_at` is null or (`closed_at` is not null and `drawn_at` is null and `beacon_rule` <> 'none'));
--> statement-breakpoint
-- Whether stakes go back is said once, before anybody is paid. A round that failed waits for its retry.
CREATE TRIGGER `rounds_refunded_fixed` BEFORE UPDATE OF `refunded_at` ON `rounds` WHEN NEW.refunded_at IS NOT OLD.refunded_at AND (OLD.refunded_at IS NOT NULL OR OLD.settled_at IS NOT NULL OR OLD.settled_to > 0 OR OLD.failed_at IS NOT NULL) BEGIN SELECT RAISE(ABORT, 'what a round says is never changed'); END;
