import { smokeContract } from '../../support/every-contract.js';
import { mongoSubjects } from '../../support/mongo-contracts.js';
import { describeMongo } from '../../support/mongodb.js';

describeMongo('MongoDB', (url) => smokeContract(mongoSubjects(url)));
