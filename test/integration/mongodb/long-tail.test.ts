import { expect } from 'chai';
import { MongoServerError, ObjectId, type Db, type Document } from 'mongodb';
import { AutomationList } from '../../../adapters/mongodb/automation-list.js';
import { collectionsOf } from '../../../adapters/mongodb/collections.js';
import { unavailable } from '../../../adapters/mongodb/failures.js';
import { MongoAutomationRepository } from '../../../adapters/mongodb/index.js';
import { SelfCheck } from '../../../adapters/mongodb/self-check.js';
import { Sequence } from '../../../adapters/mongodb/sequence.js';
import { Upkeep } from '../../../adapters/mongodb/upkeep.js';
import { query } from '../../contracts/offers.js';
import { describeMongo, ScratchDatabases } from '../../support/mongodb.js';

/** More than a chapter has, and a block that is not full. */
const STORED = 33_600;
const IN_FULL_BLOCKS = 33_536;

/** A list while more automations are in no chapter than can be counted in time. */
class TooLong extends AutomationList {
  override read(): Promise<never> {
    return Promise.reject(unavailable(new Error('a read has taken too long')));
  }
}

/** Returns the same database, in which the time limit of the server ends each read of the state of a list. */
function withoutLists(db: Db): Db {
  const command = async (sent: Document, options: Document): Promise<Document> => {
    if (JSON.stringify(sent).includes('$unionWith')) throw new MongoServerError({ message: 'too long', code: 50 });
    return db.command(sent, options);
  };
  return Object.create(db, { command: { value: command } }) as Db;
}

describeMongo('A MongoDB store that has lost all chapters, with too many automations to count in time', function (url) {
  const databases = new ScratchDatabases();
  let db: Db;
  let list: AutomationList;
  let sequence: Sequence;

  before(async function () {
    this.timeout(30_000);
    db = await databases.open(url());
    const documents = Array.from({ length: STORED }, (_, seq) => ({
      _id: new ObjectId(),
      seq,
      on_sale: true,
      category_id: 'tools',
    }));
    await db.collection(collectionsOf(db).automations.collectionName).insertMany(documents, {
      bypassDocumentValidation: true,
    });
  });
  beforeEach(async () => {
    await collectionsOf(db).chapters.deleteMany({});
    list = new TooLong(db);
    sequence = new Sequence(db, list);
  });
  after(() => databases.release());

  const assertSealed = async (): Promise<void> => {
    const fresh = new AutomationList(db);
    const total = await fresh.read((state) => state.total());
    expect({ total, tailStart: fresh.tailStart }).to.deep.equal({ total: STORED, tailStart: IN_FULL_BLOCKS });
  };

  it('is sealed again in the background', async () => {
    await new Upkeep(db, list, sequence).seal();
    await assertSealed();
  });

  it('is counted again by a check that repairs', async () => {
    await new SelfCheck(db, list, sequence, () => undefined).all(true);
    await assertSealed();
  });

  it('gives numbers to what is added', async () => {
    await sequence.repair();
    expect(await sequence.reserve(1)).to.equal(STORED);
  });

  it('begins to repair itself when a list has failed', async () => {
    const repository = new MongoAutomationRepository(withoutLists(db));
    const failed = await repository.list(query(1, 10)).catch(String);
    expect(failed).to.include('out of reach');
    while ((await new AutomationList(db).readTailStart()) < IN_FULL_BLOCKS);
    await repository.stop();
    await assertSealed();
  });
});
