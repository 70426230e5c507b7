import { expect } from 'chai';
import { rawCredentialsAreForgotten } from './raw-credentials.js';

describe('Raw credentials', () => {
  it('are not in memory a second after their requests ended', async () => {
    const { figures, violations } = await rawCredentialsAreForgotten(1_000);
    expect(violations).to.deep.equal([]);
    expect(figures).to.deep.equal({ planted: 2_000, kept: 0 });
  });
});
