CREATE TABLE `beacon_changes` (
	`id` integer PRIMARY KEY NOT NULL,
	`game_id` integer NOT NULL,
	`from_day` integer NOT NULL,
	`from_number` integer NOT NULL,
	`mode` text NOT NULL,
	`announced_at` integer NOT NULL,
	FOREIGN KEY (`game_id`) REFERENCES `games`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `beacon_changes_game` ON `beacon_changes` (`game_id`);
--> statement-breakpoint
CREATE TRIGGER `beacon_changes_no_update` BEFORE UPDATE ON `beacon_changes` BEGIN SELECT RAISE(ABORT, 'beacon_changes are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `beacon_changes_no_delete` BEFORE DELETE ON `beacon_changes` BEGIN SELECT RAISE(ABORT, 'beacon_changes are never deleted'); END;
--> statement-breakpoint
-- With its check the column is added in place. A table made anew would lose its triggers.
ALTER TABLE `rounds` ADD `beacon_signature` text DEFAULT '' NOT NULL CONSTRAINT `rounds_beacon_signature` CHECK (case when `beacon` = '' then `beacon_signature` = '' and (`beacon_rule` = 'none' or `drawn_at` is null) else length(`beacon`) = 64 and length(`beacon_signature`) = 96 and `drawn_at` is not null end);
--> statement-breakpoint
-- A beacon comes with the draw, once; the rule never changes.
DROP TRIGGER `rounds_beacon_fixed`;
--> statement-breakpoint
CREATE TRIGGER `rounds_beacon_fixed` BEFORE UPDATE OF `beacon`, `beacon_rule`, `beacon_signature` ON `rounds` WHEN NEW.beacon_rule IS NOT OLD.beacon_rule OR ((NEW.beacon IS NOT OLD.beacon OR NEW.beacon_signature IS NOT OLD.beacon_signature) AND NOT (OLD.beacon = '' AND OLD.drawn_at IS NULL AND NEW.drawn_at IS NOT NULL)) BEGIN SELECT RAISE(ABORT, 'what a round says is never changed'); END;
--> statement-breakpoint
-- The other trigger keeps the beacon.
DROP TRIGGER `rounds_fixed`;
--> statement-breakpoint
CREATE TRIGGER `rounds_fixed` BEFORE UPDATE ON `rounds` WHEN NEW.game_id IS NOT OLD.game_id OR NEW.day IS NOT OLD.day OR NEW.number IS NOT OLD.number OR NEW.`commit` IS NOT OLD.`commit` OR NEW.odds_id IS NOT OLD.odds_id OR NEW.opened_at IS NOT OLD.opened_at OR NEW.closes_at IS NOT OLD.closes_at OR NEW.draws_at IS NOT OLD.draws_at OR NEW.from_bet IS NOT OLD.from_bet OR (OLD.closed_at IS NOT NULL AND NEW.closed_at IS NOT OLD.closed_at) OR (OLD.to_bet IS NOT NULL AND NEW.to_bet IS NOT OLD.to_bet) OR (OLD.seed IS NOT NULL AND NEW.seed IS NOT OLD.seed) OR (OLD.dice IS NOT NULL AND NEW.dice IS NOT OLD.dice) OR (OLD.drawn_at IS NOT NULL AND NEW.drawn_at IS NOT OLD.drawn_at) OR (OLD.settled_at IS NOT NULL AND NEW.settled_at IS NOT OLD.settled_at) OR (OLD.indexed_at IS NOT NULL AND NEW.indexed_at IS NOT OLD.indexed_at) OR (OLD.settled_at IS NOT NULL AND (NEW.paid IS NOT OLD.paid OR NEW.staked IS NOT OLD.staked OR NEW.bet_count IS NOT OLD.bet_count)) OR NEW.settled_to < OLD.settled_to BEGIN SELECT RAISE(ABORT, 'what a round says is never changed'); END;
