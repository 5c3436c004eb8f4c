CREATE TABLE `master_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`from_day` integer NOT NULL,
	`export_key` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `master_keys_fingerprint` ON `master_keys` (`fingerprint`);--> statement-breakpoint
ALTER TABLE `passkeys` ADD `handle` text;
--> statement-breakpoint
INSERT INTO `master_keys` (`id`, `fingerprint`, `from_day`, `created_at`) SELECT 1, value, 0, 0 FROM `meta` WHERE name = 'key';
--> statement-breakpoint
DELETE FROM `meta` WHERE name = 'key';
--> statement-breakpoint
CREATE TRIGGER `master_keys_fixed` BEFORE UPDATE ON `master_keys` WHEN NOT (NEW.id IS OLD.id AND NEW.fingerprint IS OLD.fingerprint AND NEW.from_day IS OLD.from_day AND NEW.created_at IS OLD.created_at AND OLD.export_key IS NULL) BEGIN SELECT RAISE(ABORT, 'what is known of a master key is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `master_keys_no_delete` BEFORE DELETE ON `master_keys` BEGIN SELECT RAISE(ABORT, 'what is known of a master key is never deleted'); END;
--> statement-breakpoint
DROP TRIGGER `member_leaves_no_update`;
--> statement-breakpoint
-- An account's number may be encrypted anew, under a later key: nothing else of the content changes.
CREATE TRIGGER `member_leaves_no_update` BEFORE UPDATE ON `member_leaves` WHEN NOT (NEW.id IS OLD.id AND NEW.member_id IS OLD.member_id AND NEW.number IS OLD.number AND NEW.key IS OLD.key AND NEW.hash IS OLD.hash AND ((OLD.salt IS NULL AND ((NEW.content = OLD.content AND NEW.salt IS NOT NULL) OR (NEW.content = '' AND NEW.salt IS NULL)) AND EXISTS (SELECT 1 FROM `erased_members` WHERE member_id = OLD.member_id)) OR CASE WHEN NEW.salt IS OLD.salt AND OLD.key GLOB 'bank:*' AND json_valid(OLD.content) AND json_valid(NEW.content) THEN coalesce(json_extract(NEW.content, '$.account') GLOB '[1-9]*.?*' AND substr(json_extract(NEW.content, '$.account'), 1, instr(json_extract(NEW.content, '$.account'), '.') - 1) NOT GLOB '*[^0-9]*' AND substr(json_extract(NEW.content, '$.account'), instr(json_extract(NEW.content, '$.account'), '.') + 1) NOT GLOB '*[^-A-Za-z0-9_]*' AND (CASE WHEN instr(json_extract(NEW.content, '$.account'), '.') = 0 THEN 1 ELSE CAST(substr(json_extract(NEW.content, '$.account'), 1, instr(json_extract(NEW.content, '$.account'), '.') - 1) AS INTEGER) END) > (CASE WHEN instr(json_extract(OLD.content, '$.account'), '.') = 0 THEN 1 ELSE CAST(substr(json_extract(OLD.content, '$.account'), 1, instr(json_extract(OLD.content, '$.account'), '.') - 1) AS INTEGER) END) AND NEW.content = replace(OLD.content, '"account":"' || json_extract(OLD.content, '$.account') || '"', '"account":"' || json_extract(NEW.content, '$.account') || '"'), 0) ELSE 0 END)) BEGIN SELECT RAISE(ABORT, 'what the log says of members is never changed'); END;
--> statement-breakpoint
DROP TRIGGER `log_keys_fixed`;
--> statement-breakpoint
-- The same key may be encrypted anew, under a later master key.
CREATE TRIGGER `log_keys_fixed` BEFORE UPDATE ON `log_keys` WHEN NEW.id IS NOT OLD.id OR NEW.log IS NOT OLD.log OR NEW.origin IS NOT OLD.origin OR NEW.public_key IS NOT OLD.public_key OR NEW.first_batch IS NOT OLD.first_batch OR NEW.created_at IS NOT OLD.created_at OR (NEW.sealed_key IS NOT OLD.sealed_key AND NOT ((NEW.sealed_key = '' AND EXISTS (SELECT 1 FROM `log_keys` WHERE id > OLD.id)) OR (OLD.sealed_key <> '' AND NEW.sealed_key GLOB '[1-9]*.?*' AND (CASE WHEN instr(NEW.sealed_key, '.') = 0 THEN 1 ELSE CAST(substr(NEW.sealed_key, 1, instr(NEW.sealed_key, '.') - 1) AS INTEGER) END) > (CASE WHEN instr(OLD.sealed_key, '.') = 0 THEN 1 ELSE CAST(substr(OLD.sealed_key, 1, instr(OLD.sealed_key, '.') - 1) AS INTEGER) END)))) BEGIN SELECT RAISE(ABORT, 'keys of the log are never changed'); END;
