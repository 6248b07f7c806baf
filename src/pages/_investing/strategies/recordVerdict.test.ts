import { expect, test } from 'vitest'
import { computeForwardBand } from '../../../../engine/backtest/forwardBand.ts'
import { formatDay } from '../../../contract/dates.ts'
import type { RecordEntry, StrategyDetail } from '../../../contract/investing/strategies.ts'
import { computeReturn, hashDefinition, recordHash } from '../../../contract/investing/strategyRecord.ts'
import { describeReading } from '../../../islands/investing/chart/chartCourse.ts'
import { recordCourse } from './course.ts'
import {
  describeLateValuations,
  describeNotedHash,
  describeVerdict,
  type FetchedRecord,
  isSameDefinition,
  verifyRecord,
} from './recordVerdict.ts'

const definition = { kind: 'buy-and-hold', values: {}, assets: ['sim-index'] }

/** A record of `days` days. Each close is a dollar above the open. */
async function recordOf(days: number): Promise<FetchedRecord> {
  const hash = await hashDefinition(definition)
  const record: RecordEntry[] = []
  for (let n = 0; n < days * 2; n++) {
    const kind = n % 2 === 0 ? 'open' : 'close'
    const day = `2026-03-0${Math.floor(n / 2) + 1}`
    const unitPrice = (100 + Math.ceil(n / 2)) * 1e6
    const valuation = {
      format: 2 as const,
      ...{ strategy: 'held', day, kind: kind as 'open' | 'close', unitPrice, weights: {} },
      return: computeReturn(record.at(-1)?.unitPrice ?? 100e6, unitPrice),
      recordedAt: Date.parse(day),
      commitment: 'c'.repeat(64),
      previous: record.at(-1)?.hash ?? hash,
    } as const
    record.push({
      ...valuation,
      hash: await recordHash(valuation),
      _id: `held.${day}.${kind}`,
      late: n === 2,
    })
  }
  return { detail: { definition, hash } as unknown as StrategyDetail, record }
}

test('a record that is one chain is told with how many valuations it has and from when to when', async () => {
  const fetched = await recordOf(3)
  const verdict = await verifyRecord(fetched)
  expect(describeVerdict(verdict, fetched.record)).toEqual({
    title: 'The record is consistent',
    text: `All 6 valuations from ${formatDay('2026-03-01')} to ${formatDay('2026-03-03')} form one chain from the frozen rules. Your browser has just computed it.`,
  })
  expect(describeLateValuations(fetched.record)).toBe('1 of them was recorded more than two days late.')
})

test('the first valuation that does not follow is named, whichever was changed, taken out or put elsewhere', async () => {
  const { detail, record } = await recordOf(3)
  const broken = async (altered: RecordEntry[]) => {
    const verdict = await verifyRecord({ detail, record: altered })
    return [verdict.is, describeVerdict(verdict, altered).title]
  }
  for (const [place, entry] of record.entries()) {
    const changed = record.with(place, { ...entry, unitPrice: entry.unitPrice + 1 })
    expect(await broken(changed)).toEqual(['broken', `The record breaks on ${formatDay(entry.day)}`])
  }
  expect(await broken(record.toSpliced(2, 1))).toEqual([
    'broken',
    `The record breaks on ${formatDay('2026-03-02')}`,
  ])
  expect(await broken(record.toReversed())).toEqual([
    'broken',
    `The record breaks on ${formatDay('2026-03-03')}`,
  ])
})

test('rules that are not those of their hash are told before anything else, and an empty record as empty', async () => {
  const { detail, record } = await recordOf(1)
  const other = { ...detail, definition: { ...definition, kind: 'sma-trend' } }
  expect(await verifyRecord({ detail: other, record })).toEqual({ is: 'otherRules' })
  expect(await verifyRecord({ detail, record: [] })).toEqual({ is: 'empty' })
  expect(isSameDefinition(definition, JSON.stringify(definition))).toBe(true)
  expect(isSameDefinition(other.definition, JSON.stringify(definition))).toBe(false)
})

test('a hash that was kept is found in the record, or not', async () => {
  const { record } = await recordOf(2)
  expect(describeNotedHash(` ${record[1]?.hash.toUpperCase()}\n`, record)).toContain(
    `This is the hash of the close of ${formatDay('2026-03-01')}`,
  )
  expect(describeNotedHash('0'.repeat(64), record)).toContain('No valuation has this hash')
  expect(describeNotedHash('0123', record)).toContain('64 characters')
  expect(describeNotedHash('', record)).toBe('')
})

test('each close stands between the lines of its own day of the frozen band', async () => {
  const { record } = await recordOf(3)
  const band = computeForwardBand(Float64Array.from({ length: 400 }, (_, day) => Math.sin(day) / 50))
  const course = recordCourse('Held', record, band)
  expect(course?.days).toEqual(['2026-03-01', '2026-03-02', '2026-03-03'])
  expect(course?.worth).toEqual([101, 102, 103])
  const [lower, upper] = course?.beside ?? []
  for (const [index, row] of [0, 1, 2].entries()) {
    expect(lower?.worth[index]).toBeCloseTo((band.lines[row]?.[0] ?? 0) * 100, 2)
    expect(upper?.worth[index]).toBeCloseTo((band.lines[row]?.[4] ?? 0) * 100, 2)
  }
  if (course)
    expect(describeReading(course, 2)).toMatch(
      /^Mar\s3,\s2026: \$103\.00, at its highest, expected at least \$/,
    )
  expect(recordCourse('Held', record, null)?.beside).toBeUndefined()
  expect(recordCourse('Held', record.slice(0, 1), band)).toBeNull()
})
