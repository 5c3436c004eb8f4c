-- What is written once stays: nothing in the ledger moves, changes or goes.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END $$;
--> statement-breakpoint
CREATE TRIGGER bets_no_update BEFORE UPDATE ON bets FOR EACH ROW EXECUTE FUNCTION refuse_change('bets are never changed');
--> statement-breakpoint
CREATE TRIGGER payouts_no_update BEFORE UPDATE ON payouts FOR EACH ROW EXECUTE FUNCTION refuse_change('payouts are never changed');
--> statement-breakpoint
CREATE TRIGGER transfers_no_update BEFORE UPDATE ON transfers FOR EACH ROW EXECUTE FUNCTION refuse_change('transfers are never changed');
--> statement-breakpoint
CREATE TRIGGER house_entries_no_update BEFORE UPDATE ON house_entries FOR EACH ROW EXECUTE FUNCTION refuse_change('house_entries are never changed');
--> statement-breakpoint
CREATE TRIGGER seals_no_update BEFORE UPDATE ON seals FOR EACH ROW EXECUTE FUNCTION refuse_change('seals are never changed');
--> statement-breakpoint
CREATE TRIGGER anchors_no_update BEFORE UPDATE ON anchors FOR EACH ROW EXECUTE FUNCTION refuse_change('anchors are never changed');
--> statement-breakpoint
CREATE TRIGGER odds_no_update BEFORE UPDATE ON odds FOR EACH ROW EXECUTE FUNCTION refuse_change('odds are never changed');
--> statement-breakpoint
CREATE TRIGGER gaps_no_update BEFORE UPDATE ON gaps FOR EACH ROW EXECUTE FUNCTION refuse_change('gaps are never changed');
--> statement-breakpoint
CREATE TRIGGER bets_no_delete BEFORE DELETE ON bets FOR EACH ROW EXECUTE FUNCTION refuse_change('bets are never deleted');
--> statement-breakpoint
CREATE TRIGGER payouts_no_delete BEFORE DELETE ON payouts FOR EACH ROW EXECUTE FUNCTION refuse_change('payouts are never deleted');
--> statement-breakpoint
CREATE TRIGGER transfers_no_delete BEFORE DELETE ON transfers FOR EACH ROW EXECUTE FUNCTION refuse_change('transfers are never deleted');
--> statement-breakpoint
CREATE TRIGGER house_entries_no_delete BEFORE DELETE ON house_entries FOR EACH ROW EXECUTE FUNCTION refuse_change('house_entries are never deleted');
--> statement-breakpoint
CREATE TRIGGER seals_no_delete BEFORE DELETE ON seals FOR EACH ROW EXECUTE FUNCTION refuse_change('seals are never deleted');
--> statement-breakpoint
CREATE TRIGGER anchors_no_delete BEFORE DELETE ON anchors FOR EACH ROW EXECUTE FUNCTION refuse_change('anchors are never deleted');
--> statement-breakpoint
CREATE TRIGGER odds_no_delete BEFORE DELETE ON odds FOR EACH ROW EXECUTE FUNCTION refuse_change('odds are never deleted');
--> statement-breakpoint
CREATE TRIGGER gaps_no_delete BEFORE DELETE ON gaps FOR EACH ROW EXECUTE FUNCTION refuse_change('gaps are never deleted');
--> statement-breakpoint
CREATE TRIGGER rounds_no_delete BEFORE DELETE ON rounds FOR EACH ROW EXECUTE FUNCTION refuse_change('rounds are never deleted');
--> statement-breakpoint
CREATE TRIGGER wallets_no_delete BEFORE DELETE ON wallets FOR EACH ROW EXECUTE FUNCTION refuse_change('wallets are never deleted');
--> statement-breakpoint
CREATE TRIGGER members_no_delete BEFORE DELETE ON members FOR EACH ROW EXECUTE FUNCTION refuse_change('members are never deleted');
--> statement-breakpoint
CREATE TRIGGER rounds_fixed BEFORE UPDATE ON rounds FOR EACH ROW WHEN (NEW.game_id IS DISTINCT FROM OLD.game_id OR NEW.day IS DISTINCT FROM OLD.day OR NEW.number IS DISTINCT FROM OLD.number OR NEW."commit" IS DISTINCT FROM OLD."commit" OR NEW.odds_id IS DISTINCT FROM OLD.odds_id OR NEW.opened_at IS DISTINCT FROM OLD.opened_at OR NEW.closes_at IS DISTINCT FROM OLD.closes_at OR NEW.draws_at IS DISTINCT FROM OLD.draws_at OR NEW.from_bet IS DISTINCT FROM OLD.from_bet OR (OLD.closed_at IS NOT NULL AND NEW.closed_at IS DISTINCT FROM OLD.closed_at) OR (OLD.to_bet IS NOT NULL AND NEW.to_bet IS DISTINCT FROM OLD.to_bet) OR (OLD.seed IS NOT NULL AND NEW.seed IS DISTINCT FROM OLD.seed) OR (OLD.dice IS NOT NULL AND NEW.dice::text IS DISTINCT FROM OLD.dice::text) OR (OLD.drawn_at IS NOT NULL AND NEW.drawn_at IS DISTINCT FROM OLD.drawn_at) OR (OLD.settled_at IS NOT NULL AND NEW.settled_at IS DISTINCT FROM OLD.settled_at) OR (OLD.indexed_at IS NOT NULL AND NEW.indexed_at IS DISTINCT FROM OLD.indexed_at) OR (OLD.settled_at IS NOT NULL AND (NEW.paid IS DISTINCT FROM OLD.paid OR NEW.staked IS DISTINCT FROM OLD.staked OR NEW.bet_count IS DISTINCT FROM OLD.bet_count)) OR NEW.settled_to < OLD.settled_to OR (OLD.closed_at IS NOT NULL AND NEW.beacon IS DISTINCT FROM OLD.beacon)) EXECUTE FUNCTION refuse_change('what a round says is never changed');
--> statement-breakpoint
CREATE FUNCTION refuse_closed_round() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF (SELECT closed_at FROM rounds WHERE id = NEW.round_id) IS NOT NULL THEN RAISE EXCEPTION 'the round is closed for good'; END IF; RETURN NEW; END $$;
--> statement-breakpoint
CREATE TRIGGER rounds_fence BEFORE INSERT ON bets FOR EACH ROW EXECUTE FUNCTION refuse_closed_round();
--> statement-breakpoint
CREATE TRIGGER games_fixed BEFORE UPDATE ON games FOR EACH ROW WHEN (NEW.key IS DISTINCT FROM OLD.key OR NEW.kind IS DISTINCT FROM OLD.kind OR NEW.period_s IS DISTINCT FROM OLD.period_s) EXECUTE FUNCTION refuse_change('the clock of a game is never changed');
--> statement-breakpoint
CREATE TRIGGER wallets_version BEFORE UPDATE OF balance, version ON wallets FOR EACH ROW WHEN ((NEW.balance <> OLD.balance AND NEW.version <> OLD.version + 1) OR (NEW.balance = OLD.balance AND NEW.version <> OLD.version)) EXECUTE FUNCTION refuse_change('a balance changes with its version, by one');
