ALTER TABLE `odds` ADD `unit` text DEFAULT 'point' NOT NULL;
--> statement-breakpoint
DROP TRIGGER `odds_no_update`;
--> statement-breakpoint
UPDATE `odds` SET `unit` = coalesce((SELECT json_extract(value, '$') FROM `settings` WHERE name = 'unit'), 'point');
--> statement-breakpoint
CREATE TRIGGER `odds_no_update` BEFORE UPDATE ON `odds` BEGIN SELECT RAISE(ABORT, 'odds are never changed'); END;
