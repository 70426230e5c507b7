/** The samples of `/metrics` that have no labels, by their name. */
export async function scrape(url: string): Promise<(name: string) => number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const samples = new Map(
    Array.from(text.matchAll(/^(\w+) (\S+)$/gm), ([, name = '', value]) => [name, Number(value)]),
  );
  return (name) => samples.get(name) ?? NaN;
}

export const MIB = 1024 * 1024;
