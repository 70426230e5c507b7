import { numbers } from './offers.js';

type Best = readonly (readonly [rank: 0 | 1 | 2 | 3, title: string, description: string])[];

/** For searches, what matches, oldest first, and the rank of each. */
export const BEST: Readonly<Record<string, Best>> = {
  slack: [
    [0, 'Slack', 'x'],
    [3, 'Mail', 'Slack'],
    [1, 'Slack to Mail', 'x'],
    [2, 'Slackbot', 'slack'],
    [0, 'SLACK!', 'y'],
    [1, 'To slack', 'x'],
    [3, 'x', 'slackbots'],
    [2, 'All slackers', 'x'],
  ],
  go: [
    [0, 'Go', 'x'],
    [2, 'Google', 'go'],
    [2, 'Google Sheets', 'x'],
    [1, 'Let it go', 'x'],
    [3, 'x', 'Go'],
  ],
  'send mail': [
    [3, 'send', 'mail'],
    [3, 'mail', 'send'],
    [0, 'Send mail', 'x'],
    [3, 'x', 'send mail'],
    [1, 'mail, send', 'x'],
    [2, 'Send all mailings', 'x'],
    [3, 'Mailings', 'send mail'],
  ],
  リング: [
    [0, 'リング', 'x'],
    [1, '銀のリングを買う', 'x'],
    [3, 'リンクとマーケティング', 'リング'],
    [1, 'リング、リング', 'x'],
  ],
  海: [
    [0, '海', 'x'],
    [1, '上海', 'x'],
    [3, 'x', '海'],
    [1, '海上', 'x'],
  ],
  ก: [
    [0, 'ก', 'x'],
    [2, 'กิน', 'x'],
    [1, 'ก กิน', 'x'],
    [1, 'กบ', 'x'],
    [3, 'x', 'กบ'],
    [2, 'บกุ้ง', 'x'],
    [1, 'สก', 'x'],
  ],
  'c++': [
    [0, 'C++', 'x'],
    [3, 'C#', 'C++'],
    [1, 'C/C++', 'x'],
  ],
};

/** Titles of 200 characters that are most work for a search, and one of eleven words. */
export const WORST_TITLES: readonly string[] = [
  'Sync new Notion tasks to Google Calendar and tell the team',
  lettersFrom(0x430, 100).join(' '),
  lettersFrom(0x4e00, 200).join(''),
  lettersFrom(0x5e00, 100).join(' '),
  numbers(50)
    .map((n) => lettersFrom(0x6000 + 3 * n, 3).join(''))
    .join(' '),
  numbers(66)
    .map((n) => String(n + 10))
    .join(' '),
  ...['x', '𝒵', '上', 'ﷺ', '㌖', 'ที่', 'c+'].map((part) => part.repeat(Math.floor(200 / Array.from(part).length))),
];

function lettersFrom(first: number, count: number): readonly string[] {
  return numbers(count).map((n) => String.fromCodePoint(first + n));
}
