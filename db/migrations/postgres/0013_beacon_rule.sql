-- Each round has a rule that says which beacon is mixed into its draw, fixed as it opens. All rounds so far have none.
DO $$ BEGIN
  IF EXISTS (SELECT FROM rounds WHERE beacon <> '') THEN
    RAISE EXCEPTION 'a round has a beacon, which no version of this program ever wrote: somebody changed the database, and the round is not genuine';
  END IF;
END $$;
--> statement-breakpoint
ALTER TABLE "rounds" ADD COLUMN "beacon_rule" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "rounds" ADD CONSTRAINT "rounds_beacon" CHECK ("rounds"."beacon_rule" <> 'none' or "rounds"."beacon" = '');
--> statement-breakpoint
CREATE TRIGGER rounds_beacon_fixed BEFORE UPDATE OF beacon, beacon_rule ON rounds FOR EACH ROW WHEN (NEW.beacon IS DISTINCT FROM OLD.beacon OR NEW.beacon_rule IS DISTINCT FROM OLD.beacon_rule) EXECUTE FUNCTION refuse_change('what a round says is never changed');
