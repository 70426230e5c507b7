/** A line of a plot: a value for each of the places on the x axis. */
export interface Line {
  readonly name: string;
  readonly values: readonly number[];
  readonly colour: string;
  readonly dashed?: boolean;
}

interface Plot {
  readonly title: string;
  readonly places: readonly string[];
  readonly unit: string;
  readonly lines: readonly Line[];
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [760, 420, 70, 210, 50, 50] as const;

const FONT = 'font-family="sans-serif" font-size="12"';

/** Returns an SVG picture of lines over a logarithmic y axis. */
export function svg({ title, places, unit, lines }: Plot): string {
  const values = lines.flatMap((line) => line.values);
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  const x = (place: number) => LEFT + (place * (WIDTH - LEFT - RIGHT)) / Math.max(1, places.length - 1);
  const y = (value: number) => HEIGHT - BOTTOM - ((Math.log10(value) - low) * (HEIGHT - TOP - BOTTOM)) / (high - low);
  const decades = Array.from({ length: high - low + 1 }, (_, n) => 10 ** (low + n));
  const axis = decades.flatMap((value) => [
    `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}" stroke="#ddd"/>`,
    `<text x="${LEFT - 8}" y="${y(value) + 4}" text-anchor="end">${value} ${unit}</text>`,
  ]);
  const labels = places.map(
    (place, n) => `<text x="${x(n)}" y="${HEIGHT - BOTTOM + 22}" text-anchor="middle">${place}</text>`,
  );
  const drawn = lines.flatMap(({ name, values: own, colour, dashed }, n) => {
    const stroke = `stroke="${colour}" stroke-width="2"${dashed ? ' stroke-dasharray="6 4"' : ''}`;
    const points = own.map((value, place) => `${x(place)},${y(value)}`).join(' ');
    const [from, to, top] = [WIDTH - RIGHT + 16, WIDTH - RIGHT + 44, TOP + 22 * n];
    return [
      `<polyline fill="none" ${stroke} points="${points}"/>`,
      `<line x1="${from}" x2="${to}" y1="${top}" y2="${top}" ${stroke}/>`,
      `<text x="${to + 6}" y="${top + 4}">${name}</text>`,
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" ${FONT} role="img">`,
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${LEFT}" y="26" font-size="15">${title}</text>`,
    ...axis,
    ...labels,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}
