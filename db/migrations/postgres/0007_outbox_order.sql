ALTER TABLE "outbox" ADD COLUMN "transaction" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- Each row knows its transaction, so that readers stop before the oldest that is still running.
ALTER TABLE "outbox" ALTER COLUMN "transaction" SET DEFAULT pg_current_xact_id()::text::bigint;
--> statement-breakpoint
CREATE INDEX outbox_order ON outbox ("transaction", id);
--> statement-breakpoint
CREATE FUNCTION wake_processes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_notify('outbox', ''); RETURN NULL; END $$;
--> statement-breakpoint
CREATE TRIGGER outbox_wakes AFTER INSERT ON outbox FOR EACH STATEMENT EXECUTE FUNCTION wake_processes();
--> statement-breakpoint
-- The bets of a commit have neighbouring numbers, whoever else takes bets meanwhile: their house entry names them from..to.
CREATE FUNCTION take_bet_numbers(how_many bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE first bigint;
BEGIN
  PERFORM pg_advisory_lock(7247, 2);
  first := nextval(pg_get_serial_sequence('bets', 'id'));
  IF how_many > 1 THEN PERFORM setval(pg_get_serial_sequence('bets', 'id'), first + how_many - 1); END IF;
  PERFORM pg_advisory_unlock(7247, 2);
  RETURN first;
END $$;
--> statement-breakpoint
-- Up to where everything is committed: whoever writes the ledger holds the shared lock until its commit.
CREATE FUNCTION ledger_reach(OUT house_to bigint, OUT transfers_to bigint) LANGUAGE plpgsql SET lock_timeout = '200ms' AS $$
BEGIN
  PERFORM pg_advisory_lock(7247, 1);
  SELECT coalesce(max(id), 0) INTO house_to FROM house_entries;
  SELECT coalesce(max(id), 0) INTO transfers_to FROM transfers;
  PERFORM pg_advisory_unlock(7247, 1);
END $$;
--> statement-breakpoint
-- The fence of the bets, looked at once a statement.
DROP TRIGGER rounds_fence ON bets;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION refuse_closed_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM rounds WHERE closed_at IS NOT NULL AND id IN (SELECT round_id FROM added)) THEN
    RAISE EXCEPTION 'the round is closed for good';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER rounds_fence AFTER INSERT ON bets REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_round();
--> statement-breakpoint
-- What is never deleted is never emptied either.
DO $$ DECLARE name text; BEGIN
  FOREACH name IN ARRAY ARRAY['bets', 'payouts', 'transfers', 'house_entries', 'seals', 'anchors', 'odds', 'gaps', 'rounds', 'wallets', 'members', 'spins', 'wheel_tables', 'wheel_pairs'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change(%L)', name || '_no_truncate', name, name || ' are never deleted');
  END LOOP;
END $$;
