/** What the database said: drizzle wraps the error of a statement, and nobody that of a commit. */
export const reasonOf = (error: Error): string => ((error.cause as Error | undefined) ?? error).message;
