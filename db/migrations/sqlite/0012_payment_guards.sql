-- What was ordered, taken back and owed stays as it was written; nothing of it goes.
UPDATE `deposits` SET `unit` = COALESCE((SELECT json_extract(value, '$') FROM settings WHERE name = 'unit'), 'point');
--> statement-breakpoint
CREATE TRIGGER `deposits_no_delete` BEFORE DELETE ON `deposits` BEGIN SELECT RAISE(ABORT, 'deposits are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `deposits_fixed` BEFORE UPDATE ON `deposits` WHEN NEW.order_no IS NOT OLD.order_no OR NEW.member_id IS NOT OLD.member_id OR NEW.channel IS NOT OLD.channel OR NEW.amount IS NOT OLD.amount OR NEW.fee IS NOT OLD.fee OR NEW.unit IS NOT OLD.unit OR NEW.created_at IS NOT OLD.created_at OR NEW.expires_at IS NOT OLD.expires_at BEGIN SELECT RAISE(ABORT, 'what an order says is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `payment_returns_no_delete` BEFORE DELETE ON `payment_returns` BEGIN SELECT RAISE(ABORT, 'payment_returns are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `payment_returns_fixed` BEFORE UPDATE ON `payment_returns` WHEN NEW.deposit_id IS NOT OLD.deposit_id OR NEW.reference IS NOT OLD.reference OR NEW.kind IS NOT OLD.kind OR NEW.amount IS NOT OLD.amount OR NEW.created_at IS NOT OLD.created_at OR (OLD.due IS NOT NULL AND NEW.due IS NOT OLD.due) OR (OLD.ended_at IS NOT NULL AND NEW.ended_at IS NOT OLD.ended_at) BEGIN SELECT RAISE(ABORT, 'what a return says is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `debts_no_delete` BEFORE DELETE ON `debts` BEGIN SELECT RAISE(ABORT, 'debts are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `debts_fixed` BEFORE UPDATE ON `debts` WHEN NEW.member_id IS NOT OLD.member_id OR NEW.return_id IS NOT OLD.return_id OR NEW.amount IS NOT OLD.amount OR NEW.created_at IS NOT OLD.created_at OR (OLD.settled_at IS NOT NULL AND NEW.settled_at IS NOT OLD.settled_at) OR NEW.paid < OLD.paid OR (OLD.settled_at IS NOT NULL AND NEW.paid <> OLD.paid) BEGIN SELECT RAISE(ABORT, 'what a debt says is never changed'); END;
