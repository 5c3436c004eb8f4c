ALTER TABLE `outbox` ADD `transaction` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- A mean of hearts is a whole number of hundredths; some were kept with a half.
UPDATE `listings` SET `hearts_mean` = CAST(`hearts_mean` AS INTEGER) WHERE typeof(`hearts_mean`) = 'real';
