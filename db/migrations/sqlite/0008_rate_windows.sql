CREATE TABLE `rate_windows` (
	`started_at` integer NOT NULL,
	`subject` text NOT NULL,
	`process` text NOT NULL,
	`requests` integer NOT NULL,
	PRIMARY KEY(`started_at`, `subject`, `process`)
);
