import type { Db } from 'mongodb';

/** What a client of a driver before 7 tells among its options; from 7 on, no public member tells the version. */
interface EarlierClient {
  readonly options?: { readonly metadata?: { readonly driver?: { readonly version?: string } } };
}

/**
 * @throws TypeError for a `Db` of a driver before 7. It sends no id and no binary value that the driver 7 has made.
 * A `Db` of a driver before 5 does not tell its client.
 */
export function checkDriver(db: Db): void {
  const { client } = db as { readonly client?: EarlierClient };
  const version = client?.options?.metadata?.driver?.version;
  if (client !== undefined && version === undefined) return;
  throw new TypeError(
    `This Db is of version ${version ?? '4 or older'} of the driver mongodb, and version 7 is needed. ` +
      'With Mongoose, use version 9.',
  );
}
