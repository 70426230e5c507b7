import { expect } from 'chai';
import { Visitor } from './support/panel-visitor.js';
import { Workplace } from './support/process.js';

describe('The program, which is bundled', function () {
  this.timeout(30_000);

  it('has what its modules have for what it throws alone', async () => {
    const place = await Workplace.open();
    const { url } = await place.serve();
    const visitor = new Visitor(url);
    for (const body of ['name=%', 'name=%FF%FE', 'name=%ED%A0%80']) expect((await visitor.post('/panel/sign-in', body)).status, body).to.equal(400);
    expect((await visitor.post('/panel/sign-in', 'name=%C3%A4')).status).to.equal(403);
    await place.clear();
  });
});
