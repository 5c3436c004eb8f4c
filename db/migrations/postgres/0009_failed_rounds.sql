ALTER TABLE "gaps" ADD COLUMN "taken_back_at" bigint;--> statement-breakpoint
ALTER TABLE "rounds" ADD COLUMN "failed_at" bigint;--> statement-breakpoint
ALTER TABLE "rounds" ADD COLUMN "failure" text;--> statement-breakpoint
ALTER TABLE "rounds" ADD COLUMN "skipped_at" bigint;
--> statement-breakpoint
-- A gap may be taken back, once, when the clock turns out to have been ahead. Everything else it says stays.
DROP TRIGGER gaps_no_update ON gaps;
--> statement-breakpoint
CREATE TRIGGER gaps_no_update BEFORE UPDATE ON gaps FOR EACH ROW WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.game_id IS DISTINCT FROM OLD.game_id OR NEW.from_day IS DISTINCT FROM OLD.from_day OR NEW.from_number IS DISTINCT FROM OLD.from_number OR NEW.to_day IS DISTINCT FROM OLD.to_day OR NEW.to_number IS DISTINCT FROM OLD.to_number OR NEW.reason IS DISTINCT FROM OLD.reason OR NEW.created_at IS DISTINCT FROM OLD.created_at OR OLD.taken_back_at IS NOT NULL OR NEW.taken_back_at IS NULL) EXECUTE FUNCTION refuse_change('gaps are never changed');
--> statement-breakpoint
-- A round is skipped only as it closes, and only if nobody bet on it: whatever is closed is drawn.
CREATE FUNCTION refuse_skipping() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.closed_at IS NOT NULL OR NEW.closed_at IS NULL OR NEW.drawn_at IS NOT NULL OR EXISTS (SELECT FROM bets WHERE id >= OLD.from_bet AND round_id = OLD.id) THEN
    RAISE EXCEPTION 'a closed round is drawn, and never skipped';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER rounds_skipped BEFORE UPDATE ON rounds FOR EACH ROW WHEN (NEW.skipped_at IS DISTINCT FROM OLD.skipped_at OR (OLD.skipped_at IS NOT NULL AND NEW.drawn_at IS NOT NULL)) EXECUTE FUNCTION refuse_skipping();
--> statement-breakpoint
CREATE TRIGGER rounds_failed BEFORE UPDATE ON rounds FOR EACH ROW WHEN (NEW.failed_at IS NOT NULL AND (NEW.settled_at IS NOT NULL OR NEW.closed_at IS NULL)) EXECUTE FUNCTION refuse_change('a round fails after its closing and before it is settled');
