ALTER TABLE "rounds" ADD COLUMN "refunded_at" bigint;
--> statement-breakpoint
ALTER TABLE "rounds" ADD CONSTRAINT "rounds_refunded" CHECK ("rounds"."refunded_at" is null or ("rounds"."closed_at" is not null and "rounds"."drawn_at" is null and "rounds"."beacon_rule" <> 'none'));
--> statement-breakpoint
-- Whether stakes go back is said once, before anybody is paid. A round that failed waits for its retry.
CREATE TRIGGER rounds_refunded_fixed BEFORE UPDATE OF refunded_at ON rounds FOR EACH ROW WHEN (NEW.refunded_at IS DISTINCT FROM OLD.refunded_at AND (OLD.refunded_at IS NOT NULL OR OLD.settled_at IS NOT NULL OR OLD.settled_to > 0 OR OLD.failed_at IS NOT NULL)) EXECUTE FUNCTION refuse_change('what a round says is never changed');
