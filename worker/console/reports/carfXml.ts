import type { CarfRequest } from '../../../src/contract/console/reports.ts'
import type { TaxDetails } from '../../../src/contract/identity/tax.ts'

/**
 * The XML of a report under the OECD's Crypto-Asset Reporting Framework, version 1.5 of its schema (CARFXML_v1.5.xsd, July 2025). The
 * order of the elements is the schema's. https://www.oecd.org/en/publications/crypto-asset-reporting-framework-xml-schema_578052ec-en.html
 */
export interface CarfHeader extends CarfRequest {
  readonly messageId: string
  readonly documentId: string
  /** ISO 8601 in UTC. */
  readonly timestamp: string
  /** Marks the report as a test, as the schema provides. */
  readonly isTest: boolean
}

export interface CarfPerson {
  readonly documentId: string
  readonly details: TaxDetails
  /** 1990-05-01 */
  readonly bornOn: string
  /** The country of the address: a two-letter code. */
  readonly country: string
  readonly coins: readonly CarfCoin[]
}

/** A person's deposits and withdrawals of one coin. Quantities are exact decimals. */
export interface CarfCoin {
  readonly symbol: string
  readonly paidIn: CarfTotal | null
  readonly paidOut: CarfTotal | null
}

export interface CarfTotal {
  readonly transactions: number
  readonly cents: number
  readonly quantity: string
}

/** The report up to its first person. CARF701 marks new data. CARF703 says that the year has no data. */
export function startCarf(header: CarfHeader, messageTypeIndic: 'CARF701' | 'CARF703'): string {
  const { country, year, company, city, taxNumber } = header
  return `<?xml version="1.0" encoding="UTF-8"?>
<carf:CARF_OECD xmlns:carf="urn:oecd:ties:carf:v1" xmlns:stf="urn:oecd:ties:carfstf:v5" version="1.5">${element(
    'MessageSpec',
    [
      element('TransmittingCountry', country),
      element('ReceivingCountry', country),
      element('MessageType', 'CARF'),
      ...(header.isTest
        ? [element('Warning', 'Simulated money: no real person and no real transaction')]
        : []),
      element('MessageRefId', `${country}${year}${country}${header.messageId}`),
      element('MessageTypeIndic', messageTypeIndic),
      element('ReportingPeriod', `${year}-12-31`),
      element('Timestamp', header.timestamp),
    ],
  )}<carf:CARFBody>${element('RCASP', [
    element('RCASP_ID', [
      element('Entity', [
        element('ResCountryCode', country),
        element('TIN', taxNumber, { issuedBy: country }),
        element('Name', company),
        formatAddress(country, { city }),
      ]),
    ]),
    element('Nexus', 'CARF901'),
    formatDocument(header, header.documentId),
  ])}
`
}

/**
 * One person. We credit deposited coins as US dollars, which is a sale (CryptoFiatOut). We buy withdrawn coins with the investor's US
 * dollars (CryptoFiatIn) and send them to an address (CryptoTransferOut). We do not know who controls it (TransferWallet).
 */
export function formatCarfPerson(header: CarfHeader, person: CarfPerson): string {
  const { details, bornOn, coins } = person
  return `${element('CryptoUsers', [
    element('UserID', [
      element('Individual', [
        element('ResCountryCode', details.country),
        details.taxNumber
          ? element('TIN', details.taxNumber, { issuedBy: details.country })
          : element('TIN', 'NOTIN', { unknown: 'true' }),
        element('Name', [element('FirstName', details.firstName), element('LastName', details.lastName)]),
        formatAddress(person.country, details),
        element('BirthInfo', [element('BirthDate', bornOn)]),
      ]),
    ]),
    ...coins.map(formatCoin),
    formatDocument(header, person.documentId),
  ])}
`
}

export const END_OF_CARF = '</carf:CARFBody></carf:CARF_OECD>\n'

function formatCoin({ symbol, paidIn, paidOut }: CarfCoin): string {
  return element('RelevantTransactions', [
    element('CryptoAsset', symbol),
    ...(paidOut ? [element('CryptoFiatIn', formatTotal(paidOut))] : []),
    ...(paidIn ? [element('CryptoFiatOut', formatTotal(paidIn))] : []),
    ...(paidOut
      ? [
          element('CryptoTransferOut', [element('TransferType', 'CARF606'), ...formatTotal(paidOut)]),
          element('TransferWallet', formatTotal(paidOut).slice(1)),
        ]
      : []),
  ])
}

function formatTotal({ transactions, cents, quantity }: CarfTotal): string[] {
  return [
    element('NumberofTransactions', String(transactions)),
    element('Amount', (cents / 100).toFixed(2), { currCode: 'USD' }),
    element('NumberofUnits', quantity),
  ]
}

function formatAddress(
  country: string,
  { street, postCode, city }: Partial<Pick<TaxDetails, 'street' | 'postCode'>> & Pick<TaxDetails, 'city'>,
): string {
  return element('Address', [
    element('CountryCode', country),
    element('AddressFix', [
      ...(street ? [element('Street', street)] : []),
      ...(postCode ? [element('PostCode', postCode)] : []),
      element('City', city),
    ]),
  ])
}

/** OECD1 is new data, OECD11 new data of a test. */
function formatDocument({ isTest, country, year }: CarfHeader, documentId: string): string {
  const parts = [
    `<stf:DocTypeIndic>${isTest ? 'OECD11' : 'OECD1'}</stf:DocTypeIndic>`,
    `<stf:DocRefId>${country}${year}${documentId}</stf:DocRefId>`,
  ]
  return element('DocSpec', parts)
}

/** An element: its content is text, or finished elements. */
function element(
  name: string,
  content: string | readonly string[],
  attributes: Readonly<Record<string, string>> = {},
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const inner = typeof content === 'string' ? escapeXml(content) : content.join('')
  return `<carf:${name}${written.join('')}>${inner}</carf:${name}>`
}

/** Characters that XML 1.0 does not allow are dropped. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/(?![\t\n\r])\p{Cc}|\p{Cs}|[\uFFFE\uFFFF]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
