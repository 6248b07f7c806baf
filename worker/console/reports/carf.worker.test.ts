import { env } from 'cloudflare:workers'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import type { CarfGaps } from '../../../src/contract/console/reports.ts'
import { call, send } from '../../../test/support/http.ts'
import {
  approveDeposit,
  approveWithdrawal,
  as,
  completeWithdrawal,
  deposit,
  withdrawal,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'

const YEAR = new Date().getUTCFullYear()
const COMPANY = {
  year: YEAR,
  company: 'Sample & Sons',
  country: 'Germany',
  city: 'Berlin',
  taxNumber: 'DE 1',
}
const DETAILS = {
  ...{ firstName: 'Ana', lastName: 'Kurz <Ñ>', street: '', postCode: '10115', city: 'Berlin' },
  ...{ country: 'Deutschland', taxNumber: '12 345' },
}

const save = (person: Person, json: object) =>
  call('POST', '/users/tax-details', { token: person.token, json })
const gaps = async (by: Person) => (await as<CarfGaps>(by, 'GET', `/operator/reports/carf?year=${YEAR}`)).body
const report = async (by: Person, json: object = COMPANY) => {
  const response = await send('POST', '/operator/reports/carf', { token: by.token, json })
  expect([response.status, response.headers.get('Content-Type')]).toEqual([
    200,
    'application/xml; charset=utf-8',
  ])
  return response.text()
}
const setBirthDate = (person: Person, day: string) =>
  env.DB.prepare('UPDATE kyc_submissions SET born_on = ?2 WHERE user_id = ?1').bind(person.id, day).run()

test('a report has each person and coin in the order of the schema, and names whom it leaves out', async () => {
  const [first, second] = [await newOperator(), await newOperator()]
  const compliance = await newOperator({ roles: ['compliance'] })
  const ana = await newInvestor({ availableCents: 500_00 })
  const bob = await newInvestor()
  for (const person of [ana, bob]) await approveDeposit(first, await deposit(person, '100.50'))
  const paid = await withdrawal(ana, '40')
  await approveWithdrawal(first, paid)
  expect((await completeWithdrawal(second, paid)).status).toBe(200)
  expect(await gaps(compliance)).toMatchObject({
    people: 0,
    missing: 2,
    gaps: [{ _id: ana.id, lacks: ['tax details', 'date of birth'] }, { _id: bob.id }],
  })

  expect((await save(ana, DETAILS)).status).toBe(200)
  await setBirthDate(ana, '1990-05-01')
  expect(await gaps(compliance)).toMatchObject({ people: 1, missing: 1, gaps: [{ _id: bob.id }] })
  const xml = await report(compliance)
  const root = parse(xml)
  expectOrder(root)
  expect(texts(root, 'ReportingPeriod')).toEqual([`${YEAR}-12-31`])
  expect(texts(root, 'LastName')).toEqual(['Kurz <Ñ>'])
  expect(texts(root, 'TIN')).toEqual(['DE 1', '12 345'])
  expect(texts(root, 'BirthDate')).toEqual(['1990-05-01'])
  // The company's reference, and one of each person, are different.
  expect(new Set(texts(root, 'DocRefId')).size).toBe(2)
  expect(texts(root, 'DocTypeIndic')).toEqual(['OECD11', 'OECD11'])
  // The second coin is the money that the account began with.
  expect(find(root, 'CryptoFiatOut').map((total) => texts(total, 'Amount'))).toEqual([['100.50'], ['500.00']])
  expect(find(root, 'TransferWallet').map((total) => texts(total, 'Amount'))).toEqual([['40.00']])
  expect(texts(root, 'NumberofTransactions').every((count) => count === '1')).toBe(true)
  expect(texts(root, 'MessageTypeIndic')).toEqual(['CARF701'])
  const empty = parse(await report(compliance, { ...COMPANY, year: 2020 }))
  expectOrder(empty)
  expect(texts(empty, 'MessageTypeIndic')).toEqual(['CARF703'])
  expect(find(empty, 'CryptoUsers')).toEqual([])

  await save(ana, { ...DETAILS, taxNumber: '' })
  expect(await report(compliance)).toContain('<carf:TIN unknown="true">NOTIN</carf:TIN>')
})

test('tax details are stored encrypted, and only their owner reads them', async () => {
  const [ana, bob, operator] = [await newInvestor(), await newInvestor(), await newOperator()]
  await save(ana, DETAILS)
  const read = (person: Person) => call('GET', '/users/tax-details', { token: person.token })
  expect(await read(ana)).toMatchObject({
    status: 200,
    body: { details: { lastName: 'Kurz <Ñ>', country: 'DE', taxNumber: '12 345' } },
  })
  expect((await read(bob)).body).toEqual({ details: null, changedAt: null })
  const { results } = await env.DB.prepare('SELECT * FROM tax_details').all()
  expect(JSON.stringify(results)).not.toMatch(/Kurz|12 345|Berlin/)
  expect((await save(operator, DETAILS)).status).toBe(403)
  expect(await save(ana, { ...DETAILS, city: ' ', country: 'Atlantis' })).toMatchObject({
    status: 422,
    body: { fields: { city: 'Please enter your city', country: 'Please select your country' } },
  })
})

test('only compliance and administrators export a report', async () => {
  for (const role of ['treasurer', 'reviewer', 'support', 'auditor'] as const) {
    const operator = await newOperator({ roles: [role] })
    const { status } = await as(operator, 'GET', `/operator/reports/carf?year=${YEAR}`)
    expect(status, role).toBe(role === 'auditor' ? 200 : 403)
    expect((await as(operator, 'POST', '/operator/reports/carf', COMPANY)).status, role).toBe(403)
  }
  const administrator = await newOperator({ roles: ['administrator'] })
  expect((await as(administrator, 'GET', '/operator/reports/carf?year=1999')).status).toBe(422)
  expect(await as(administrator, 'POST', '/operator/reports/carf', { ...COMPANY, city: '' })).toMatchObject({
    status: 422,
    body: { fields: { city: 'Please enter the company’s city' } },
  })
})

interface XmlElement {
  readonly name: string
  readonly children: XmlElement[]
  text: string
}

/** Fails on text that is not well-formed. */
function parse(xml: string): XmlElement {
  const top: XmlElement = { name: '', children: [], text: '' }
  const open = [top]
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ local }) => {
    const child = { name: local, children: [], text: '' }
    open.at(-1)?.children.push(child)
    open.push(child)
  })
  parser.on('text', (text) => {
    const last = open.at(-1)
    if (last) last.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  return top
}

function find(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...find(child, name)])
}

