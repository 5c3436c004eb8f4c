-- What was ordered, taken back and owed stays as it was written; nothing of it goes.
UPDATE deposits SET unit = COALESCE((SELECT value #>> '{}' FROM settings WHERE name = 'unit'), 'point');
--> statement-breakpoint
CREATE TRIGGER deposits_no_delete BEFORE DELETE ON deposits FOR EACH ROW EXECUTE FUNCTION refuse_change('deposits are never deleted');
--> statement-breakpoint
CREATE TRIGGER deposits_fixed BEFORE UPDATE ON deposits FOR EACH ROW WHEN (NEW.order_no IS DISTINCT FROM OLD.order_no OR NEW.member_id IS DISTINCT FROM OLD.member_id OR NEW.channel IS DISTINCT FROM OLD.channel OR NEW.amount IS DISTINCT FROM OLD.amount OR NEW.fee IS DISTINCT FROM OLD.fee OR NEW.unit IS DISTINCT FROM OLD.unit OR NEW.created_at IS DISTINCT FROM OLD.created_at OR NEW.expires_at IS DISTINCT FROM OLD.expires_at) EXECUTE FUNCTION refuse_change('what an order says is never changed');
--> statement-breakpoint
CREATE TRIGGER payment_returns_no_delete BEFORE DELETE ON payment_returns FOR EACH ROW EXECUTE FUNCTION refuse_change('payment_returns are never deleted');
--> statement-breakpoint
CREATE TRIGGER payment_returns_fixed BEFORE UPDATE ON payment_returns FOR EACH ROW WHEN (NEW.deposit_id IS DISTINCT FROM OLD.deposit_id OR NEW.reference IS DISTINCT FROM OLD.reference OR NEW.kind IS DISTINCT FROM OLD.kind OR NEW.amount IS DISTINCT FROM OLD.amount OR NEW.created_at IS DISTINCT FROM OLD.created_at OR (OLD.due IS NOT NULL AND NEW.due IS DISTINCT FROM OLD.due) OR (OLD.ended_at IS NOT NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at)) EXECUTE FUNCTION refuse_change('what a return says is never changed');
--> statement-breakpoint
CREATE TRIGGER debts_no_delete BEFORE DELETE ON debts FOR EACH ROW EXECUTE FUNCTION refuse_change('debts are never deleted');
--> statement-breakpoint
CREATE TRIGGER debts_fixed BEFORE UPDATE ON debts FOR EACH ROW WHEN (NEW.member_id IS DISTINCT FROM OLD.member_id OR NEW.return_id IS DISTINCT FROM OLD.return_id OR NEW.amount IS DISTINCT FROM OLD.amount OR NEW.created_at IS DISTINCT FROM OLD.created_at OR (OLD.settled_at IS NOT NULL AND NEW.settled_at IS DISTINCT FROM OLD.settled_at) OR NEW.paid < OLD.paid OR (OLD.settled_at IS NOT NULL AND NEW.paid <> OLD.paid)) EXECUTE FUNCTION refuse_change('what a debt says is never changed');
