import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { newAutomation, OPERATOR, parseDeveloperId, type AutomationId } from '../../../application/index.js';
import { newAuditEntry, type AuditEntry, type AuditEntryId } from '../../../domain/audit.js';
import { newCategory } from '../../../domain/category.js';
import { parseCurrency } from '../../../domain/currency.js';
import type { TestBrowser } from '../../support/browser.js';
import { PASSWORD, startPanel, type PanelService } from '../../support/panel.js';

const ADA = parseDeveloperId('ada');
const LATE = new Date('2026-03-04T23:30:00Z');
const EARLY = new Date('2026-03-05T00:30:00Z');
const NEXT_DAY = new Date('2026-03-05T23:30:00Z');

const category = newCategory({ id: 'uncategorized', name: 'Uncategorized' });
const automation = newAutomation(
  { title: 'One', description: 'Two', price: 3.5, categoryId: category.id },
  { currency: parseCurrency('USD'), category },
  { id: randomUUID() as AutomationId, developerId: ADA, createdAt: LATE },
);

function renaming(at: Date, n: number): AuditEntry {
  const event = { actor: 'developer', action: 'key-renamed', developerId: ADA } as const;
  return newAuditEntry(event, {}, { id: `00000000-0000-7000-8000-00000000000${n}` as AuditEntryId, at });
}

/** Each event is on one day, for everyone who reads about it. */
export function localDays(browser: TestBrowser): void {
  let service: PanelService;
  let link: string;
  beforeEach(async () => {
    service = await startPanel();
    link = await service.invite('ada');
    await service.repositories.auditLog.append([LATE, EARLY, NEXT_DAY].map(renaming));
  });
  afterEach(() => service.close());

  async function arrived(options: BrowserContextOptions): Promise<Page> {
    const page = await (await browser.profile(options)).newPage();
    await page.goto(link);
    await page.getByLabel('Name').fill('ada@example.com');
    await page.locator('#password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    return page;
  }

  /** Returns the days of the history with their times, without those on which ada signed up. */
  async function days(page: Page): Promise<readonly (readonly string[])[]> {
    await page.goto(`${service.url}/panel/history?kind=keys`);
    const sections = await page.locator('main section').all();
    return Promise.all(
      sections.map(async (section) => [
        (await section.getByRole('heading').textContent())?.trim() ?? '',
        ...(await section.locator('.events time').allTextContents()),
      ]),
    );
  }

  it('has the days of a history in UTC where no scripts run, and says so', async () => {
    const page = await arrived({ javaScriptEnabled: false, timezoneId: 'Asia/Tokyo' });
    expect(await days(page)).to.deep.equal([
      ['5 Mar 2026 UTC', '5 Mar 2026, 23:30 UTC', '5 Mar 2026, 00:30 UTC'],
      ['4 Mar 2026 UTC', '4 Mar 2026, 23:30 UTC'],
    ]);
  });

  it('has the days of a history where the reader is, in Los Angeles and in Tokyo', async () => {
    const west = await arrived({ timezoneId: 'America/Los_Angeles' });
    expect(await days(west)).to.deep.equal([
      ['5 Mar 2026', '5 Mar 2026, 15:30'],
      ['4 Mar 2026', '4 Mar 2026, 16:30', '4 Mar 2026, 15:30'],
    ]);
    link = await service.invite('ada');
    expect(await days(await arrived({ timezoneId: 'Asia/Tokyo' }))).to.deep.equal([
      ['6 Mar 2026', '6 Mar 2026, 08:30'],
      ['5 Mar 2026', '5 Mar 2026, 09:30', '5 Mar 2026, 08:30'],
    ]);
  });

  /** Returns the dates of the page API keys, and of the catalogue, as they are shown, and as programs read them. */
  async function dates(page: Page): Promise<readonly (readonly [text: string, iso: string])[]> {
    const shown: (readonly [string, string])[] = [];
    for (const path of ['/panel/keys', '/catalogue', `/catalogue/${automation.id}`]) {
      await page.goto(`${service.url}${path}`);
      const times = await page.locator('main time').all();
      expect(times, path).not.to.deep.equal([]);
      for (const time of times)
        shown.push([(await time.textContent()) ?? '', (await time.getAttribute('datetime')) ?? '']);
    }
    return shown;
  }

  it('has dates of keys and catalogue where the reader is, and in UTC without scripts', async () => {
    await service.repositories.automations.add([{ automation }]);
    await service.keys.issue(OPERATOR, { developer: 'ada' });
    // One of the first two is on another day than UTC at any time.
    for (const [timeZone, javaScriptEnabled] of [
      ['Pacific/Kiritimati', true],
      ['Pacific/Niue', true],
      ['Asia/Tokyo', false],
    ] as const) {
      link = await service.invite('ada');
      const page = await arrived({ timezoneId: timeZone, javaScriptEnabled });
      const format = { day: 'numeric', month: 'short', year: 'numeric' } as const;
      const zone = javaScriptEnabled ? timeZone : 'UTC';
      for (const [text, iso] of await dates(page)) {
        const day = new Intl.DateTimeFormat('en-GB', { ...format, timeZone: zone }).format(new Date(iso));
        expect(text, timeZone).to.equal(javaScriptEnabled ? day : `${day} UTC`);
      }
    }
  });
}
