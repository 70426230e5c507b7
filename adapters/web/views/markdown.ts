import { LRUCache } from 'lru-cache';
import markdownIt, { type Token } from 'markdown-it';
import { MARKDOWN_TEXTS } from './texts.js';
import { WorkBudget } from './work-budget.js';

const MARKDOWN = markdownIt({ html: false, linkify: true, breaks: true });
const BUDGET = new WorkBudget(MARKDOWN);
const MAX_HTML_BYTES = 100_000;
/**
 * The HTML of texts that were shown last. A feed of 50 of the worst texts takes 18 ms in place of 170 when it is made
 * again, since one of them was revised or its addresses begin with another host.
 */
const RENDERED = new LRUCache<string, string>({
  maxSize: 4 * 1024 * 1024,
  sizeCalculation: (html, text) => html.length + text.length + 1,
  memoMethod: (text) => renderMarkdown(text).html,
});

/** The mark of a text that stands for an image. */
const OF_IMAGE = { isImage: true };
/** Blocks whose direction follows their own text. */
const DIRECTED = /^(?:paragraph|heading|bullet_list|ordered_list|blockquote|th|td)_open$/;
/** The level of the heading of the page, and of the smallest one. */
const LEVELS = { page: 1, smallest: 6 } as const;

/** A path without a host would lead to a page of the marketplace. */
MARKDOWN.validateLink = (url) => /^(?:https?:\/\/|mailto:)/i.test(url.trim());
MARKDOWN.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
/** Links of these kinds become no links, and to look for them takes up to 60 ms. */
for (const schema of ['ftp:', '//']) MARKDOWN.linkify.add(schema, null);
MARKDOWN.core.ruler.push('page', ({ tokens, Token: NewToken }) => {
  nestHeadings(tokens);
  for (const token of tokens) {
    alignByClass(token);
    if (DIRECTED.test(token.type)) token.attrSet('dir', 'auto');
    if (token.children !== null) token.children = withoutImages(token.children, NewToken);
  }
});

const { renderer, utils } = MARKDOWN;
type RenderRule = (typeof renderer.rules)[string];
const renderTag: RenderRule = (tokens, index, options) => renderer.renderToken(tokens, index, options);

/** Code and tables may be wider than the page: they scroll, by keyboard too. */
const renderCode: RenderRule = (tokens, index) =>
  `<pre tabindex="0"><code>${utils.escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`;
renderer.rules['fence'] = renderCode;
renderer.rules['code_block'] = renderCode;
renderer.rules['table_open'] = (...all) => `<div class="scroll" tabindex="0">${renderTag(...all)}`;
renderer.rules['table_close'] = (...all) => `${renderTag(...all)}</div>`;
/** Search engines give no weight to such links, and the page behind them gets no handle on the one before. */
renderer.rules['link_open'] = (...all) => renderTag(...all).replace('<a', '<a rel="nofollow ugc noopener"');

/** A text as HTML, and the work that it took. */
export interface RenderedMarkdown {
  readonly html: string;
  /** Whether the text is shown as it was written, because its HTML would take too much work or space. */
  readonly isPlain: boolean;
  readonly units: number;
}

/** Returns the HTML of a text in Markdown: at most 100,000 bytes. HTML in the text is shown as text. */
export function renderMarkdown(text: string): RenderedMarkdown {
  const { result: html, units } = BUDGET.spend(text, () => MARKDOWN.render(text));
  const isPlain = html === undefined || Buffer.byteLength(html) > MAX_HTML_BYTES;
  return { html: isPlain ? plainHtml(text) : html, isPlain, units };
}

/** Returns the HTML alone, which is kept for a while. */
export function markdownToHtml(text: string): string {
  return RENDERED.memo(text);
}

function plainHtml(text: string): string {
  return `<p>${MARKDOWN_TEXTS.shownAsWritten}</p>\n<pre tabindex="0" dir="auto">${utils.escapeHtml(text)}</pre>\n`;
}

/**
 * Characters that are parsed for each one of a summary: twice as many, and 12 times as many where these give too short
 * a summary, as when a text begins with badges. So little of a long text is parsed.
 */
const PARSED = [2, 12] as const;

/** Returns the beginning of what a text in Markdown says, as plain text in one line. */
export function markdownToText(text: string, maxLength: number): string {
  const start = text.slice(0, PARSED[0] * maxLength);
  let [plain, parsed] = [inOneLine(start), 0];
  for (const times of PARSED) {
    parsed = times * maxLength;
    // The work is limited as if the short beginning were parsed: badges take little.
    const { result } = BUDGET.spend(start, () => MARKDOWN.parse(text.slice(0, parsed), {}));
    if (result === undefined) break;
    plain = saidIn(result);
    if (plain.length > maxLength || text.length <= parsed) break;
  }
  if (plain.length <= maxLength && text.length <= parsed) return plain;
  const cut = plain.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.replace(/\s\S*$/, '') || cut}…`;
}

/** Leaves out images, such as badges, unless there is nothing else. */
function saidIn(tokens: readonly Token[]): string {
  const textOf = (withImages: boolean) => inOneLine(tokens.map((token) => plainOf(token, withImages)).join(''));
  return textOf(false) || textOf(true);
}

function plainOf({ type, content, children, block, meta }: Token, withImages: boolean): string {
  if (children !== null) return children.map((child) => plainOf(child, withImages)).join('');
  if (type === 'softbreak' || type === 'hardbreak' || block) return ` ${content} `;
  return meta === OF_IMAGE && !withImages ? '' : content;
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Keeps the headings of a text below that of the page, none more than a level below the one before it. */
function nestHeadings(tokens: readonly Token[]): void {
  let before: number = LEVELS.page;
  for (const token of tokens)
    if (token.type === 'heading_open') {
      before = Math.min(Number(token.tag.slice(1)) + LEVELS.page, before + 1, LEVELS.smallest);
      token.tag = `h${before}`;
    } else if (token.type === 'heading_close') token.tag = `h${before}`;
}

/** A column of a table has a style, which the policy of our pages does not allow: it gets a class of the same name. */
function alignByClass(token: Token): void {
  const alignment = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
  if (alignment !== undefined) token.attrs = [['class', alignment]];
}

/** A page loads nothing from another host: an image becomes a link to it, and its text within another link. */
function withoutImages(tokens: readonly Token[], NewToken: typeof Token): Token[] {
  let depth = 0;
  return tokens.flatMap((token) => {
    if (token.type === 'link_open' || token.type === 'link_close') depth += token.nesting;
    return token.type === 'image' ? linkOfImage(token, depth > 0, NewToken) : token;
  });
}

function linkOfImage(image: Token, isInLink: boolean, NewToken: typeof Token): readonly Token[] {
  const text = new NewToken('text', '', 0);
  const open = new NewToken('link_open', 'a', 1);
  text.content = image.content || String(image.attrGet('src') ?? '');
  text.meta = OF_IMAGE;
  open.attrSet('href', image.attrGet('src') ?? '');
  return isInLink ? [text] : [open, text, new NewToken('link_close', 'a', -1)];
}
