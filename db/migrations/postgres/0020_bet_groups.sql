CREATE TABLE "bet_groups" (
	"round_id" bigint NOT NULL,
	"first" bigint NOT NULL,
	"steps" json NOT NULL,
	"staked" bigint NOT NULL,
	"root" text,
	"leaves" text,
	CONSTRAINT "bet_groups_round_id_first_pk" PRIMARY KEY("round_id","first")
);
--> statement-breakpoint
ALTER TABLE "log_rounds" ADD COLUMN "grown_to" bigint;--> statement-breakpoint
ALTER TABLE "bet_groups" ADD CONSTRAINT "bet_groups_round_id_rounds_id_fk" FOREIGN KEY ("round_id") REFERENCES "public"."rounds"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE TRIGGER bet_groups_fixed BEFORE UPDATE ON bet_groups FOR EACH ROW WHEN (OLD.root IS NOT NULL OR NEW.round_id IS DISTINCT FROM OLD.round_id OR NEW.first IS DISTINCT FROM OLD.first) EXECUTE FUNCTION refuse_change('a group of bets that has its root is never changed');
--> statement-breakpoint
CREATE TRIGGER bet_groups_no_delete BEFORE DELETE ON bet_groups FOR EACH ROW EXECUTE FUNCTION refuse_change('groups of bets are never deleted');
--> statement-breakpoint
CREATE TRIGGER bet_groups_no_truncate BEFORE TRUNCATE ON bet_groups FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('groups of bets are never deleted');
