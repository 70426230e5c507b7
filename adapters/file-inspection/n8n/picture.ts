import { escaped, linesOf } from '../svg-text.js';
import { memberOf, printable } from '../texts.js';
import { isNote, isTrigger, kindOf, linksOf, type Node, type Workflow } from './workflow.js';

const [MAX_NODES, MAX_LINKS] = [300, 1_000];
/** In the text alternative. */
const [MAX_NAMED, MAX_NAME] = [10, 100];
/** Positions further out are none of a canvas. */
const MAX_POSITION = 1_000_000;
const [WIDTH, HEIGHT, GAP, MARGIN] = [168, 56, 24, 16];
const [MIN_SCALE, MAX_SCALE] = [0.5, 2.5];
/** How many letters fit next to the initials. */
const LINE = 17;

/** Colours that show on a light and on a dark page; the rest is drawn in the colour of its text. */
const COLOURS: readonly (readonly [kinds: RegExp, colour: string])[] = [
  [/^(?:lm|agent|chain|embeddings|vectorStore|memory|outputParser|textSplitter|document|tool|openAi)/, '#7c3aed'],
  [/^(?:code|function|executeCommand|ssh|aiTransform)/, '#b45309'],
  [/^(?:if|switch|filter|merge|splitInBatches|splitOut|aggregate|set|noOp|wait|limit|sort)/, '#64748b'],
];
const [TRIGGER_COLOUR, OTHER_COLOUR] = ['#dc2626', '#2563eb'];

interface Place {
  readonly node: Node;
  readonly x: number;
  readonly y: number;
}

interface Box extends Place {
  readonly width: number;
  readonly height: number;
}

/**
 * Draws the graph of a workflow as SVG that may stand in a page: without scripts, styles, ids and addresses. Returns
 * undefined for one without steps, with too many nodes or connections, or with positions that are on no canvas.
 */
export function draw(workflow: Workflow): string | undefined {
  const named = linksOf(workflow);
  if (workflow.nodes.length > MAX_NODES || named.length > MAX_LINKS) return undefined;
  const places = workflow.nodes.flatMap((node) => placeOf(node) ?? []);
  const steps = places.filter(({ node }) => !isNote(node));
  if (places.length < workflow.nodes.length || steps.length === 0) return undefined;
  const scale = scaleOf(steps);
  const all = places.map((place) => boxOf(place, scale));
  const boxes = all.filter(({ node }) => !isNote(node));
  const byName = new Map<unknown, Box>(boxes.map((box) => [box.node.name, box]));
  const links = named.flatMap(({ from, to, type }) => {
    const [source, target] = [byName.get(from), byName.get(to)];
    return source && target ? [type === 'main' ? curve(source, target) : part(source, target)] : [];
  });
  const body = [
    ...all.filter(({ node }) => isNote(node)).map(noteBox),
    `<g fill="none" stroke="currentColor" stroke-opacity=".5" stroke-width="1.5">${links.join('')}</g>`,
    ...boxes.map(stepBox),
  ];
  return svgOf(all, textOf(workflow, boxes, links.length), body);
}

function svgOf(boxes: readonly Box[], text: string, body: readonly string[]): string {
  const [left, top] = [Math.min(...boxes.map(({ x }) => x)) - MARGIN, Math.min(...boxes.map(({ y }) => y)) - MARGIN];
  const width = Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN - left;
  const height = Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN - top;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${text}" width="${width}" height="${height}" ` +
    `viewBox="${left} ${top} ${width} ${height}" font-family="sans-serif" font-size="12">` +
    `<title>${text}</title>${body.join('')}</svg>`
  );
}

