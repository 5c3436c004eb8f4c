-- A pair is written with its commit alone, before its words. Pairs so far had their words first: they end here, unbound.
DROP TRIGGER `wheel_pairs_fixed`;
--> statement-breakpoint
ALTER TABLE `wheel_pairs` ADD `words` text;--> statement-breakpoint
ALTER TABLE `wheel_pairs` ADD `words_by` text;--> statement-breakpoint
ALTER TABLE `wheel_pairs` ADD `table_id` integer REFERENCES wheel_tables(id);--> statement-breakpoint
ALTER TABLE `wheel_pairs` ADD `table_hash` text;--> statement-breakpoint
UPDATE `wheel_pairs` SET `words` = `client_seed`, `revealed_at` = coalesce(`revealed_at`, cast(unixepoch('subsec') * 1000 as integer));
--> statement-breakpoint
ALTER TABLE `wheel_pairs` DROP COLUMN `client_seed`;--> statement-breakpoint
CREATE UNIQUE INDEX `wheel_pairs_next` ON `wheel_pairs` (`member_id`) WHERE "wheel_pairs"."words" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `wheel_pairs_open` ON `wheel_pairs` (`member_id`) WHERE "wheel_pairs"."words" is not null and "wheel_pairs"."revealed_at" is null;
--> statement-breakpoint
-- A table says from here on what each prize gives.
INSERT INTO `wheel_tables` (`prizes`, `created_at`)
SELECT json_group_array(json_object('id', `id`, 'weight', `weight`, 'title', json(`title`), 'image', `image`, 'kind', `kind`, 'amount', `amount`)), cast(unixepoch('subsec') * 1000 as integer)
FROM (SELECT * FROM `prizes` WHERE `offered` AND (`stock` IS NULL OR `stock` > 0) ORDER BY `position`)
HAVING EXISTS (SELECT 1 FROM `wheel_tables`);
--> statement-breakpoint
CREATE TRIGGER `wheel_pairs_begin` BEFORE INSERT ON `wheel_pairs` WHEN NEW.number IS NOT (SELECT coalesce(max(number) + 1, 0) FROM `wheel_pairs` WHERE member_id = NEW.member_id) OR NEW.words IS NOT NULL OR NEW.words_by IS NOT NULL OR NEW.table_id IS NOT NULL OR NEW.table_hash IS NOT NULL OR NEW.nonce <> 0 OR NEW.revealed_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'a seed pair begins as the next number with its commit alone'); END;
--> statement-breakpoint
CREATE TRIGGER `wheel_pairs_fixed` BEFORE UPDATE ON `wheel_pairs` WHEN NEW.id IS NOT OLD.id OR NEW.member_id IS NOT OLD.member_id OR NEW.number IS NOT OLD.number OR NEW.`commit` IS NOT OLD.`commit` OR NEW.created_at IS NOT OLD.created_at OR (OLD.words IS NOT NULL AND (NEW.words IS NOT OLD.words OR NEW.words_by IS NOT OLD.words_by OR NEW.table_id IS NOT OLD.table_id OR NEW.table_hash IS NOT OLD.table_hash)) OR (OLD.words IS NULL AND (NEW.nonce <> 0 OR NEW.revealed_at IS NOT NULL OR (NEW.words IS NULL) + (NEW.words_by IS NULL) + (NEW.table_id IS NULL) + (NEW.table_hash IS NULL) NOT IN (0, 4))) OR NEW.nonce NOT IN (OLD.nonce, OLD.nonce + 1) OR (OLD.revealed_at IS NOT NULL AND (NEW.revealed_at IS NOT OLD.revealed_at OR NEW.nonce IS NOT OLD.nonce)) BEGIN SELECT RAISE(ABORT, 'what a seed pair says is never changed'); END;
