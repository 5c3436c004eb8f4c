-- A pair is written with its commit alone, before its words. Pairs so far had their words first: they end here, unbound.
DROP TRIGGER wheel_pairs_fixed ON wheel_pairs;
--> statement-breakpoint
ALTER TABLE "wheel_pairs" ADD COLUMN "words" text;--> statement-breakpoint
ALTER TABLE "wheel_pairs" ADD COLUMN "words_by" text;--> statement-breakpoint
ALTER TABLE "wheel_pairs" ADD COLUMN "table_id" bigint;--> statement-breakpoint
ALTER TABLE "wheel_pairs" ADD COLUMN "table_hash" text;--> statement-breakpoint
ALTER TABLE "wheel_pairs" ADD CONSTRAINT "wheel_pairs_table_id_wheel_tables_id_fk" FOREIGN KEY ("table_id") REFERENCES "public"."wheel_tables"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
UPDATE wheel_pairs SET words = client_seed, revealed_at = coalesce(revealed_at, (extract(epoch from clock_timestamp()) * 1000)::bigint);
--> statement-breakpoint
ALTER TABLE "wheel_pairs" DROP COLUMN "client_seed";--> statement-breakpoint
CREATE UNIQUE INDEX "wheel_pairs_next" ON "wheel_pairs" USING btree ("member_id") WHERE "wheel_pairs"."words" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "wheel_pairs_open" ON "wheel_pairs" USING btree ("member_id") WHERE "wheel_pairs"."words" is not null and "wheel_pairs"."revealed_at" is null;
--> statement-breakpoint
-- A table says from here on what each prize gives.
INSERT INTO wheel_tables (prizes, created_at)
SELECT coalesce(json_agg(json_build_object('id', id, 'weight', weight, 'title', title, 'image', image, 'kind', kind, 'amount', amount) ORDER BY position), '[]'), (extract(epoch from clock_timestamp()) * 1000)::bigint
FROM prizes WHERE offered AND (stock IS NULL OR stock > 0)
HAVING EXISTS (SELECT FROM wheel_tables);
--> statement-breakpoint
CREATE FUNCTION wheel_pair_begins() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.number IS DISTINCT FROM (SELECT coalesce(max(number) + 1, 0) FROM wheel_pairs WHERE member_id = NEW.member_id)
    OR NEW.words IS NOT NULL OR NEW.words_by IS NOT NULL OR NEW.table_id IS NOT NULL OR NEW.table_hash IS NOT NULL
    OR NEW.nonce <> 0 OR NEW.revealed_at IS NOT NULL
  THEN RAISE EXCEPTION 'a seed pair begins as the next number with its commit alone'; END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER wheel_pairs_begin BEFORE INSERT ON wheel_pairs FOR EACH ROW EXECUTE FUNCTION wheel_pair_begins();
--> statement-breakpoint
CREATE TRIGGER wheel_pairs_fixed BEFORE UPDATE ON wheel_pairs FOR EACH ROW WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.member_id IS DISTINCT FROM OLD.member_id OR NEW.number IS DISTINCT FROM OLD.number OR NEW."commit" IS DISTINCT FROM OLD."commit" OR NEW.created_at IS DISTINCT FROM OLD.created_at OR (OLD.words IS NOT NULL AND (NEW.words IS DISTINCT FROM OLD.words OR NEW.words_by IS DISTINCT FROM OLD.words_by OR NEW.table_id IS DISTINCT FROM OLD.table_id OR NEW.table_hash IS DISTINCT FROM OLD.table_hash)) OR (OLD.words IS NULL AND (NEW.nonce <> 0 OR NEW.revealed_at IS NOT NULL OR num_nulls(NEW.words, NEW.words_by, NEW.table_id, NEW.table_hash) NOT IN (0, 4))) OR NEW.nonce NOT IN (OLD.nonce, OLD.nonce + 1) OR (OLD.revealed_at IS NOT NULL AND (NEW.revealed_at IS DISTINCT FROM OLD.revealed_at OR NEW.nonce IS DISTINCT FROM OLD.nonce))) EXECUTE FUNCTION refuse_change('what a seed pair says is never changed');
