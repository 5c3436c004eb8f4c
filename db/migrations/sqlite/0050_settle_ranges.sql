CREATE TABLE `settle_ranges` (
	`round_id` integer NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	`settled_to` integer NOT NULL,
	`indexed_to` integer NOT NULL,
	PRIMARY KEY(`round_id`, `from_id`),
	FOREIGN KEY (`round_id`) REFERENCES `rounds`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "settle_ranges_settled" CHECK("settle_ranges"."settled_to" between "settle_ranges"."from_id" - 1 and "settle_ranges"."to_id"),
	CONSTRAINT "settle_ranges_indexed" CHECK("settle_ranges"."indexed_to" between "settle_ranges"."from_id" - 1 and "settle_ranges"."to_id")
);
--> statement-breakpoint
-- Rounds that are half settled go on where they stand, in one range that holds every member.
INSERT INTO settle_ranges (round_id, from_id, to_id, settled_to, indexed_to)
  SELECT id, 1, 9007199254740991, settled_to, 0 FROM rounds WHERE settled_to > 0 AND indexed_at IS NULL;
--> statement-breakpoint
DROP TRIGGER `rounds_fixed`;
--> statement-breakpoint
DROP TRIGGER `rounds_refunded_fixed`;
--> statement-breakpoint
ALTER TABLE `rounds` DROP COLUMN `settled_to`;
--> statement-breakpoint
CREATE TRIGGER `rounds_fixed` BEFORE UPDATE ON `rounds` WHEN NEW.game_id IS NOT OLD.game_id OR NEW.day IS NOT OLD.day OR NEW.number IS NOT OLD.number OR NEW.`commit` IS NOT OLD.`commit` OR NEW.odds_id IS NOT OLD.odds_id OR NEW.opened_at IS NOT OLD.opened_at OR NEW.closes_at IS NOT OLD.closes_at OR NEW.draws_at IS NOT OLD.draws_at OR NEW.from_bet IS NOT OLD.from_bet OR (OLD.closed_at IS NOT NULL AND NEW.closed_at IS NOT OLD.closed_at) OR (OLD.to_bet IS NOT NULL AND NEW.to_bet IS NOT OLD.to_bet) OR (OLD.seed IS NOT NULL AND NEW.seed IS NOT OLD.seed) OR (OLD.dice IS NOT NULL AND NEW.dice IS NOT OLD.dice) OR (OLD.drawn_at IS NOT NULL AND NEW.drawn_at IS NOT OLD.drawn_at) OR (OLD.settled_at IS NOT NULL AND NEW.settled_at IS NOT OLD.settled_at) OR (OLD.indexed_at IS NOT NULL AND NEW.indexed_at IS NOT OLD.indexed_at) OR (OLD.settled_at IS NOT NULL AND (NEW.paid IS NOT OLD.paid OR NEW.staked IS NOT OLD.staked OR NEW.bet_count IS NOT OLD.bet_count)) BEGIN SELECT RAISE(ABORT, 'what a round says is never changed'); END;
--> statement-breakpoint
-- Whether stakes go back is said once. That nobody was paid by a draw before, the check `rounds_refunded` says.
CREATE TRIGGER `rounds_refunded_fixed` BEFORE UPDATE OF `refunded_at` ON `rounds` WHEN NEW.refunded_at IS NOT OLD.refunded_at AND (OLD.refunded_at IS NOT NULL OR OLD.settled_at IS NOT NULL OR OLD.failed_at IS NOT NULL) BEGIN SELECT RAISE(ABORT, 'what a round says is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `settle_ranges_grow` BEFORE UPDATE ON `settle_ranges` WHEN NEW.round_id IS NOT OLD.round_id OR NEW.from_id IS NOT OLD.from_id OR NEW.to_id IS NOT OLD.to_id OR NEW.settled_to < OLD.settled_to OR NEW.indexed_to < OLD.indexed_to BEGIN SELECT RAISE(ABORT, 'how far a round is settled never goes back'); END;
--> statement-breakpoint
CREATE TRIGGER `settle_ranges_stay` BEFORE DELETE ON `settle_ranges` WHEN EXISTS (SELECT 1 FROM rounds WHERE id = OLD.round_id AND settled_at IS NULL) BEGIN SELECT RAISE(ABORT, 'how far a round is settled never goes back'); END;
