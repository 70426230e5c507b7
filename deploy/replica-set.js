/* global connect, print, sleep */
/** For mongosh, beside the three servers: makes them a replica set, and the user that the service's connection string names. */
const { readFileSync } = require('node:fs');

const HOSTS = ['mongo-1', 'mongo-2', 'mongo-3'];
const secret = (name) => readFileSync(`/run/secrets/${name}`, 'utf8').trim();
const [, user, password, database] = /^mongodb:\/\/([^:]+):([^@]+)@[^/]+\/([^?]+)/.exec(secret('mongodb_url'));

const admin = connect(
  `mongodb://root:${encodeURIComponent(secret('mongodb_root_password'))}@${HOSTS[0]}/admin?directConnection=true`,
);
try {
  admin.adminCommand({
    replSetInitiate: { _id: 'rs0', members: HOSTS.map((host, _id) => ({ _id, host: `${host}:27017` })) },
  });
} catch (error) {
  if (error.codeName !== 'AlreadyInitialized') throw error;
}

const set = () =>
  connect(
    `mongodb://root:${encodeURIComponent(secret('mongodb_root_password'))}@${HOSTS.join(',')}/admin?replicaSet=rs0`,
  );
while (!admin.hello().primary) sleep(500);
const market = set().getSiblingDB(database);
if (market.getUser(decodeURIComponent(user)) === null)
  market.createUser({
    user: decodeURIComponent(user),
    pwd: decodeURIComponent(password),
    roles: [{ role: 'readWrite', db: database }],
  });
print('the replica set is there');
