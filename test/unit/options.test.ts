import { createServer } from 'node:http';
import { expect } from 'chai';
import pg from 'pg';
import * as catalogue from '../../adapters/catalogue/index.js';
import * as files from '../../adapters/files/index.js';
import * as client from '../../adapters/client/index.js';
import * as conformance from '../../adapters/conformance/index.js';
import * as http from '../../adapters/api/index.js';
import * as inMemory from '../../adapters/in-memory/index.js';
import * as mongodb from '../../adapters/mongodb/index.js';
import * as n8n from '../../adapters/n8n/index.js';
import * as oauth from '../../adapters/oauth/index.js';
import * as panel from '../../adapters/panel/index.js';
import * as postgresql from '../../adapters/sql/postgresql/index.js';
import * as sqlite from '../../adapters/sql/sqlite/index.js';
import * as storage from '../../adapters/storage/index.js';
import * as application from '../../application/index.js';
import * as composition from '../../composition/index.js';
import * as contracts from '../contracts/index.js';
import { newSqliteFile } from '../support/sqlite-file.js';

const ENTRIES = [
  ...[
    application,
    catalogue,
    client,
    composition,
    conformance,
    contracts,
    files,
    http,
    inMemory,
    mongodb,
    n8n,
    oauth,
    panel,
  ],
  ...[postgresql, sqlite, storage],
];

/** Functions of the package that take no options: values and ports alone, and words of the market. */
const WITHOUT_OPTIONS = [
  ...['automationId', 'callerOf', 'categoryId', 'importKey', 'inMajorUnits', 'isDomainError'],
  ...['isOperator', 'minorUnits', 'newAutomation', 'newCategory', 'newPage', 'parseCurrency', 'parseDeveloperId'],
  ...['parseFileName', 'parseScopes', 'requestKey', 'requireScope', 'scopesOfRole', 'canAccept'],
  ...['developerIdKey', 'endOf'],
  ...['groupCommit', 'holderName', 'indexedText', 'isActiveOperator', 'matchesTerms', 'notPrepared', 'planAdd'],
  ...['publicNameKeys', 'publicNamePart', 'publicNameTaken', 'rankOf', 'recordFor', 'searchFailure', 'signInKey'],
  ...[
    'duplicateSession',
    'signInNameTaken',
    'titleTerms',
    'tooManyKeys',
    'unknownAfter',
    'untilClosed',
    'withdrawalEntries',
    'restoreStore',
    'newMongoClient',
    'ping',
  ],
  ...['recordCurrency', 'inMemoryModule', 'storageModule'],
  ...Object.keys(contracts).filter((name) => name !== 'storageContract'),
];

interface Row {
  readonly call: (options: never) => unknown;
  /** The options that must be there. */
  readonly required?: object;
  /** The name in the message, where the function hands its options to another one. */
  readonly owner?: string;
}

const core = application.newCore(inMemory.inMemoryStorage());
const { keys, developers } = inMemory.inMemoryStorage();
const verifier = { verify: async () => undefined };
const unreachable = mongodb.newMongoClient('mongodb://127.0.0.1:9/?serverSelectionTimeoutMS=500');
const db = unreachable.db('market');
const pool = new pg.Pool({ host: '127.0.0.1', port: 9 });
const runner = { describe: () => undefined, it: () => undefined };
const issuer = { issuer: 'https://issuer.example', audience: 'market' };

/** Every function of the package that takes options. */
const TABLE: Readonly<Record<string, Row>> = {
  newCore: { call: (options) => application.newCore(inMemory.inMemoryStorage(), options) },
  inMemoryStorage: { call: (options) => inMemory.inMemoryStorage(options) },
  sqliteStorage: { call: (options) => sqlite.sqliteStorage(newSqliteFile(), options) },
  postgresStorage: { call: (options) => postgresql.postgresStorage(pool, options) },
  mongoStorage: { call: (options) => mongodb.mongoStorage(db, options) },
  prepareMongo: { call: (options) => mongodb.prepareMongo(db, options) },
  cachedStorage: { call: (options) => storage.cachedStorage(inMemory.inMemoryStorage(), options) },
  cachedKeys: { call: (options) => storage.cachedKeys(keys, options) },
  cachedDevelopers: { call: (options) => storage.cachedDevelopers(developers, options) },
  storageContract: { call: (options) => contracts.storageContract(async () => [] as never, runner, options) },
  createHttpApp: { call: (options) => http.createHttpApp(core.marketplace, options), required: { verifier } },
  dispatcher: { call: (options) => http.dispatcher(options), required: { api: () => undefined } },
  protectServer: { call: (options) => http.protectServer(createServer(), options) },
  createPanel: { call: (options) => panel.createPanel(core, options) },
  createCatalogue: { call: (options) => catalogue.createCatalogue(core, options) },
  createFilesApp: { call: (options) => files.createFilesApp(core, options) },
  createN8nLibrary: {
    call: (options) => n8n.createN8nLibrary(core, options),
    required: { n8nUrls: ['https://n8n.example'] },
  },
  createClient: { call: (options) => client.createClient(options), required: { baseUrl: 'https://market.example' } },
  checkServer: { call: (options) => conformance.checkServer(options), required: { baseUrl: 'x', key: 'x' } },
  createService: {
    call: (options) => composition.createService(options),
    required: { storage: inMemory.inMemoryStorage() },
  },
  coreModule: { call: (options) => composition.coreModule(options) },
  httpModule: { call: (options) => composition.httpModule(options) },
  oauthModule: {
    call: (options) => composition.oauthModule(options),
    required: issuer,
  },
};

