CREATE UNLOGGED TABLE "rate_windows" (
	"started_at" bigint NOT NULL,
	"subject" text NOT NULL,
	"process" text NOT NULL,
	"requests" integer NOT NULL,
	CONSTRAINT "rate_windows_started_at_subject_process_pk" PRIMARY KEY("started_at","subject","process")
);