function texts(element: XmlElement, name: string): string[] {
  return find(element, name).map(({ text }) => text)
}

/**
 * The children of each element as CARFXML_v1.5.xsd has them, in order: `?` may be missing, `*` may repeat or be missing, `+` may repeat.
 * The namespaces are those of its file and of oecdcarftypes_v5.0.xsd.
 */
const SCHEMA: Readonly<Record<string, string>> = {
  CARF_OECD: 'MessageSpec CARFBody',
  MessageSpec:
    'SendingEntityIN? TransmittingCountry ReceivingCountry MessageType Warning? Contact? MessageRefId MessageTypeIndic ReportingPeriod Timestamp',
  CARFBody: 'RCASP CryptoUsers*',
  RCASP: 'RCASP_ID Nexus? OtherNexus? DocSpec',
  RCASP_ID: 'Entity',
  Entity: 'ResCountryCode+ TIN+ IN* IIN* Name+ Address+',
  CryptoUsers: 'UserID ControllingPerson* RelevantTransactions+ DocSpec',
  UserID: 'Individual',
  Individual: 'ResCountryCode+ TIN+ IIN* Name+ Address+ Nationality* BirthInfo',
  Address: 'CountryCode AddressFix AdditionalAddressInfo?',
  AddressFix:
    'Street? BuildingIdentifier? SuiteIdentifier? FloorIdentifier? DistrictName? POB? PostCode? City CountrySubentity?',
  BirthInfo: 'BirthDate BirthPlace?',
  DocSpec: 'DocTypeIndic DocRefId CorrMessageRefId? CorrDocRefId?',
  RelevantTransactions:
    'CryptoAsset CryptoToCryptoIn* CryptoToCryptoOut* CryptoFiatIn* CryptoFiatOut* CryptoTransferIn* CryptoTransferOut* TransferWallet* RRPT*',
  CryptoFiatIn: 'ExchangeType? NumberofTransactions Amount NumberofUnits',
  CryptoFiatOut: 'ExchangeType? NumberofTransactions Amount NumberofUnits',
  CryptoTransferOut: 'TransferType NumberofTransactions Amount NumberofUnits AltValuation?',
  TransferWallet: 'Amount NumberofUnits AltValuation?',
}

/** The values that the schema allows in an element without children. In all others: a text of 1 to 200 characters. */
const VALUES: Readonly<Record<string, RegExp>> = {
  MessageType: /^CARF$/,
  MessageTypeIndic: /^CARF70[1-3]$/,
  MessageRefId: /^.{1,170}$/,
  Nexus: /^CARF90[1-7]$/,
  DocTypeIndic: /^OECD1?[0-3]$/,
  TransferType: /^CARF60[1-6]$/,
  Amount: /^\d+\.\d\d$/,
  NumberofUnits: /^\d+(\.\d{1,20})?$/,
  NumberofTransactions: /^\d+$/,
  BirthDate: /^\d{4}-\d\d-\d\d$/,
  ReportingPeriod: /^\d{4}-\d\d-\d\d$/,
  Timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  ...Object.fromEntries(
    ['TransmittingCountry', 'ReceivingCountry', 'ResCountryCode', 'CountryCode'].map((name) => [
      name,
      /^[A-Z]{2}$/,
    ]),
  ),
}

function expectOrder(element: XmlElement): void {
  if (element.children.length === 0)
    expect(element.text, element.name).toMatch(VALUES[element.name] ?? /^.{1,200}$/)
  const schema = SCHEMA[element.name]
  if (schema !== undefined) {
    const pattern = schema
      .split(' ')
      .map((word) => `(?:${word.replace(/[?*+]/, '')} )${/[?*+]$/.exec(word)?.[0] ?? ''}`)
      .join('')
    const children = element.children.map(({ name }) => `${name} `).join('')
    expect(children, element.name).toMatch(new RegExp(`^${pattern}$`))
  }
  for (const child of element.children) expectOrder(child)
}
