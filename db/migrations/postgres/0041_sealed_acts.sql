ALTER TABLE "seals" ADD COLUMN "acts_to" bigint;--> statement-breakpoint
ALTER TABLE "seals" ADD COLUMN "acts" json;--> statement-breakpoint
ALTER TABLE "operator_acts" ADD COLUMN "member_id" bigint;--> statement-breakpoint
ALTER TABLE "operator_acts" ADD COLUMN "salt" text;--> statement-breakpoint
ALTER TABLE "operator_acts" ADD COLUMN "content" text;
--> statement-breakpoint
DROP TRIGGER operator_acts_fixed ON operator_acts;
--> statement-breakpoint
-- An act may be sealed, once, and be emptied when its member is erased.
CREATE TRIGGER operator_acts_fixed BEFORE UPDATE ON operator_acts FOR EACH ROW WHEN (NOT (NEW.id IS NOT DISTINCT FROM OLD.id AND NEW.at IS NOT DISTINCT FROM OLD.at AND NEW.who IS NOT DISTINCT FROM OLD.who AND NEW.host IS NOT DISTINCT FROM OLD.host AND NEW.operator_id IS NOT DISTINCT FROM OLD.operator_id AND NEW.command IS NOT DISTINCT FROM OLD.command AND NEW.outcome IS NOT DISTINCT FROM OLD.outcome AND ((NEW.member_id IS NOT DISTINCT FROM OLD.member_id AND NEW.content IS NOT DISTINCT FROM OLD.content AND (NEW.salt IS NULL OR NEW.salt = OLD.salt) AND NEW.reason IS NULL AND NEW.why IS NULL AND is_erased_name(NEW.words)) OR (NEW.words IS NOT DISTINCT FROM OLD.words AND NEW.reason IS NOT DISTINCT FROM OLD.reason AND NEW.why IS NOT DISTINCT FROM OLD.why AND OLD.content IS NULL AND NEW.content IS NOT NULL AND NEW.salt IS NOT NULL)))) EXECUTE FUNCTION refuse_change('what an operator did is never changed');
--> statement-breakpoint
DROP FUNCTION ledger_reach();
--> statement-breakpoint
-- Up to where everything is committed: whoever writes what seals cover holds the shared lock until its commit.
CREATE FUNCTION ledger_reach(OUT house_to bigint, OUT transfers_to bigint, OUT acts_to bigint) LANGUAGE plpgsql SET lock_timeout = '200ms' AS $$
BEGIN
  PERFORM pg_advisory_lock(7247, 1);
  SELECT coalesce(max(id), 0) INTO house_to FROM house_entries;
  SELECT coalesce(max(id), 0) INTO transfers_to FROM transfers;
  SELECT coalesce(max(id), 0) INTO acts_to FROM operator_acts;
  PERFORM pg_advisory_unlock(7247, 1);
END $$;
