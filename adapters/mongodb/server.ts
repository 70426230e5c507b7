import type { Document } from 'mongodb';

/**
 * Of MongoDB 5.0
 * (https://github.com/mongodb/specifications/blob/master/source/wireversion-featurelist/wireversion-featurelist.md).
 */
const OLDEST_WIRE_VERSION = 13;

/** @throws Error when a server, by its answer to `hello`, is not one that these repositories can work with. */
export function checkServer(hello: Document): void {
  if (hello['setName'] === undefined && hello['msg'] !== 'isdbgrid')
    throw new Error(
      'The MongoDB server is a standalone one, which cannot keep what it acknowledged nor read at one moment. ' +
        'Make it a replica set: start it with --replSet rs0, then run mongosh --eval "rs.initiate()" once.',
    );
  if (Number(hello['maxWireVersion']) < OLDEST_WIRE_VERSION)
    throw new Error(
      'The MongoDB server is older than 5.0, and lists of automations need what came with 5.0. Use 5.0 or newer.',
    );
}
