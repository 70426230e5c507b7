import { describeInBrowser } from '../../support/browser.js';
import { accessibility } from '../../integration/panel/accessibility.js';
import { operatorWidths } from '../../integration/panel/operator-widths.js';
import { widths } from '../../integration/panel/widths.js';

describeInBrowser('The panel in a browser', (browser) => {
  describe('for everybody', () => accessibility(browser));
  describe('at every width', () => {
    widths(browser);
    operatorWidths(browser);
  });
});
