import { expect } from 'chai';
import { markdownToHtml, markdownToText, renderMarkdown } from '../../../adapters/web/views/markdown.js';
import { hostileTexts } from '../../../bench/markdown/texts.js';

const MAX_HTML_BYTES = 100_000;
const MAX_UNITS = 8_000;
/** The work of one step that goes beyond the limit: at most to encode the longest address. */
const LAST_STEP_UNITS = 8_000;

const TABLE = `${'x|'.repeat(181)}\n${'-|'.repeat(181)}\n${'x\n'.repeat(361)}\n`;
const HOSTILE = {
  'tables with missing cells': TABLE.repeat(6),
  'a long address that is used often': `[a]: https://x.example/${'y'.repeat(4_900)}\n\n${'[a]'.repeat(1_600)}`,
  'an address of emoji that is used often': `[a]: http://x/${'😀'.repeat(4_950)}\n\n${'[a] '.repeat(1_255)}`,
  'a title that is used often': `[a]: http://x "${'y'.repeat(4_900)}"\n\n${'[a]'.repeat(1_600)}`,
  'a thousand addresses': '<a@b.cc> '.repeat(1_100),
  'images within images': '!['.repeat(2_000) + '](http://a)'.repeat(500),
  'quotations with lazy lines': `${'>'.repeat(99)}a\n${'b\n'.repeat(4_900)}`,
  'lists within lists': `${'- '.repeat(99)}the end`,
  'emphasis within emphasis': `${'*a **b '.repeat(700)}${'** *'.repeat(700)}`,
};

describe('Markdown of people outside', () => {
  it('becomes paragraphs, lists, tables and code', () => {
    const html = markdownToHtml('One\nline *more*\n\n- a\n- b\n\n| x |\n|---|\n| 1 |\n\n```\n<b>\n```');
    expect(html).to.equal(
      '<p dir="auto">One<br>\nline <em>more</em></p>\n<ul dir="auto">\n<li>a</li>\n<li>b</li>\n</ul>\n' +
        '<div class="scroll" tabindex="0"><table>\n<thead>\n<tr>\n<th dir="auto">x</th>\n</tr>\n</thead>\n<tbody>\n' +
        '<tr>\n<td dir="auto">1</td>\n</tr>\n</tbody>\n</table>\n</div>' +
        '<pre tabindex="0"><code>&lt;b&gt;\n</code></pre>\n',
    );
  });

  it('aligns the columns of a table without a style, which our pages do not allow', () => {
    const html = markdownToHtml('| a | b | c | d |\n|:--|:-:|--:|---|\n| 1 | 2 | 3 | 4 |');
    expect(html)
      .to.include('<td class="left" dir="auto">1</td>')
      .and.include('<td class="center" dir="auto">2</td>')
      .and.include('<td class="right" dir="auto">3</td>')
      .and.include('<td dir="auto">4</td>')
      .and.not.include('style');
  });

  it('shows HTML as text', () => {
    for (const text of ['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', 'a <b onclick="x">b</b>'])
      expect(markdownToHtml(text), text).not.to.match(/<(?!\/?p\b)/);
  });

  it('gives links no weight and no handle, and only to web pages and mailboxes', () => {
    const href = 'https://shop.example/a?b=1&amp;c';
    const link = `<a rel="nofollow ugc noopener" href="${href}">`;
    for (const text of [
      '[x](https://shop.example/a?b=1&c)',
      '<https://shop.example/a?b=1&c>',
      'https://shop.example/a?b=1&c',
    ])
      expect(markdownToHtml(text), text).to.include(link);
    const refused = [
      'javascript:alert(1)',
      'JAVASCRIPT:alert(1)',
      'java&#x73;cript:alert(1)',
      'java\\script:alert(1)',
      '\u0001javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'file:///etc/passwd',
      '/panel/sign-out',
      '//evil.example',
      '?page=2',
      'http:evil.example',
    ];
    for (const address of refused)
      for (const text of [`[x](${address})`, `[x](<${address}>)`, `![x](${address})`, `[x]\n\n[x]: ${address}`])
        expect(markdownToHtml(text), text).not.to.include('<a');
  });

  it('loads no image, but links to it', () => {
    const link = '<a rel="nofollow ugc noopener" href="https://x.example/a.png">a &amp; b</a>';
    expect(markdownToHtml('![a & b](https://x.example/a.png)')).to.equal(`<p dir="auto">${link}</p>\n`);
    expect(markdownToHtml('![](https://x.example/a.png)')).to.include('>https://x.example/a.png</a>');
    expect(markdownToHtml('[![a](https://x.example/a.png)](https://y.example)').match(/<a/g)).to.have.length(1);
    expect(markdownToHtml('![a](https://x.example/a.png)')).not.to.include('<img');
  });

  it('has headings below that of the page, without a gap', () => {
    const levels = (text: string) => Array.from(markdownToHtml(text).matchAll(/<h(\d)/g), ([, level]) => Number(level));
    expect(levels('# a\n## b\n# c')).to.deep.equal([2, 3, 2]);
    expect(levels('###### a\n###### b\n### c')).to.deep.equal([2, 3, 4]);
    expect(markdownToHtml('### a')).to.equal('<h2 dir="auto">a</h2>\n');
  });

  for (const [name, text] of Object.entries(HOSTILE))
    it(`is shown as it was written, under a sentence that says so, when it is ${name}`, () => {
      const { html, isPlain, units } = renderMarkdown(text);
      expect([isPlain, html.split('\n')[0]]).to.deep.equal([
        true,
        '<p>This description is too complex to be shown as Markdown, so it is shown as it was written.</p>',
      ]);
      expect(unescaped(/<pre [^>]*>(.*)<\/pre>\n$/s.exec(html)?.[1])).to.equal(text);
      expect(units).to.be.most(MAX_UNITS + LAST_STEP_UNITS);
      expect(Buffer.byteLength(html)).to.be.most(MAX_HTML_BYTES);
    });

  it('takes at most 8,000 units of work and has at most 100,000 bytes, whatever it is made of', () => {
    for (const text of hostileTexts(200, 1)) {
      const { html, units } = renderMarkdown(text);
      expect(units, text).to.be.most(MAX_UNITS + LAST_STEP_UNITS);
      expect(Buffer.byteLength(html), text).to.be.most(MAX_HTML_BYTES);
    }
  });

  it('takes work as it is long, so that a short text cannot take what a long one may', () => {
    const text = `${'x|'.repeat(20)}\n${'-|'.repeat(20)}\n${'x\n'.repeat(200)}`;
    const short = renderMarkdown(text);
    expect(short.isPlain).to.equal(true);
    expect(short.units).to.be.most(500 + 3 * text.length + 1);
    expect(renderMarkdown('A *simple* text with [a link](https://x.example).').units).to.be.most(50);
  });

  it('looks for no links of other kinds, which takes long', () => {
    const { html, units } = renderMarkdown('ftp://a/ //a/ '.repeat(700));
    expect(html).not.to.include('<a');
    expect(units).to.be.below(MAX_UNITS);
  });

  it('counts bytes, not characters', () => {
    const text = `[a]: http://x/${'😀'.repeat(950)}\n\n${'[a] '.repeat(9)}`;
    expect(renderMarkdown(text)).to.include({ isPlain: true });
    expect(renderMarkdown(text).units).to.be.below(MAX_UNITS);
    expect(renderMarkdown('é'.repeat(10_000)).isPlain).to.equal(false);
  });

  it('is shown as Markdown when it is long, with many tables, lists and links', () => {
    const list = '## Setup\n\n1. Open [the page](https://x.example/a?b=c)\n2. *Choose* `x`\n\n';
    const part = `${list}| a | b |\n|---|---|\n| 1 | 2 |\n\n`;
    expect(renderMarkdown(part.repeat(10_000 / part.length)).isPlain).to.equal(false);
  });
});

