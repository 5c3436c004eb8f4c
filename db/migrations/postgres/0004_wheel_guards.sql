-- What the wheel said stays: no spin, no table of chances and no seed pair changes or goes.
CREATE TRIGGER spins_no_update BEFORE UPDATE ON spins FOR EACH ROW EXECUTE FUNCTION refuse_change('spins are never changed');
--> statement-breakpoint
CREATE TRIGGER spins_no_delete BEFORE DELETE ON spins FOR EACH ROW EXECUTE FUNCTION refuse_change('spins are never deleted');
--> statement-breakpoint
CREATE TRIGGER wheel_tables_no_update BEFORE UPDATE ON wheel_tables FOR EACH ROW EXECUTE FUNCTION refuse_change('wheel_tables are never changed');
--> statement-breakpoint
CREATE TRIGGER wheel_tables_no_delete BEFORE DELETE ON wheel_tables FOR EACH ROW EXECUTE FUNCTION refuse_change('wheel_tables are never deleted');
--> statement-breakpoint
CREATE TRIGGER wheel_pairs_no_delete BEFORE DELETE ON wheel_pairs FOR EACH ROW EXECUTE FUNCTION refuse_change('wheel_pairs are never deleted');
--> statement-breakpoint
CREATE TRIGGER wheel_pairs_fixed BEFORE UPDATE ON wheel_pairs FOR EACH ROW WHEN (NEW.member_id IS DISTINCT FROM OLD.member_id OR NEW.number IS DISTINCT FROM OLD.number OR NEW."commit" IS DISTINCT FROM OLD."commit" OR NEW.client_seed IS DISTINCT FROM OLD.client_seed OR NEW.created_at IS DISTINCT FROM OLD.created_at OR NEW.nonce NOT IN (OLD.nonce, OLD.nonce + 1) OR (OLD.revealed_at IS NOT NULL AND (NEW.revealed_at IS DISTINCT FROM OLD.revealed_at OR NEW.nonce IS DISTINCT FROM OLD.nonce))) EXECUTE FUNCTION refuse_change('what a seed pair says is never changed');