function functionsOf(entry: object): readonly string[] {
  const isFunction = (value: unknown) => typeof value === 'function' && !/^class\b/.test(String(value));
  return Object.entries(entry).flatMap(([name, value]) => (isFunction(value) ? [name] : []));
}

/** Returns how a call with these options fails, and closes what it returns. */
async function failureOf({ call }: Row, options: unknown): Promise<unknown> {
  try {
    const made = (await call(options as never)) as { readonly close?: () => unknown } | undefined;
    await made?.close?.();
    return undefined;
  } catch (error) {
    return error;
  }
}

async function namesOf(row: Row): Promise<readonly string[]> {
  const [, names = ''] = String(await failureOf(row, null)).split('; it has ');
  return names.split(', ');
}

describe('The options of a function', () => {
  after(async () => {
    await Promise.all([unreachable.close(), pool.end()]);
  });

  it('are checked by each function of the package that takes options', () => {
    const known = [...Object.keys(TABLE), ...WITHOUT_OPTIONS];
    expect(ENTRIES.flatMap(functionsOf).toSorted()).to.deep.equal(known.toSorted());
  });

  for (const [name, row] of Object.entries(TABLE)) {
    const { required = {}, owner = name } = row;

    it(`of ${name}: an unknown name and a misspelt one are a TypeError with the names that it has`, async () => {
      const [known = '', ...others] = await namesOf(row);
      expect(Object.keys(required)).to.satisfy((names: string[]) =>
        names.every((one) => [known, ...others].includes(one)),
      );
      for (const unknown of ['colour', `${known}s`, `${known.slice(0, 1).toUpperCase()}${known.slice(1)}`])
        expect(await failureOf(row, { ...required, [unknown]: 1 }))
          .to.be.an.instanceOf(TypeError)
          .with.property('message', `${owner} has no option ${unknown}; it has ${[known, ...others].join(', ')}`);
    });

    it(`of ${name}: null and a text in place of the object are a TypeError that names the function`, async () => {
      for (const wrong of [null, 'search'])
        expect(await failureOf(row, wrong))
          .to.be.an.instanceOf(TypeError)
          .with.property('message')
          .that.matches(new RegExp(`^${owner} takes its options as an object, not as .*; it has \\w+`));
    });

    it(`of ${name}: undefined is as if it were left out, also for an unknown name`, async () => {
      const names = [...(await namesOf(row)), 'colour'];
      const nothing = Object.fromEntries(names.map((one) => [one, undefined]));
      expect(String(await failureOf(row, { ...nothing, ...required }))).to.equal(
        String(await failureOf(row, { ...required })),
      );
    });
  }
});

/** Functions that only ask, and say that a value is none. */
const ASKING = ['automationId', 'categoryId', 'isDomainError', 'isOperator'];

/** The rules of a storage get what the core has checked, and the suites a function and a runner. */
const INNER = [
  ...['canAccept', 'developerIdKey', 'endOf', 'holderName', 'indexedText', 'isActiveOperator', 'matchesTerms'],
  ...['notPrepared', 'planAdd', 'publicNameKeys', 'publicNamePart', 'publicNameTaken', 'rankOf', 'recordFor'],
  ...['searchFailure', 'signInKey', 'signInNameTaken', 'titleTerms', 'tooManyKeys', 'withdrawalEntries'],
  ...Object.keys(contracts),
];

/** Those without a first argument that could be wrong. */
const WITHOUT_ARGUMENT = ['duplicateSession', 'inMemoryModule', 'minorUnits', 'unknownAfter'];

describe('The first argument of a function', () => {
  const functions = ENTRIES.flatMap((entry) =>
    functionsOf(entry).map((name) => [name, Reflect.get(entry, name) as (value: unknown) => unknown] as const),
  ).filter(([name]) => ![...INNER, ...WITHOUT_ARGUMENT].includes(name));

  for (const [name, call] of functions)
    it(`of ${name}: null, empty text, number and symbol are refused at once, with a sentence`, async () => {
      for (const wrong of [null, '', 5, Symbol('wrong')]) {
        const outcome = await Promise.resolve()
          .then(() => call(wrong))
          .then(
            (value) => ({ value }),
            (error: unknown) => ({ error }),
          );
        if (ASKING.includes(name)) expect(outcome).to.have.property('value').that.is.oneOf([undefined, false]);
        else {
          expect(outcome, String(wrong)).to.have.property('error');
          expect(String((outcome as { error: unknown }).error)).to.not.match(
            /Cannot (?:read|destructure|create|set|convert)|is not (?:a function|iterable)|weak set|must be of type/,
          );
        }
      }
    });
});