function unescaped(html = ''): string {
  return html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

describe('Markdown as plain text', () => {
  it('is what the text says, in one line', () => {
    const text =
      '# Title\n\nSome **bold** [link](https://x.example) `code`,\nmore\n\n- a\n- b\n\n```\nx = 1\n```\n![alt](https://x.example/a.png)';
    expect(markdownToText(text, 200)).to.equal('Title Some bold link code, more a b x = 1');
  });

  const [image, address] = [`https://img.example/${'b'.repeat(90)}`, `https://ci.example/${'c'.repeat(60)}`];
  const badge = `[![build](${image} "passing")](${address})`;
  const BADGES: Readonly<Record<string, string>> = {
    'that are links': `${badge} ${badge}\n\n`,
    'on the line of the text': `${badge}${badge} `,
    'that are images alone': `![build](${image})\n![build](${image})\n\n`,
    'by reference': `[i]: ${image}\n[a]: ${address}\n\n[![build][i]][a] [![build][i]][a]\n\n`,
    'after a title': `# ${badge} ${badge}\n`,
    'of which there are twelve': `[![build](https://img.example/b)](${address}) `.repeat(12),
  };
  for (const [what, badges] of Object.entries(BADGES))
    it(`is the text behind badges ${what}`, () => {
      const said = markdownToText(`${badges}Sorts my *inbox*. ${'And more. '.repeat(200)}`, 180);
      expect(said)
        .to.match(/^Sorts my inbox\. And more\. /)
        .and.to.have.length.within(160, 181);
      expect(markdownToText(`${badges}Sorts my *inbox*.`, 180)).to.equal('Sorts my inbox.');
    });

  it('is the texts of images where there is nothing else', () => {
    expect(markdownToText(`${badge} ${badge}`, 180)).to.equal('build build');
    expect(markdownToText(`![Sorted mail](${image})`, 180)).to.equal('Sorted mail');
  });

  it('ends at a word, and says that it goes on', () => {
    expect(markdownToText('one two three', 9)).to.equal('one two…');
    expect(markdownToText('one two three', 13)).to.equal('one two three');
    expect(markdownToText('W'.repeat(50), 9)).to.equal(`${'W'.repeat(9)}…`);
    expect(markdownToText('a'.repeat(8) + '😀'.repeat(9), 9)).to.equal(`${'a'.repeat(8)}…`);
    expect(markdownToText(`${'*'.repeat(30)} a`, 9)).to.match(/…$/);
  });

  it('is the text as it was written where that takes too much work', () => {
    expect(markdownToText(HOSTILE['lists within lists'], 400)).to.equal(`${'- '.repeat(99)}the end`);
  });

  it('shows HTML as the text that it is', () => {
    expect(markdownToText('<b>x</b> &lt;', 100)).to.equal('<b>x</b> <');
  });
});
