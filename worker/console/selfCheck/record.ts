import { sql } from 'drizzle-orm'
import {
  type Committed,
  canonicalJson,
  commitmentOf,
  definitionHash,
  followsOn,
} from '../../../src/contract/investing/strategyRecord.ts'
import { RECORDED_COLUMNS, recordedOf, type ValuationRow } from '../../investing/strategies/readRecord.ts'
import { MICRO_A_CENT, unitPrice, valueCents } from '../../ledger/units.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { type Read, reading } from '../../lib/database.ts'
import { isoDay } from '../../lib/days.ts'

/** Each is hashed, so there are fewer of them than of what SQL compares by itself. */
const VALUATIONS_A_PAGE = 500

interface Row extends ValuationRow {
  readonly issuePrice: number | null
  readonly redeemPrice: number | null
  readonly salt: string | null
  /** JSON. */
  readonly details: string | null
  readonly netValue: number
  readonly units: number
  /** The hash of its strategy's definition: the beginning of the record. */
  readonly beginning: string | null
}

/** What a strategy was started with, and the hash that the sealed log has of it. */
export interface Frozen {
  readonly slug: string
  readonly definition: string
  readonly hash: string
  readonly logged: string | null
}

/** The definitions of all strategies. */
export function readDefinitions(): Read<Frozen> {
  return reading(sql`
    SELECT slug, definition, hash, (
      SELECT detail ->> 'hash' FROM audit_log WHERE subject = slug AND action = 'strategy.started' ORDER BY seq LIMIT 1) AS logged
    FROM strategies ORDER BY slug`)
}

/** What runs must be what was started: its parameters have the hash that stands beside them, and on the audit log. */
export async function findInDefinitions(strategies: readonly Frozen[]): Promise<string[]> {
  const findings: string[] = []
  for (const { slug, definition, hash, logged } of strategies) {
    if ((await definitionHash(parsed(definition))) !== hash)
      findings.push(`The definition of ${slug} was changed: it has another hash`)
    if (logged !== null && logged !== hash)
      findings.push(`The definition of ${slug} is not the one with which it was started by the audit log`)
  }
  return findings
}

/**
 * A page of the records of all strategies, from a day of one on (`slug day`, empty: from the start). That day is on it again,
 * since the next valuation follows on it.
 */
export function readRecords(after: string): Read<Row> {
  const [slug, day] = parsePlace(after)
  return reading(sql`
    SELECT ${RECORDED_COLUMNS}, v.issue_price AS issuePrice, v.redeem_price AS redeemPrice, v.salt, v.details,
           v.net_value AS netValue, v.units, s.hash AS beginning
    FROM valuations v LEFT JOIN strategies s ON s.slug = v.strategy
    WHERE (v.strategy, v.day) >= (${slug}, CAST(${day} AS INTEGER))
    ORDER BY v.strategy, v.day, v.kind LIMIT ${VALUATIONS_A_PAGE}`)
}

/**
 * What is wrong on such a page: a valuation that does not follow on the one before it, or whose hash is not that of its fields, as anybody
 * computes it of what is public; a commitment that is not to what stands beside it; and a price at which all units would be worth more than
 * the pool. `last` is the day up to which all was looked at, null at the end of all records.
 */
export async function findInRecords(
  page: readonly Row[],
  after: string,
): Promise<{ readonly findings: readonly string[]; readonly last: string | null }> {
  const isEnd = page.length < VALUATIONS_A_PAGE
  const end = page.at(-1)
  // The other valuation of the last day may be on the next page.
  const whole = isEnd ? page : page.filter((row) => placeIn(row) !== (end && placeIn(end)))
  const findings: string[] = []
  let former: Row | null = null
  for (const row of whole.toSorted(inTheirOrder)) {
    if (former?.strategy !== row.strategy) former = null
    if (placeIn(row) !== after) findings.push(...(await findInValuation(row, former)))
    former = row
  }
  return { findings, last: isEnd ? null : lastPlace(whole) }
}

async function findInValuation(row: Row, former: Row | null): Promise<string[]> {
  const recorded = recordedOf({ ...row, weights: JSON.stringify(parsed(row.weights)) })
  const name = `${row.strategy} at ${recorded.day} (${row.kind})`
  const isChained =
    (await followsOn(former?.hash ?? row.beginning ?? '', recorded)) &&
    (row.format === 2 || row.hash === (await formerHash(row)))
  // Nobody comes or goes between a close and the next open.
  const isWithUnits = former?.kind !== 'close' || former.units === row.units
  const isCommitted =
    row.format === 1 || row.commitment === (await commitmentOf(row.salt ?? '', committedOf(row)))
  return [
    ...(isChained ? [] : [`The record of ${name} is broken`]),
    ...(isCommitted ? [] : [`The commitment of ${name} is not to what its pool held`]),
    ...(isPayable(row) && isWithUnits
      ? []
      : [`The price of ${name} is not what its pool was worth by its units`]),
  ]
}

/** Of format 1 the price was the pool's worth by its units, but of less than one. */
function isPayable({ format, netValue, units, unitPrice: price }: Row): boolean {
  const cents = valueCents(units, price)
  if (format === 2) return cents <= Math.floor(netValue / MICRO_A_CENT) + 1
  return units < A_UNIT ? cents * MICRO_A_CENT <= netValue : unitPrice(netValue, units) === price
}

const A_UNIT = 1_000_000

function committedOf({ units, netValue, issuePrice, redeemPrice, details }: Row): Committed {
  return { ...(parsed(details ?? '') as Committed), units, netValue, issuePrice, redeemPrice }
}

/** The hash of a valuation of format 1, which covered issue and redeem prices. */
function formerHash(row: Row): Promise<string> {
  const { strategy, kind, unitPrice, issuePrice, redeemPrice, recordedAt, previous } = row
  const day = isoDay(row.day)
  const fields = { strategy, day, kind, unitPrice, issuePrice, redeemPrice, recordedAt, previous }
  return sha256Hex(canonicalJson({ ...fields, weights: parsed(row.weights) }))
}

function inTheirOrder(a: Row, b: Row): number {
  if (a.strategy !== b.strategy) return a.strategy < b.strategy ? -1 : 1
  return a.day - b.day || (a.kind === 'open' ? -1 : 1)
}

function placeIn({ strategy, day }: Row): string {
  return `${strategy} ${day}`
}

function parsePlace(place: string): readonly [string, number] {
  const [slug = '', day = '0'] = place.split(' ')
  return [slug, Number(day)]
}

function lastPlace(rows: readonly Row[]): string | null {
  const last = rows.at(-1)
  return last === undefined ? null : placeIn(last)
}

/** What was tampered with need not be JSON any more: then it is nothing that a hash was made of. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return ''
  }
}
