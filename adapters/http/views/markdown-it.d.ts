/** The build writes this module: markdown-it with what it needs, in one file. */
export { default, type MarkdownIt, type Token } from 'markdown-it';
