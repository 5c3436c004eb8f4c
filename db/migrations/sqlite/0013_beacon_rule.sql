-- Each round has a rule that says which beacon is mixed into its draw, fixed as it opens. All rounds so far have none.
CREATE TEMP TABLE `with_beacon` (`id` integer);
--> statement-breakpoint
CREATE TEMP TRIGGER `with_beacon_refused` BEFORE INSERT ON `with_beacon` BEGIN SELECT RAISE(ABORT, 'a round has a beacon, which no version of this program ever wrote: somebody changed the database, and the round is not genuine'); END;
--> statement-breakpoint
INSERT INTO `with_beacon` SELECT `id` FROM `rounds` WHERE `beacon` <> '';
--> statement-breakpoint
DROP TABLE `with_beacon`;
--> statement-breakpoint
-- With its check the column is added in place. A table made anew would lose its triggers.
ALTER TABLE `rounds` ADD `beacon_rule` text DEFAULT 'none' NOT NULL CONSTRAINT `rounds_beacon` CHECK (`beacon_rule` <> 'none' or `beacon` = '');
--> statement-breakpoint
CREATE TRIGGER `rounds_beacon_fixed` BEFORE UPDATE OF `beacon`, `beacon_rule` ON `rounds` WHEN NEW.beacon IS NOT OLD.beacon OR NEW.beacon_rule IS NOT OLD.beacon_rule BEGIN SELECT RAISE(ABORT, 'what a round says is never changed'); END;