/** Returns what the picture shows, for those who do not see it. */
function textOf({ name }: Workflow, boxes: readonly Box[], links: number): string {
  const triggers = boxes.filter(({ node }) => isTrigger(node)).map(({ node }) => printable(nameOf(node), MAX_NAME));
  const title = typeof name === 'string' && name !== '' ? `${printable(name, MAX_NAME)}: ` : '';
  const starts = triggers.length === 0 ? 'no trigger' : `started by ${triggers.slice(0, MAX_NAMED).join(', ')}`;
  return escaped(`${title}${counted(boxes.length, 'node')}, ${counted(links, 'connection')}, ${starts}`);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function placeOf(node: Node): Place | undefined {
  const [x, y] = Array.isArray(node.position) ? (node.position as readonly unknown[]) : [];
  return isOnCanvas(x) && isOnCanvas(y) ? { node, x, y } : undefined;
}

function isOnCanvas(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= MAX_POSITION;
}

/** Returns by how much positions are stretched so that no two boxes overlap, unless they stand almost on one place. */
function scaleOf(places: readonly Place[]): number {
  const needed = places.flatMap(({ x, y }, index) =>
    places.slice(index + 1).map((other) => {
      return Math.min((WIDTH + GAP) / Math.abs(x - other.x), (HEIGHT + GAP) / Math.abs(y - other.y));
    }),
  );
  return Math.max(MIN_SCALE, ...needed.filter((one) => one <= MAX_SCALE));
}

function boxOf({ node, x, y }: Place, scale: number): Box {
  const place = { node, x: Math.round(x * scale), y: Math.round(y * scale) };
  if (!isNote(node)) return { ...place, width: WIDTH, height: HEIGHT };
  const size = (name: string, usual: number) => {
    const value = memberOf(node.parameters, name);
    return Math.round(scale * (isOnCanvas(value) ? Math.abs(value) : usual));
  };
  return { ...place, width: size('width', 240), height: size('height', 160) };
}

function noteBox({ x, y, width, height }: Box): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="4" fill="#eab308" fill-opacity=".12"/>`;
}

function stepBox({ node, x, y }: Box): string {
  const kind = kindOf(node);
  const colour = isTrigger(node) ? TRIGGER_COLOUR : (COLOURS.find(([kinds]) => kinds.test(kind))?.[1] ?? OTHER_COLOUR);
  const rows = linesOf(nameOf(node), LINE, 2).map(
    (line, index) => `<tspan x="${x + 46}" y="${y + 17 + 14 * index}">${escaped(line)}</tspan>`,
  );
  const initials = (/[a-z]/i.exec(kind)?.[0] ?? '?').toUpperCase() + (/(?<=.)[A-Z]/.exec(kind)?.[0] ?? '');
  return (
    `<g><rect x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}" rx="8" fill="${colour}" fill-opacity=".1" ` +
    `stroke="${colour}"${memberOf(node, 'disabled') === true ? ' stroke-dasharray="4"' : ''}/>` +
    `<rect x="${x + 8}" y="${y + 12}" width="30" height="32" rx="6" fill="${colour}"/>` +
    `<text x="${x + 23}" y="${y + 33}" fill="#fff" text-anchor="middle" font-weight="bold">${initials}</text>` +
    `<text fill="currentColor">${rows.join('')}<tspan x="${x + 46}" y="${y + 47}" font-size="9" ` +
    `fill-opacity=".75">${escaped(linesOf(kind, LINE + 4, 1).join(''))}</tspan></text></g>`
  );
}

/** From side to side. */
function curve(from: Box, to: Box): string {
  const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2];
  const bend = Math.round(Math.max(30, Math.min(200, Math.abs(x2 - x1) / 2)));
  return `<path d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}"/>`;
}

/** What an agent is given, from below. */
function part(from: Box, to: Box): string {
  const [x1, y1, x2, y2] = [from.x + WIDTH / 2, from.y, to.x + WIDTH / 2, to.y + HEIGHT];
  return `<path stroke-dasharray="4" d="M${x1} ${y1}C${x1} ${y1 - 30} ${x2} ${y2 + 30} ${x2} ${y2}"/>`;
}

function nameOf({ name, type }: Node): string {
  return typeof name === 'string' ? name : type;
}
