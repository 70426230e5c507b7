import { describeInBrowser } from '../../support/browser.js';
import { consentWay } from './consent-way.js';
import { operatorWay } from './operator-way.js';
import { wholeWay } from './whole-way.js';

describeInBrowser('The panel in a browser', (browser) => {
  describe('as a developer uses it', () => wholeWay(browser, false));
  describe('as somebody uses it whom an app asks', () => consentWay(browser));
  describe('as an operator uses it', () => operatorWay(browser, true));
});
