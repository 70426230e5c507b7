import { operatorWay } from '../../integration/panel/operator-way.js';
import { wholeWay } from '../../integration/panel/whole-way.js';
import { describeInBrowser } from '../../support/browser.js';
import { hostilePages } from './hostile-pages.js';
import { localDays } from './local-days.js';
import { mishaps } from './mishaps.js';

describeInBrowser('The panel in a browser', (browser) => {
  describe('as a developer uses it', () => wholeWay(browser, true));
  describe('as an operator uses it', () => operatorWay(browser, false));
  describe('as a hostile person uses it', () => hostilePages(browser));
  describe('in another time zone', () => localDays(browser));
  describe('when something goes wrong', () => mishaps(browser));
});
