DROP TRIGGER `log_leaves_fixed`;
--> statement-breakpoint
PRAGMA foreign_keys=OFF;
--> statement-breakpoint
CREATE TABLE `__new_log_bundles` (
	`log` integer NOT NULL,
	`index` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`log`, `index`)
);
--> statement-breakpoint
-- Base64 in pieces of 1024 letters, and each of them by four letters, which are three bytes but at the end.
INSERT INTO `__new_log_bundles`("log", "index", "data")
WITH RECURSIVE
	counted(i) AS MATERIALIZED (SELECT 0 UNION ALL SELECT i + 1 FROM counted WHERE i < (SELECT max(256, max(length(data)) / 1024) FROM `log_bundles`)),
	pieces(log, "index", at, piece) AS MATERIALIZED (
		SELECT log, "index", i, substr(data, i * 1024 + 1, 1024) FROM `log_bundles` JOIN counted ON i * 1024 < length(data)
	),
	quads(log, "index", at, place, a, b, c, d) AS (
		SELECT log, "index", at, i, substr(piece, i * 4 + 1, 1), substr(piece, i * 4 + 2, 1), substr(piece, i * 4 + 3, 1), substr(piece, i * 4 + 4, 1)
		FROM pieces JOIN counted ON i * 4 < length(piece)
	),
	numbers(log, "index", at, place, bits, gone) AS (
		SELECT log, "index", at, place,
			((instr(letters, a) - 1) << 18) | ((instr(letters, b) - 1) << 12) | (max(instr(letters, c) - 1, 0) << 6) | max(instr(letters, d) - 1, 0),
			(c = '=') + (d = '=')
		FROM quads JOIN (SELECT 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/' AS letters)
	)
SELECT log, "index", unhex(group_concat(substr(printf('%06x', bits), 1, 6 - 2 * gone), '' ORDER BY at, place))
FROM numbers GROUP BY log, "index";
--> statement-breakpoint
DROP TABLE `log_bundles`;
--> statement-breakpoint
ALTER TABLE `__new_log_bundles` RENAME TO `log_bundles`;
--> statement-breakpoint
PRAGMA foreign_keys=ON;
--> statement-breakpoint
CREATE TABLE `__new_log_tiles` (
	`log` integer NOT NULL,
	`level` integer NOT NULL,
	`index` integer NOT NULL,
	`hashes` blob NOT NULL,
	PRIMARY KEY(`log`, `level`, `index`)
);
--> statement-breakpoint
INSERT INTO `__new_log_tiles`("log", "level", "index", "hashes") SELECT "log", "level", "index", unhex("hashes") FROM `log_tiles`;
--> statement-breakpoint
DROP TABLE `log_tiles`;
--> statement-breakpoint
ALTER TABLE `__new_log_tiles` RENAME TO `log_tiles`;
--> statement-breakpoint
CREATE TRIGGER `log_leaves_fixed` BEFORE UPDATE ON `log_leaves` WHEN NEW.id IS NOT OLD.id OR NEW.log IS NOT OLD.log OR NEW.key IS NOT OLD.key OR (OLD.number IS NOT NULL AND NEW.number IS NOT OLD.number) OR (NEW.text IS NOT OLD.text AND (NEW.text IS NOT NULL OR NEW.number IS NULL OR NOT EXISTS (SELECT 1 FROM `log_bundles` WHERE log = OLD.log AND `index` = NEW.number / 256))) BEGIN SELECT RAISE(ABORT, 'what the log states is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `log_bundles_no_update` BEFORE UPDATE ON `log_bundles` BEGIN SELECT RAISE(ABORT, 'bundles of the log are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `log_bundles_no_delete` BEFORE DELETE ON `log_bundles` BEGIN SELECT RAISE(ABORT, 'bundles of the log are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `log_tiles_grow` BEFORE UPDATE ON `log_tiles` WHEN NEW.log IS NOT OLD.log OR NEW.level IS NOT OLD.level OR NEW.`index` IS NOT OLD.`index` OR substr(NEW.hashes, 1, length(OLD.hashes)) IS NOT OLD.hashes BEGIN SELECT RAISE(ABORT, 'tiles of the log only grow'); END;
--> statement-breakpoint
CREATE TRIGGER `log_tiles_no_delete` BEFORE DELETE ON `log_tiles` BEGIN SELECT RAISE(ABORT, 'tiles of the log are never deleted'); END;
