import { eq, sql } from 'drizzle-orm'
import {
  type CommittedFacts,
  computeCommitment,
  hashDefinition,
  isNextInChain,
  type RecordedValuation,
} from '../../../src/contract/investing/strategyRecord.ts'
import { RECORDED_COLUMNS, toRecordedValuation } from '../../investing/strategies/readRecord.ts'
import { MICRO_A_CENT, valueCents } from '../../ledger/units.ts'
import { type RowOf, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { strategies, valuations } from '../../lib/tables/strategies.ts'

/** Each valuation is hashed here, so a page is smaller than for checks in SQL. */
const VALUATIONS_A_PAGE = 500

type Row = RowOf<typeof readRecords>

/** Each strategy's definition at its start, and its hash in the sealed audit log. */
export function readDefinitions() {
  return selectRows({
    slug: strategies.slug,
    definition: strategies.definition,
    hash: strategies.hash,
    logged: sql<string | null>`(
      SELECT detail ->> 'hash' FROM audit_log WHERE subject = slug AND action = 'strategy.started' ORDER BY seq LIMIT 1)`,
  })
    .from(strategies)
    .orderBy(strategies.slug)
}

/** Checks that each definition still has the hash stored with it and in the audit log. */
export async function findInDefinitions(
  started: readonly RowOf<typeof readDefinitions>[],
): Promise<string[]> {
  const findings: string[] = []
  for (const { slug, definition, hash, logged } of started) {
    if ((await hashDefinition(parseOrEmpty(definition))) !== hash)
      findings.push(`The definition of ${slug} was changed: it has another hash`)
    if (logged !== null && logged !== hash)
      findings.push(`The definition of ${slug} is not the one with which it was started by the audit log`)
  }
  return findings
}

/**
 * A page of all strategies' records from `slug day` on (empty: from the start). It repeats that day, because the next valuation
 * chains to it.
 */
export function readRecords(after: string) {
  const [slug, day] = parsePlace(after)
  const { issuePrice, redeemPrice, salt, details, netValue, units } = valuations
  return selectRows({
    ...RECORDED_COLUMNS,
    ...{ issuePrice, redeemPrice, salt, details, netValue, units },
    /** The hash of the strategy's definition, which the first valuation chains to. */
    beginning: strategies.hash,
  })
    .from(valuations)
    .leftJoin(strategies, eq(strategies.slug, valuations.strategy))
    .where(sql`(valuations.strategy, valuations.day) >= (${slug}, CAST(${day} AS INTEGER))`)
    .orderBy(valuations.strategy, valuations.day, valuations.kind)
    .limit(VALUATIONS_A_PAGE)
}

/**
 * Checks a page of records. Finds a valuation that does not chain to the one before it or whose hash is not the hash of its
 * public fields, a commitment that does not match its facts, and a price at which all units would be worth more than the pool.
 * `last` is the last day checked, null at the end of all records.
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
  for (const row of whole.toSorted(compareRows)) {
    if (former?.strategy !== row.strategy) former = null
    if (placeIn(row) !== after) findings.push(...(await findInValuation(row, former)))
    former = row
  }
  return { findings, last: isEnd ? null : findLastPlace(whole) }
}

async function findInValuation(row: Row, former: Row | null): Promise<string[]> {
  const name = `${row.strategy} at ${formatIsoDay(row.day)} (${row.kind})`
  const recorded = findRecordedValuation(row)
  const isChained = recorded !== null && (await isNextInChain(former?.hash ?? row.beginning ?? '', recorded))
  // Units do not change between a close and the next open.
  const hasSameUnits = former?.kind !== 'close' || former.units === row.units
  const isCommitted = row.commitment === (await computeCommitment(row.salt, parseCommitted(row)))
  return [
    ...(isChained ? [] : [`The record of ${name} is broken`]),
    ...(isCommitted ? [] : [`The commitment of ${name} is not to what its pool held`]),
    ...(isPayable(row) && hasSameUnits
      ? []
      : [`The price of ${name} is not what its pool was worth by its units`]),
  ]
}

/** Whether all units are worth at most a cent more than the pool. */
function isPayable({ netValue, units, unitPrice }: Row): boolean {
  return valueCents(units, unitPrice) <= Math.floor(netValue / MICRO_A_CENT) + 1
}

/** Null if its weights cannot be read: then they were changed. */
function findRecordedValuation(row: Row): RecordedValuation | null {
  try {
    return toRecordedValuation(row)
  } catch {
    return null
  }
}

function parseCommitted({ units, netValue, issuePrice, redeemPrice, details }: Row): CommittedFacts {
  return { ...(parseOrEmpty(details) as CommittedFacts), units, netValue, issuePrice, redeemPrice }
}

function compareRows(a: Row, b: Row): number {
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

function findLastPlace(rows: readonly Row[]): string | null {
  const last = rows.at(-1)
  return last === undefined ? null : placeIn(last)
}

/** Tampered text may not be JSON; then it matches no hash. */
function parseOrEmpty(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return ''
  }
}
