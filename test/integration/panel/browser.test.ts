import { describeInBrowser } from '../../support/browser.js';
import { wholeWay } from './whole-way.js';

describeInBrowser('The panel in a browser', (browser) => {
  describe('as a developer uses it', () => wholeWay(browser, false));
});
