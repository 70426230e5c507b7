import { consentWay } from './consent-way.js';
import { operatorWay } from './operator-way.js';
import { wholeWay } from '../../integration/panel/whole-way.js';
import { describeInBrowser } from '../../support/browser.js';
import { hostilePages } from './hostile-pages.js';
import { localDays } from './local-days.js';
import { mishaps } from './mishaps.js';

describeInBrowser('The panel in a browser', (browser) => {
  describe('as a developer uses it', () => wholeWay(browser, true));
  describe('as somebody uses it whom an app asks', () => consentWay(browser));
  for (const scripts of [true, false]) describe('as an operator uses it', () => operatorWay(browser, scripts));
  describe('as a hostile person uses it', () => hostilePages(browser));
  describe('in another time zone', () => localDays(browser));
  describe('when something goes wrong', () => mishaps(browser));
});
