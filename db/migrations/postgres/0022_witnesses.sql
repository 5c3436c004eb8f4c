CREATE TABLE "log_cosignatures" (
	"log" integer NOT NULL,
	"size" bigint NOT NULL,
	"witness" text NOT NULL,
	"line" text NOT NULL,
	"signed_at" bigint NOT NULL,
	CONSTRAINT "log_cosignatures_log_size_witness_pk" PRIMARY KEY("log","size","witness")
);
--> statement-breakpoint
CREATE INDEX "log_cosignatures_witness" ON "log_cosignatures" USING btree ("log","witness","size");
--> statement-breakpoint
CREATE TRIGGER log_cosignatures_fixed BEFORE UPDATE ON log_cosignatures FOR EACH ROW EXECUTE FUNCTION refuse_change('what a witness signed is never changed');
--> statement-breakpoint
CREATE FUNCTION log_cosignature_stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM log_heads WHERE log = OLD.log AND size = OLD.size)
  THEN RAISE EXCEPTION 'what a witness signed is kept as long as its head'; END IF;
  RETURN OLD;
END $$;
--> statement-breakpoint
CREATE TRIGGER log_cosignatures_pruned BEFORE DELETE ON log_cosignatures FOR EACH ROW EXECUTE FUNCTION log_cosignature_stays();
--> statement-breakpoint
CREATE TRIGGER log_cosignatures_no_truncate BEFORE TRUNCATE ON log_cosignatures FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('what a witness signed is kept as long as its head');
