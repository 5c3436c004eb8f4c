-- What the wheel said stays: no spin, no table of chances and no seed pair changes or goes.
CREATE TRIGGER `spins_no_update` BEFORE UPDATE ON `spins` BEGIN SELECT RAISE(ABORT, 'spins are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `spins_no_delete` BEFORE DELETE ON `spins` BEGIN SELECT RAISE(ABORT, 'spins are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `wheel_tables_no_update` BEFORE UPDATE ON `wheel_tables` BEGIN SELECT RAISE(ABORT, 'wheel_tables are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `wheel_tables_no_delete` BEFORE DELETE ON `wheel_tables` BEGIN SELECT RAISE(ABORT, 'wheel_tables are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `wheel_pairs_no_delete` BEFORE DELETE ON `wheel_pairs` BEGIN SELECT RAISE(ABORT, 'wheel_pairs are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `wheel_pairs_fixed` BEFORE UPDATE ON `wheel_pairs` WHEN NEW.member_id IS NOT OLD.member_id OR NEW.number IS NOT OLD.number OR NEW.`commit` IS NOT OLD.`commit` OR NEW.client_seed IS NOT OLD.client_seed OR NEW.created_at IS NOT OLD.created_at OR NEW.nonce NOT IN (OLD.nonce, OLD.nonce + 1) OR (OLD.revealed_at IS NOT NULL AND (NEW.revealed_at IS NOT OLD.revealed_at OR NEW.nonce IS NOT OLD.nonce)) BEGIN SELECT RAISE(ABORT, 'what a seed pair says is never changed'); END;
