import { DomainError } from './errors.js';

/** An active code of ISO 4217, such as `USD`. */
export type Currency = string & { readonly __brand: 'Currency' };

/** ISO 4217:2015, list one as amended, by the number of decimals of the minor unit; funds and metals left out. */
const CODES_BY_DECIMALS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC ' +
    'CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD ' +
    'KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO ' +
    'NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL ' +
    'THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
};

const DECIMALS: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES_BY_DECIMALS).flatMap(([decimals, codes]) =>
    codes.split(' ').map((code): [string, number] => [code, Number(decimals)]),
  ),
);

/** @throws DomainError `invalid` when the text is no active ISO 4217 code. */
export function parseCurrency(text: string): Currency {
  if (DECIMALS.has(text)) return text as Currency;
  const detail = 'must be an active ISO 4217 currency code such as USD, EUR or JPY';
  throw new DomainError('invalid', 'unknown-currency', `currency ${detail}`, [
    { field: 'currency', code: 'unknown-value', detail },
  ]);
}

/** The currency of a new store for which none was given. */
export const DEFAULT_CURRENCY = parseCurrency('USD');

/** Returns the error for a store whose prices are in another currency than this one. */
export function otherCurrency(recorded: string, currency: string): DomainError {
  const message = `the prices in this store are in ${recorded}, not in ${currency}`;
  return new DomainError('conflict', 'other-currency', message, [
    { field: 'currency', code: 'unknown-value', detail: `must be ${recorded}` },
  ]);
}

/** Returns the number of decimals that a price in this currency may have. */
export function decimalsOf(currency: Currency): number {
  return DECIMALS.get(currency) ?? 2;
}
