ALTER TABLE `seals` ADD `acts_to` integer;--> statement-breakpoint
ALTER TABLE `seals` ADD `acts` text;--> statement-breakpoint
ALTER TABLE `operator_acts` ADD `member_id` integer;--> statement-breakpoint
ALTER TABLE `operator_acts` ADD `salt` text;--> statement-breakpoint
ALTER TABLE `operator_acts` ADD `content` text;
--> statement-breakpoint
DROP TRIGGER `operator_acts_fixed`;
--> statement-breakpoint
-- An act may be sealed, once, and be emptied when its member is erased.
CREATE TRIGGER `operator_acts_fixed` BEFORE UPDATE ON `operator_acts` WHEN NOT (NEW.id IS OLD.id AND NEW.at IS OLD.at AND NEW.who IS OLD.who AND NEW.host IS OLD.host AND NEW.operator_id IS OLD.operator_id AND NEW.command IS OLD.command AND NEW.outcome IS OLD.outcome AND ((NEW.member_id IS OLD.member_id AND NEW.content IS OLD.content AND (NEW.salt IS NULL OR NEW.salt = OLD.salt) AND NEW.reason IS NULL AND NEW.why IS NULL AND EXISTS (SELECT 1 FROM `erased_members` WHERE 'erased ' || member_id = NEW.words)) OR (NEW.words IS OLD.words AND NEW.reason IS OLD.reason AND NEW.why IS OLD.why AND OLD.content IS NULL AND NEW.content IS NOT NULL AND NEW.salt IS NOT NULL))) BEGIN SELECT RAISE(ABORT, 'what an operator did is never changed'); END;
