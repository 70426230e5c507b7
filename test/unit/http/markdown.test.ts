import { expect } from 'chai';
import { markdownToHtml, markdownToText } from '../../../adapters/http/views/markdown.js';

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

  it('takes no time to speak of for texts that are made to take long', () => {
    for (const part of ['[', '![', '*a_', '> ', '- ', '`a', '<a ', '|', '&', 'https://', '[a](', '\\', '"', '~~'])
      expect(markdownToHtml(part.repeat(10_000 / part.length)), part).to.be.a('string');
  }).timeout(5_000);
});

describe('Markdown as plain text', () => {
  it('is what the text says, in one line', () => {
    const text =
      '# Title\n\nSome **bold** [link](https://x.example) `code`,\nmore\n\n- a\n- b\n\n```\nx = 1\n```\n![alt](https://x.example/a.png)';
    expect(markdownToText(text, 200)).to.equal('Title Some bold link code, more a b x = 1 alt');
  });

  it('ends at a word, and says that it goes on', () => {
    expect(markdownToText('one two three', 9)).to.equal('one two…');
    expect(markdownToText('one two three', 13)).to.equal('one two three');
    expect(markdownToText('W'.repeat(50), 9)).to.equal(`${'W'.repeat(9)}…`);
    expect(markdownToText('a'.repeat(8) + '😀'.repeat(9), 9)).to.equal(`${'a'.repeat(8)}…`);
    expect(markdownToText(`${'*'.repeat(30)} a`, 9)).to.match(/…$/);
  });

  it('shows HTML as the text that it is', () => {
    expect(markdownToText('<b>x</b> &lt;', 100)).to.equal('<b>x</b> <');
  });
});
