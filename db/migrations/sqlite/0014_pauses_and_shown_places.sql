CREATE TABLE `pauses` (
	`id` integer PRIMARY KEY NOT NULL,
	`game_id` integer NOT NULL,
	`from_day` integer NOT NULL,
	`from_number` integer NOT NULL,
	`paused` integer NOT NULL,
	`reason` text,
	`announced_at` integer,
	FOREIGN KEY (`game_id`) REFERENCES `games`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `pauses_game` ON `pauses` (`game_id`);--> statement-breakpoint
CREATE TABLE `shown_places` (
	`game_id` integer NOT NULL,
	`day` integer NOT NULL,
	`number` integer NOT NULL,
	`seed` text,
	PRIMARY KEY(`game_id`, `day`),
	FOREIGN KEY (`game_id`) REFERENCES `games`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
-- What was paused before is told as pauses that nobody had announced: those in gaps, and those under way.
INSERT INTO pauses (game_id, from_day, from_number, paused)
SELECT game_id, day, number, paused FROM (
  SELECT game_id, from_day AS day, from_number AS number, 1 AS paused, 1 AS place
  FROM gaps WHERE reason = 'paused' AND taken_back_at IS NULL
  UNION ALL
  SELECT game_id, CASE WHEN to_number = 86400 / period_s THEN to_day + 1 ELSE to_day END, CASE WHEN to_number = 86400 / period_s THEN 1 ELSE to_number + 1 END, 0, 0
  FROM gaps JOIN games ON games.id = game_id WHERE reason = 'paused' AND taken_back_at IS NULL
  UNION ALL
  SELECT id, (paused_at / (period_s * 1000) + 1) / (86400 / period_s), (paused_at / (period_s * 1000) + 1) % (86400 / period_s) + 1, 1, 1
  FROM games WHERE paused
) AS told ORDER BY game_id, day, number, place;
--> statement-breakpoint
-- Every round that was opened has shown its commit.
INSERT INTO shown_places (game_id, day, number) SELECT game_id, day, max(number) FROM rounds GROUP BY game_id, day;
--> statement-breakpoint
ALTER TABLE `games` DROP COLUMN `paused`;--> statement-breakpoint
ALTER TABLE `games` DROP COLUMN `paused_at`;
--> statement-breakpoint
CREATE TRIGGER `pauses_no_update` BEFORE UPDATE ON `pauses` BEGIN SELECT RAISE(ABORT, 'pauses are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER `pauses_no_delete` BEFORE DELETE ON `pauses` BEGIN SELECT RAISE(ABORT, 'pauses are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER `pauses_announced` BEFORE INSERT ON `pauses` WHEN NEW.announced_at IS NULL BEGIN SELECT RAISE(ABORT, 'a pause is announced'); END;
--> statement-breakpoint
CREATE TRIGGER `shown_places_grow` BEFORE UPDATE ON `shown_places` WHEN NEW.game_id IS NOT OLD.game_id OR NEW.day IS NOT OLD.day OR NEW.number < OLD.number OR (NEW.number = OLD.number AND (OLD.seed IS NOT NULL OR NEW.seed IS NULL)) BEGIN SELECT RAISE(ABORT, 'what was shown stays shown'); END;
--> statement-breakpoint
CREATE TRIGGER `shown_places_no_delete` BEFORE DELETE ON `shown_places` BEGIN SELECT RAISE(ABORT, 'shown_places are never deleted'); END;
