import type { Automation } from '../../application/index.js';
import { markdownToText } from '../web/views/markdown.js';
import { exactPrice } from '../web/views/locales.js';

/** The absolute addresses, and the names, of what structured data speaks of. */
export interface LinkedNames {
  readonly address: string;
  /** Where its file is. */
  readonly download?: string;
  readonly developer: { readonly name: string; readonly address: string };
  /** The pages that lead to this one, from the first. */
  readonly trail: readonly { readonly name: string; readonly address: string }[];
}

const MAX_DESCRIPTION_LENGTH = 500;

/** Returns the structured data of an automation (schema.org), as the content of a script element. */
export function jsonLdOf(automation: Automation, { address, download, developer, trail }: LinkedNames): string {
  const { id, title, description, price, url, license } = automation;
  const seller = { '@type': 'Organization', name: developer.name, url: developer.address };
  const product = {
    '@type': typeOf(automation, download),
    '@id': address,
    url: address,
    sku: id,
    name: title,
    description: markdownToText(description, MAX_DESCRIPTION_LENGTH),
    brand: { '@type': 'Brand', name: developer.name },
    releaseDate: automation.createdAt.toISOString(),
    ...(download !== undefined && { downloadUrl: download }),
    ...(license !== null && { license: { '@type': 'CreativeWork', name: license } }),
    offers: {
      '@type': 'Offer',
      url: url ?? address,
      price: exactPrice(price),
      priceCurrency: price.currency,
      availability: 'https://schema.org/InStock',
      seller,
    },
  };
  const steps = [...trail, { name: title, address }].map(({ name, address: item }, index) => {
    return { '@type': 'ListItem', position: index + 1, name, item };
  });
  const crumbs = { '@type': 'BreadcrumbList', itemListElement: steps };
  return scriptText({ '@context': 'https://schema.org', '@graph': [product, crumbs] });
}

/** A licence is one of a work, and an address to download of a program. */
function typeOf({ license }: Automation, download: string | undefined): string | readonly string[] {
  if (download !== undefined) return ['Product', 'SoftwareApplication'];
  return license === null ? 'Product' : ['Product', 'CreativeWork'];
}

/** Returns JSON that ends no script element and begins no comment in one. */
function scriptText(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
