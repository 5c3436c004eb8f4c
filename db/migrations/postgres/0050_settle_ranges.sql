CREATE TABLE "settle_ranges" (
	"round_id" bigint NOT NULL,
	"from_id" bigint NOT NULL,
	"to_id" bigint NOT NULL,
	"settled_to" bigint NOT NULL,
	"indexed_to" bigint NOT NULL,
	CONSTRAINT "settle_ranges_round_id_from_id_pk" PRIMARY KEY("round_id","from_id"),
	CONSTRAINT "settle_ranges_settled" CHECK ("settle_ranges"."settled_to" between "settle_ranges"."from_id" - 1 and "settle_ranges"."to_id"),
	CONSTRAINT "settle_ranges_indexed" CHECK ("settle_ranges"."indexed_to" between "settle_ranges"."from_id" - 1 and "settle_ranges"."to_id")
);
--> statement-breakpoint
ALTER TABLE "settle_ranges" ADD CONSTRAINT "settle_ranges_round_id_rounds_id_fk" FOREIGN KEY ("round_id") REFERENCES "public"."rounds"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- Rounds that are half settled go on where they stand, in one range that holds every member.
INSERT INTO settle_ranges (round_id, from_id, to_id, settled_to, indexed_to)
  SELECT id, 1, 9007199254740991, settled_to, 0 FROM rounds WHERE settled_to > 0 AND indexed_at IS NULL;
--> statement-breakpoint
DROP TRIGGER rounds_fixed ON rounds;
--> statement-breakpoint
DROP TRIGGER rounds_refunded_fixed ON rounds;
--> statement-breakpoint
ALTER TABLE "rounds" DROP COLUMN "settled_to";
--> statement-breakpoint
CREATE TRIGGER rounds_fixed BEFORE UPDATE ON rounds FOR EACH ROW WHEN (NEW.game_id IS DISTINCT FROM OLD.game_id OR NEW.day IS DISTINCT FROM OLD.day OR NEW.number IS DISTINCT FROM OLD.number OR NEW."commit" IS DISTINCT FROM OLD."commit" OR NEW.odds_id IS DISTINCT FROM OLD.odds_id OR NEW.opened_at IS DISTINCT FROM OLD.opened_at OR NEW.closes_at IS DISTINCT FROM OLD.closes_at OR NEW.draws_at IS DISTINCT FROM OLD.draws_at OR NEW.from_bet IS DISTINCT FROM OLD.from_bet OR (OLD.closed_at IS NOT NULL AND NEW.closed_at IS DISTINCT FROM OLD.closed_at) OR (OLD.to_bet IS NOT NULL AND NEW.to_bet IS DISTINCT FROM OLD.to_bet) OR (OLD.seed IS NOT NULL AND NEW.seed IS DISTINCT FROM OLD.seed) OR (OLD.dice IS NOT NULL AND NEW.dice::text IS DISTINCT FROM OLD.dice::text) OR (OLD.drawn_at IS NOT NULL AND NEW.drawn_at IS DISTINCT FROM OLD.drawn_at) OR (OLD.settled_at IS NOT NULL AND NEW.settled_at IS DISTINCT FROM OLD.settled_at) OR (OLD.indexed_at IS NOT NULL AND NEW.indexed_at IS DISTINCT FROM OLD.indexed_at) OR (OLD.settled_at IS NOT NULL AND (NEW.paid IS DISTINCT FROM OLD.paid OR NEW.staked IS DISTINCT FROM OLD.staked OR NEW.bet_count IS DISTINCT FROM OLD.bet_count))) EXECUTE FUNCTION refuse_change('what a round says is never changed');
--> statement-breakpoint
-- Whether stakes go back is said once. That nobody was paid by a draw before, the check `rounds_refunded` says.
CREATE TRIGGER rounds_refunded_fixed BEFORE UPDATE OF refunded_at ON rounds FOR EACH ROW WHEN (NEW.refunded_at IS DISTINCT FROM OLD.refunded_at AND (OLD.refunded_at IS NOT NULL OR OLD.settled_at IS NOT NULL OR OLD.failed_at IS NOT NULL)) EXECUTE FUNCTION refuse_change('what a round says is never changed');
--> statement-breakpoint
CREATE TRIGGER settle_ranges_grow BEFORE UPDATE ON settle_ranges FOR EACH ROW WHEN (NEW.round_id IS DISTINCT FROM OLD.round_id OR NEW.from_id IS DISTINCT FROM OLD.from_id OR NEW.to_id IS DISTINCT FROM OLD.to_id OR NEW.settled_to < OLD.settled_to OR NEW.indexed_to < OLD.indexed_to) EXECUTE FUNCTION refuse_change('how far a round is settled never goes back');
--> statement-breakpoint
CREATE FUNCTION is_settled(bigint) RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT EXISTS (SELECT 1 FROM rounds WHERE id = $1 AND settled_at IS NOT NULL) $$;
--> statement-breakpoint
CREATE TRIGGER settle_ranges_stay BEFORE DELETE ON settle_ranges FOR EACH ROW WHEN (NOT is_settled(OLD.round_id)) EXECUTE FUNCTION refuse_change('how far a round is settled never goes back');
--> statement-breakpoint
CREATE TRIGGER settle_ranges_no_truncate BEFORE TRUNCATE ON settle_ranges FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('how far a round is settled never goes back');
