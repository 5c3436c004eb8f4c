DROP TRIGGER log_tiles_grow ON log_tiles;
--> statement-breakpoint
ALTER TABLE "log_bundles" ALTER COLUMN "data" SET DATA TYPE bytea USING decode(data, 'base64');
--> statement-breakpoint
ALTER TABLE "log_tiles" ALTER COLUMN "hashes" SET DATA TYPE bytea USING decode(hashes, 'hex');
--> statement-breakpoint
CREATE TRIGGER log_tiles_grow BEFORE UPDATE ON log_tiles FOR EACH ROW WHEN (NEW.log IS DISTINCT FROM OLD.log OR NEW.level IS DISTINCT FROM OLD.level OR NEW."index" IS DISTINCT FROM OLD."index" OR substr(NEW.hashes, 1, length(OLD.hashes)) IS DISTINCT FROM OLD.hashes) EXECUTE FUNCTION refuse_change('tiles of the log only grow');
