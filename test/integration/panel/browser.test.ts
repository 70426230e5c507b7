import { describeInBrowser } from '../../support/browser.js';
import { consentWay } from './consent-way.js';
import { hostilePages } from '../../resilience/panel/hostile-pages.js';
import { localDays } from '../../resilience/panel/local-days.js';
import { mishaps } from '../../resilience/panel/mishaps.js';
import { operatorWay } from './operator-way.js';
import { wholeWay } from './whole-way.js';

describeInBrowser('The panel in a browser', (browser) => {
  describe('as a developer uses it', () => wholeWay(browser));
  describe('as somebody uses it whom an app asks', () => consentWay(browser));
  describe('as an operator uses it', () => operatorWay(browser));
  describe('as somebody hostile does', () => hostilePages(browser));
  describe('in another time zone', () => localDays(browser));
  describe('when something goes wrong', () => mishaps(browser));
});
