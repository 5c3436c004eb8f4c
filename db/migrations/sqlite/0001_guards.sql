-- What is written once stays: nothing in the ledger moves, changes or goes.
CREATE TRIGGER `bets_no_update` BEFORE UPDATE ON `bets` BEGIN SELECT RAISE(ABORT, 'bets are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `payouts_no_update` BEFORE UPDATE ON `payouts` BEGIN SELECT RAISE(ABORT, 'payouts are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `transfers_no_update` BEFORE UPDATE ON `transfers` BEGIN SELECT RAISE(ABORT, 'transfers are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `house_entries_no_update` BEFORE UPDATE ON `house_entries` BEGIN SELECT RAISE(ABORT, 'house_entries are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `seals_no_update` BEFORE UPDATE ON `seals` BEGIN SELECT RAISE(ABORT, 'seals are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `anchors_no_update` BEFORE UPDATE ON `anchors` BEGIN SELECT RAISE(ABORT, 'anchors are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `odds_no_update` BEFORE UPDATE ON `odds` BEGIN SELECT RAISE(ABORT, 'odds are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `gaps_no_update` BEFORE UPDATE ON `gaps` BEGIN SELECT RAISE(ABORT, 'gaps are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `bets_no_delete` BEFORE DELETE ON `bets` BEGIN SELECT RAISE(ABORT, 'bets are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `payouts_no_delete` BEFORE DELETE ON `payouts` BEGIN SELECT RAISE(ABORT, 'payouts are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `transfers_no_delete` BEFORE DELETE ON `transfers` BEGIN SELECT RAISE(ABORT, 'transfers are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `house_entries_no_delete` BEFORE DELETE ON `house_entries` BEGIN SELECT RAISE(ABORT, 'house_entries are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `seals_no_delete` BEFORE DELETE ON `seals` BEGIN SELECT RAISE(ABORT, 'seals are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `anchors_no_delete` BEFORE DELETE ON `anchors` BEGIN SELECT RAISE(ABORT, 'anchors are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `odds_no_delete` BEFORE DELETE ON `odds` BEGIN SELECT RAISE(ABORT, 'odds are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `gaps_no_delete` BEFORE DELETE ON `gaps` BEGIN SELECT RAISE(ABORT, 'gaps are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `rounds_no_delete` BEFORE DELETE ON `rounds` BEGIN SELECT RAISE(ABORT, 'rounds are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `wallets_no_delete` BEFORE DELETE ON `wallets` BEGIN SELECT RAISE(ABORT, 'wallets are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `members_no_delete` BEFORE DELETE ON `members` BEGIN SELECT RAISE(ABORT, 'members are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `rounds_fixed` BEFORE UPDATE ON `rounds` WHEN NEW.game_id IS NOT OLD.game_id OR NEW.day IS NOT OLD.day OR NEW.number IS NOT OLD.number OR NEW.`commit` IS NOT OLD.`commit` OR NEW.odds_id IS NOT OLD.odds_id OR NEW.opened_at IS NOT OLD.opened_at OR NEW.closes_at IS NOT OLD.closes_at OR NEW.draws_at IS NOT OLD.draws_at OR NEW.from_bet IS NOT OLD.from_bet OR (OLD.closed_at IS NOT NULL AND NEW.closed_at IS NOT OLD.closed_at) OR (OLD.to_bet IS NOT NULL AND NEW.to_bet IS NOT OLD.to_bet) OR (OLD.seed IS NOT NULL AND NEW.seed IS NOT OLD.seed) OR (OLD.dice IS NOT NULL AND NEW.dice IS NOT OLD.dice) OR (OLD.drawn_at IS NOT NULL AND NEW.drawn_at IS NOT OLD.drawn_at) OR (OLD.settled_at IS NOT NULL AND NEW.settled_at IS NOT OLD.settled_at) OR (OLD.indexed_at IS NOT NULL AND NEW.indexed_at IS NOT OLD.indexed_at) OR (OLD.settled_at IS NOT NULL AND (NEW.paid IS NOT OLD.paid OR NEW.staked IS NOT OLD.staked OR NEW.bet_count IS NOT OLD.bet_count)) OR NEW.settled_to < OLD.settled_to OR (OLD.closed_at IS NOT NULL AND NEW.beacon IS NOT OLD.beacon) BEGIN SELECT RAISE(ABORT, 'what a round says is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `rounds_fence` BEFORE INSERT ON `bets` WHEN (SELECT closed_at FROM rounds WHERE id = NEW.round_id) IS NOT NULL BEGIN SELECT RAISE(ABORT, 'the round is closed for good'); END;
--> statement-breakpoint
CREATE TRIGGER `games_fixed` BEFORE UPDATE ON `games` WHEN NEW.key IS NOT OLD.key OR NEW.kind IS NOT OLD.kind OR NEW.period_s IS NOT OLD.period_s BEGIN SELECT RAISE(ABORT, 'the clock of a game is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `wallets_version` BEFORE UPDATE OF balance, version ON `wallets` WHEN (NEW.balance <> OLD.balance AND NEW.version <> OLD.version + 1) OR (NEW.balance = OLD.balance AND NEW.version <> OLD.version) BEGIN SELECT RAISE(ABORT, 'a balance changes with its version, by one'); END;
