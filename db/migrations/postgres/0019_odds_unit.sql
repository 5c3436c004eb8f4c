ALTER TABLE "odds" ADD COLUMN "unit" text DEFAULT 'point' NOT NULL;
--> statement-breakpoint
DROP TRIGGER odds_no_update ON odds;
--> statement-breakpoint
-- The unit as it is now, also within a statement that has waited.
CREATE FUNCTION ledger_unit() RETURNS text LANGUAGE plpgsql VOLATILE AS $$ BEGIN
  RETURN coalesce((SELECT value #>> '{}' FROM settings WHERE name = 'unit'), 'point');
END $$;
--> statement-breakpoint
UPDATE odds SET unit = ledger_unit();
--> statement-breakpoint
CREATE TRIGGER odds_no_update BEFORE UPDATE ON odds FOR EACH ROW EXECUTE FUNCTION refuse_change('odds are never changed');
