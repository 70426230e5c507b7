/**
 * A `Db` of any copy of the driver 7. The types of two copies do not match, so that only its names are compared; a host
 * without the driver needs no types of it.
 */
export interface AnyDb {
  readonly databaseName: string;
  readonly namespace: string;
}
