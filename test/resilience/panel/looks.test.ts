import { describeInBrowser } from '../../support/browser.js';
import { accessibility } from './accessibility.js';
import { operatorWidths } from './operator-widths.js';
import { widths } from './widths.js';

describeInBrowser('The panel in a browser', (browser) => {
  describe('for everybody', () => accessibility(browser));
  describe('at every width', () => {
    widths(browser);
    operatorWidths(browser);
  });
});
