CREATE TABLE "erased_members" (
	"member_id" bigint PRIMARY KEY NOT NULL,
	"mark" text NOT NULL,
	"reason" text NOT NULL,
	"erased_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "kept_salts" (
	"member_id" bigint NOT NULL,
	"name" text NOT NULL,
	"salt" text NOT NULL,
	CONSTRAINT "kept_salts_member_id_name_pk" PRIMARY KEY("member_id","name")
);
--> statement-breakpoint
CREATE TABLE "play_hours" (
	"hour" integer PRIMARY KEY NOT NULL,
	"counts" json NOT NULL,
	"previous" text NOT NULL,
	"hash" text NOT NULL,
	"salt" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "member_leaves" ADD COLUMN "salt" text;--> statement-breakpoint
ALTER TABLE "erased_members" ADD CONSTRAINT "erased_members_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kept_salts" ADD CONSTRAINT "kept_salts_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- A trigger's condition holds no query, so functions ask.
CREATE FUNCTION is_erased(bigint) RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT EXISTS (SELECT 1 FROM erased_members WHERE member_id = $1) $$;
--> statement-breakpoint
CREATE FUNCTION is_erased_name(text) RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT EXISTS (SELECT 1 FROM erased_members WHERE 'erased ' || member_id = $1) $$;
--> statement-breakpoint
CREATE FUNCTION may_be_erased(bigint) RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT EXISTS (SELECT 1 FROM wallets WHERE member_id = $1 AND balance = 0 AND frozen) $$;
--> statement-breakpoint
CREATE TRIGGER erased_members_no_update BEFORE UPDATE ON erased_members FOR EACH ROW EXECUTE FUNCTION refuse_change('an erasure is never changed');
--> statement-breakpoint
CREATE TRIGGER erased_members_no_delete BEFORE DELETE ON erased_members FOR EACH ROW EXECUTE FUNCTION refuse_change('an erasure is never deleted');
--> statement-breakpoint
CREATE TRIGGER erased_members_no_truncate BEFORE TRUNCATE ON erased_members FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('an erasure is never deleted');
--> statement-breakpoint
CREATE TRIGGER kept_salts_no_update BEFORE UPDATE ON kept_salts FOR EACH ROW EXECUTE FUNCTION refuse_change('kept salts are never changed');
--> statement-breakpoint
CREATE TRIGGER kept_salts_no_delete BEFORE DELETE ON kept_salts FOR EACH ROW EXECUTE FUNCTION refuse_change('kept salts are never deleted');
--> statement-breakpoint
CREATE TRIGGER kept_salts_no_truncate BEFORE TRUNCATE ON kept_salts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('kept salts are never deleted');
--> statement-breakpoint
CREATE TRIGGER play_hours_no_update BEFORE UPDATE ON play_hours FOR EACH ROW EXECUTE FUNCTION refuse_change('the plays of an hour are never changed');
--> statement-breakpoint
CREATE TRIGGER play_hours_no_delete BEFORE DELETE ON play_hours FOR EACH ROW EXECUTE FUNCTION refuse_change('the plays of an hour are never deleted');
--> statement-breakpoint
CREATE TRIGGER play_hours_no_truncate BEFORE TRUNCATE ON play_hours FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the plays of an hour are never deleted');
--> statement-breakpoint
CREATE TRIGGER erased_members_empty BEFORE INSERT ON erased_members FOR EACH ROW WHEN (NOT may_be_erased(NEW.member_id)) EXECUTE FUNCTION refuse_change('a member is erased once nothing is left in the wallet, which is locked');
--> statement-breakpoint
CREATE TRIGGER members_erased BEFORE UPDATE ON members FOR EACH ROW WHEN (is_erased(OLD.id)) EXECUTE FUNCTION refuse_change('an erased member is never changed');
--> statement-breakpoint
DROP TRIGGER member_leaves_no_update ON member_leaves;
--> statement-breakpoint
CREATE TRIGGER member_leaves_no_update BEFORE UPDATE ON member_leaves FOR EACH ROW WHEN (NOT (NEW.id = OLD.id AND NEW.member_id = OLD.member_id AND NEW.number = OLD.number AND NEW.key = OLD.key AND NEW.hash = OLD.hash AND OLD.salt IS NULL AND ((NEW.content = OLD.content AND NEW.salt IS NOT NULL) OR (NEW.content = '' AND NEW.salt IS NULL)) AND is_erased(OLD.member_id))) EXECUTE FUNCTION refuse_change('what the log says of members is never changed');
--> statement-breakpoint
CREATE TRIGGER member_salts_no_delete BEFORE DELETE ON member_salts FOR EACH ROW WHEN (NOT is_erased(OLD.member_id)) EXECUTE FUNCTION refuse_change('the salt of a member goes with its member alone');
--> statement-breakpoint
CREATE TRIGGER member_salts_no_truncate BEFORE TRUNCATE ON member_salts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the salt of a member goes with its member alone');
--> statement-breakpoint
CREATE TRIGGER member_salts_once BEFORE INSERT ON member_salts FOR EACH ROW WHEN (is_erased(NEW.member_id)) EXECUTE FUNCTION refuse_change('an erased member gets no other salt');
--> statement-breakpoint
DROP TRIGGER wheel_pairs_fixed ON wheel_pairs;
--> statement-breakpoint
CREATE TRIGGER wheel_pairs_fixed BEFORE UPDATE ON wheel_pairs FOR EACH ROW WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.member_id IS DISTINCT FROM OLD.member_id OR NEW.number IS DISTINCT FROM OLD.number OR NEW."commit" IS DISTINCT FROM OLD."commit" OR NEW.created_at IS DISTINCT FROM OLD.created_at OR (OLD.words IS NOT NULL AND ((NEW.words IS DISTINCT FROM OLD.words AND NOT (NEW.words = '' AND is_erased(OLD.member_id))) OR NEW.words_by IS DISTINCT FROM OLD.words_by OR NEW.table_id IS DISTINCT FROM OLD.table_id OR NEW.table_hash IS DISTINCT FROM OLD.table_hash)) OR (OLD.words IS NULL AND (NEW.nonce <> 0 OR NEW.revealed_at IS NOT NULL OR num_nulls(NEW.words, NEW.words_by, NEW.table_id, NEW.table_hash) NOT IN (0, 4))) OR NEW.nonce NOT IN (OLD.nonce, OLD.nonce + 1) OR (OLD.revealed_at IS NOT NULL AND (NEW.revealed_at IS DISTINCT FROM OLD.revealed_at OR NEW.nonce IS DISTINCT FROM OLD.nonce))) EXECUTE FUNCTION refuse_change('what a seed pair says is never changed');
--> statement-breakpoint
DROP TRIGGER operator_acts_fixed ON operator_acts;
--> statement-breakpoint
CREATE TRIGGER operator_acts_fixed BEFORE UPDATE ON operator_acts FOR EACH ROW WHEN (NOT (NEW.id = OLD.id AND NEW.at = OLD.at AND NEW.who = OLD.who AND NEW.host = OLD.host AND NEW.command = OLD.command AND NEW.outcome = OLD.outcome AND NEW.reason IS NULL AND NEW.why IS NULL AND is_erased_name(NEW.words))) EXECUTE FUNCTION refuse_change('what an operator did is never changed');
