import { expect, test } from 'vitest'
import { REAL_TESTS } from '../../../engine/backtest/realTests.ts'
import { toCanonicalJson } from '../../../src/contract/investing/strategyRecord.ts'
import { REAL_BANDS } from '../../investing/trading/testedFigures.ts'
import { checkConditions } from './conditions.ts'

const NOW = Date.UTC(2026, 10, 29, 12)
const [offered] = REAL_TESTS
type Facts = Parameters<typeof checkConditions>[0]

/** A strategy of the catalogue that meets every condition at Kraken. */
function createFacts(change: Partial<Facts> = {}): Facts {
  const slug = offered?.slug ?? ''
  return {
    slug,
    definition: toCanonicalJson(offered?.definition),
    market: 'kraken',
    status: 'active',
    band: REAL_BANDS[slug] ?? null,
    fee: 8_000,
    feeAskedAt: NOW - 60_000,
    closes: 30,
    firstPrice: 100,
    lastPrice: 100,
    units: 0,
    holdings: 0,
    checkState: 'equal',
    checkAt: NOW,
    ...change,
  } as Facts
}

const listUnmet = (facts: Facts) =>
  checkConditions(facts, NOW).flatMap(({ name, met }) => (met ? [] : [name]))
const getWords = (facts: Facts, name: string) =>
  checkConditions(facts, NOW).find((condition) => condition.name === name)?.words

test('a strategy may trade where the exchange charges no more than a fee that its test was published at', () => {
  expect(listUnmet(createFacts())).toEqual([])
  expect(getWords(createFacts(), 'fees')).toBe(
    'Tested with fees of up to 1.20%, its own being 0.40%; the exchange charges 0.80%, asked on 2026-11-29',
  )
  expect(listUnmet(createFacts({ fee: 12_001 }))).toEqual(['fees'])
})

test('a strategy may not trade before the exchange has said what it charges', () => {
  const facts = createFacts({ fee: null, feeAskedAt: null })
  expect(listUnmet(facts)).toEqual(['fees'])
  expect(getWords(facts, 'fees')).toContain('the exchange has not said yet what it charges')
})

test('a strategy may trade at Coinbase by a test on other prices that includes its fee, and the condition says so', () => {
  const facts = createFacts({ market: 'coinbase', fee: 12_000 })
  expect(listUnmet(facts)).toEqual([])
  expect(getWords(facts, 'tested')).toContain('though of another exchange than this one')
  expect(getWords(createFacts(), 'tested')).not.toContain('another exchange')
})

test('a test on simulated prices, or of other rules, counts at no exchange', () => {
  expect(listUnmet(createFacts({ slug: offered?.strategy ?? '' }))).toContain('tested')
  expect(
    listUnmet(createFacts({ definition: toCanonicalJson({ ...offered?.definition, assets: ['ethereum'] }) })),
  ).toContain('tested')
})
