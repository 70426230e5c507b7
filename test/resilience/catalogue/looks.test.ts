import { describeInBrowser } from '../../support/browser.js';
import { catalogueLooks } from './looks.js';

describeInBrowser('The catalogue in every look and width', (browser) => catalogueLooks(browser));
