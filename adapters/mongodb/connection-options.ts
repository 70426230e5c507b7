/**
 * What the repositories' promises rest on, as a connection string writes it
 * (https://www.mongodb.com/docs/manual/reference/connection-string-options/); none changes it.
 */
export const FIRM_OPTIONS: Readonly<Record<string, string>> = {
  w: 'majority',
  journal: 'true',
  readConcernLevel: 'majority',
  readPreference: 'primary',
  retryWrites: 'true',
  retryReads: 'true',
};

/**
 * Sizes, and times in milliseconds: no wait on the database is longer. The driver's own defaults wait for ever on a
 * server that hangs; so does 0, which it takes for no limit.
 */
export const LIMITS = {
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 2_000,
  socketTimeoutMS: 5_000,
  waitQueueTimeoutMS: 500,
  maxPoolSize: 20,
} as const;
