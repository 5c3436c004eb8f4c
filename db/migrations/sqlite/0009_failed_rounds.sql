ALTER TABLE `gaps` ADD `taken_back_at` integer;--> statement-breakpoint
ALTER TABLE `rounds` ADD `failed_at` integer;--> statement-breakpoint
ALTER TABLE `rounds` ADD `failure` text;--> statement-breakpoint
ALTER TABLE `rounds` ADD `skipped_at` integer;
--> statement-breakpoint
-- A gap may be taken back, once, when the clock turns out to have been ahead. Everything else it says stays.
DROP TRIGGER `gaps_no_update`;
--> statement-breakpoint
CREATE TRIGGER `gaps_no_update` BEFORE UPDATE ON `gaps` WHEN NEW.id IS NOT OLD.id OR NEW.game_id IS NOT OLD.game_id OR NEW.from_day IS NOT OLD.from_day OR NEW.from_number IS NOT OLD.from_number OR NEW.to_day IS NOT OLD.to_day OR NEW.to_number IS NOT OLD.to_number OR NEW.reason IS NOT OLD.reason OR NEW.created_at IS NOT OLD.created_at OR OLD.taken_back_at IS NOT NULL OR NEW.taken_back_at IS NULL BEGIN SELECT RAISE(ABORT, 'gaps are never changed'); END;
--> statement-breakpoint
-- A round is skipped only as it closes, and only if nobody bet on it: whatever is closed is drawn.
CREATE TRIGGER `rounds_skipped` BEFORE UPDATE ON `rounds` WHEN (NEW.skipped_at IS NOT OLD.skipped_at AND (OLD.closed_at IS NOT NULL OR NEW.closed_at IS NULL OR EXISTS (SELECT 1 FROM bets WHERE id >= OLD.from_bet AND round_id = OLD.id))) OR (OLD.skipped_at IS NOT NULL AND NEW.drawn_at IS NOT NULL) BEGIN SELECT RAISE(ABORT, 'a closed round is drawn, and never skipped'); END;
--> statement-breakpoint
CREATE TRIGGER `rounds_failed` BEFORE UPDATE ON `rounds` WHEN NEW.failed_at IS NOT NULL AND (NEW.settled_at IS NOT NULL OR NEW.closed_at IS NULL) BEGIN SELECT RAISE(ABORT, 'a round fails after its closing and before it is settled'); END;
