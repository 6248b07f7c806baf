import { sql } from 'drizzle-orm'
import { definitionHash, followsOn } from '../../src/contract/strategyRecord.ts'
import { MICRO_A_CENT, unitPrice, valueCents } from '../ledger/units.ts'
import { type Read, reading } from '../lib/database.ts'
import { RECORDED_COLUMNS, recordedOf, type ValuationRow } from '../strategies/recorded.ts'
import { A_UNIT } from '../strategies/valuation.ts'

/** Each is hashed, so there are fewer of them than of what SQL compares by itself. */
const VALUATIONS_A_PAGE = 500

interface Row extends ValuationRow {
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
  const [slug, day] = placeOf(after)
  return reading(sql`
    SELECT ${RECORDED_COLUMNS}, v.net_value AS netValue, v.units, s.hash AS beginning
    FROM valuations v LEFT JOIN strategies s ON s.slug = v.strategy
    WHERE (v.strategy, v.day) >= (${slug}, CAST(${day} AS INTEGER))
    ORDER BY v.strategy, v.day, v.kind LIMIT ${VALUATIONS_A_PAGE}`)
}

/**
 * What is wrong on such a page: a valuation that does not follow on the one before it, or whose hash is not that of its fields, as anybody
 * computes it of what is public; and a price that is not what the pool was worth by its units, which are not. `last` is the day up to
 * which all was looked at, null at the end of all records.
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
  const { netValue, units } = row
  const recorded = recordedOf({ ...row, weights: JSON.stringify(parsed(row.weights)) })
  const name = `${row.strategy} at ${recorded.day} (${row.kind})`
  // Of less than one unit the price goes its own way, as far as the pool can pay it.
  const isWorth =
    units < A_UNIT
      ? valueCents(units, row.unitPrice) * MICRO_A_CENT <= netValue
      : unitPrice(netValue, units) === row.unitPrice
  // Nobody comes or goes between a close and the next open.
  const isWithUnits = former?.kind !== 'close' || former.units === units
  return [
    ...((await followsOn(former?.hash ?? row.beginning ?? '', recorded))
      ? []
      : [`The record of ${name} is broken`]),
    ...(isWorth && isWithUnits ? [] : [`The price of ${name} is not what its pool was worth by its units`]),
  ]
}

function inTheirOrder(a: Row, b: Row): number {
  if (a.strategy !== b.strategy) return a.strategy < b.strategy ? -1 : 1
  return a.day - b.day || (a.kind === 'open' ? -1 : 1)
}

function placeIn({ strategy, day }: Row): string {
  return `${strategy} ${day}`
}

function placeOf(place: string): readonly [string, number] {
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
