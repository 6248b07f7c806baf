import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomRuns } from '../../test/random.ts'
import { areValid, defaultValues } from '../../test/support/engine/values.ts'
import type { DailyRun } from '../dailyRun.ts'
import { computeReturns } from '../metrics/returns.ts'
import { drawBell, mulberry32 } from '../random.ts'
import { STRATEGIES } from '../strategies/registry.ts'
import { measureOverfit } from './overfit.ts'
import { CHECK_WORDS, LEVEL_WORDS } from './overfitWords.ts'
import { listNeighbours, type Trial } from './trials.ts'
import { runWalkForward } from './walkForward.ts'

const FREE = { feeBasisPoints: 0, slippageBasisPoints: 0 }
const KINDS = Object.keys(STRATEGIES) as (keyof typeof STRATEGIES)[]

/** This many independent returns with exactly this mean. */
function days(count: number, mean: number, seed = 1): Float64Array {
  const drawn = noise(count, seed)
  const middle = drawn.reduce((sum, value) => sum + value, 0) / count
  return drawn.map((value) => mean + value - middle)
}

/** Independent returns without skill. */
function noise(count: number, seed: number): Float64Array {
  const random = mulberry32(seed)
  return Float64Array.from({ length: count }, () => 0.01 * drawBell(random))
}

/** A trial that had these returns, always fully invested. */
function trial(name: number, returns: Float64Array, invested = 1): Trial {
  let worth = 1000
  const daily: DailyRun = {
    firstDay: 18_262,
    before: 1000,
    equity: returns.map((value) => {
      worth *= 1 + value
      return worth
    }),
    exposure: new Float64Array(returns.length).fill(invested),
    traded: new Float64Array(returns.length),
    costs: new Float64Array(returns.length),
    trades: [],
    stopped: null,
    pauses: [],
  }
  return { values: { name }, daily, returns: computeReturns(daily.equity, 1000) }
}

const many = (count: number, mean: number, seed = 100) =>
  Array.from({ length: count }, (_, i) => trial(i, days(1500, mean, seed + i)))

describe('neighbouring parameters', () => {
  it.each(KINDS)('of %s begin with its own values, and all are valid', (kind) => {
    const values = defaultValues(kind)
    const found = listNeighbours(STRATEGIES[kind], values)
    expect(found[0]).toEqual(values)
    expect(found.length).toBeLessThanOrEqual(243)
    expect(new Set(found.map((one) => JSON.stringify(one))).size).toBe(found.length)
    for (const one of found) expect(areValid(kind, one)).toBe(true)
    if (Object.keys(values).length > 0) expect(found.length).toBeGreaterThan(10)
  })

  it.each(KINDS)('of %s lie between half and one and a half times any valid values', (kind) => {
    const { parameters } = STRATEGIES[kind]
    const any = fc.record(
      Object.fromEntries(
        Object.entries(parameters).map(([name, { least, most, step }]) => [
          name,
          fc
            .integer({ min: 0, max: Math.floor((most - least) / step + 1e-9) })
            .map((steps) => Number((least + steps * step).toPrecision(12))),
        ]),
      ),
    )
    fc.assert(
      fc.property(any, (values) => {
        for (const one of listNeighbours(STRATEGIES[kind], values)) {
          expect(areValid(kind, one)).toBe(true)
          for (const [name, { least, step }] of Object.entries(parameters)) {
            const own = values[name] ?? 0
            const found = one[name] ?? 0
            expect(found).toBeGreaterThanOrEqual(Math.max(least, own * 0.5 - step / 2) - 1e-9)
            expect(found).toBeLessThanOrEqual(Math.max(least, own * 1.5 + step / 2) + 1e-9)
          }
        }
      }),
      randomRuns(20),
    )
  })
})

describe('the label', () => {
  const good = days(1500, 0.0012)
  const best = days(1500, 0.002)
  const level = (inSample: Float64Array, holdOut: Float64Array, trials: readonly Trial[]) =>
    measureOverfit({ kind: 'sma-trend', costs: FREE, inSample, holdOut, forward: null, trials, timing: 0.01 })

  it('is "held up" if all checks pass', () => {
    const found = level(best, days(500, 0.002, 2), [trial(-1, best), ...many(40, 0.0009)])
    expect(found.checks.map(({ of, stands }) => [of, stands])).toEqual([
      ['deflated-sharpe', 'for'],
      ['hold-out', 'for'],
      ['neighbours', 'for'],
      ['walk-forward', 'for'],
      ['overfitting', 'for'],
      ['timing', 'for'],
    ])
    expect(found.level).toBe('held-up')
    expect(found.trials).toBe(41)
  })

  it('is luck if the out-of-sample period lost, however good the rest', () => {
    const found = level(good, days(500, -0.0012, 2), [trial(-1, good), ...many(40, 0.0012)])
    expect(found.keptOfSharpe).toBeLessThan(0)
    expect(found.level).toBe('luck')
  })

  it('is luck for the best of many trials without skill', () => {
    const worthless = Array.from({ length: 100 }, (_, i) => trial(i, noise(1500, 100 + i)))
    const last = ({ daily }: Trial) => daily.equity.at(-1) ?? 0
    const sorted = worthless.toSorted((a, b) => last(b) - last(a))
    const found = level(sorted[0]?.returns ?? good, noise(500, 3), sorted)
    // Alone it would look like skill.
    expect(found.probabilisticSharpe).toBeGreaterThan(0.95)
    expect(found.deflatedSharpe).toBeLessThan(0.75)
    expect(found.level).toBe('luck')
  })

  it('is uncertain if no check fails and one is unknown', () => {
    const found = level(best, new Float64Array(10), [trial(-1, best), ...many(40, 0.0009)])
    expect(found.holdOutSharpe).toBeNull()
    expect(found.level).toBe('uncertain')
  })

  it('is luck if the best settings of one half did not lead in the other', () => {
    const found = level(good, days(500, 0.0012, 2), [trial(-1, good), ...many(40, 0.0012)])
    const [pbo] = found.checks.filter(({ of }) => of === 'overfitting')
    expect(pbo?.value).toBeGreaterThan(0.5)
    expect([pbo?.stands, found.level]).toEqual(['against', 'luck'])
  })

  it('is luck if most shifts in time did as well, and asks that of no rule that claims no timing', () => {
    const measure = (kind: 'sma-trend' | 'rebalanced-basket', timing: number | null) =>
      measureOverfit({
        kind,
        costs: FREE,
        inSample: good,
        holdOut: good,
        forward: null,
        trials: [trial(0, good)],
        timing,
      })
    const stands = [0.5, 0.3, 0.05, null].map((chance) => {
      const { checks, level: found } = measure('sma-trend', chance)
      return [checks.find(({ of }) => of === 'timing')?.stands, found]
    })
    expect(stands).toEqual([
      ['against', 'luck'],
      ['unclear', 'uncertain'],
      ['for', 'held-up'],
      ['unclear', 'uncertain'],
    ])
    expect(measure('rebalanced-basket', 0.9).checks.map(({ of }) => of)).not.toContain('timing')
  })

  it('is luck for an in-sample loss', () => {
    const lost = days(1500, -0.001)
    const found = level(lost, days(500, 0.003, 2), [trial(-1, lost)])
    expect(found.keptOfSharpe).toBeNull()
    expect(found.level).toBe('luck')
  })

  it('skips the neighbours of a kind without parameters', () => {
    const found = level(good, days(500, 0.0012, 2), [trial(-1, good)])
    expect(found.checks.map(({ of }) => of)).toEqual(['deflated-sharpe', 'hold-out', 'timing'])
    expect(found.trials).toBe(1)
    expect(found.deflatedSharpe).toBe(found.probabilisticSharpe)
    expect([found.neighboursThatWon, found.neighbourReturns, found.walkForward]).toEqual([null, null, null])
  })

  it('is uncertain or worse without any returns', () => {
    const none = new Float64Array(1000)
    expect(level(none, none, [trial(0, none), trial(1, none)]).level).toBe('luck')
    expect(level(none, none, []).level).toBe('uncertain')
  })

  it('counts neighbours with a profit without the strategy itself', () => {
    const trials = [trial(0, days(400, 0.002)), trial(1, days(400, 0.003, 2)), trial(2, days(400, -0.003, 3))]
    const found = level(days(400, 0.002), new Float64Array(0), trials)
    expect(found.neighboursThatWon).toBe(0.5)
    expect(found.neighbourReturns?.least).toBeLessThan(0)
    expect(found.neighbourReturns?.most).toBeGreaterThan(found.neighbourReturns?.median ?? 0)
  })

  it('makes no promise in its texts', () => {
    const words = JSON.stringify([LEVEL_WORDS, CHECK_WORDS])
    expect(words).not.toMatch(/guarant|proven|safe|skill(ed|ful)|will (rise|win|earn)/i)
  })
})

describe('walk-forward', () => {
  // One does well in the first two years and badly afterwards, the other the opposite.
  const turn = (first: number, then: number) =>
    Float64Array.from({ length: 1090 }, (_, day) => (day < 730 ? first : then) + (day % 2 ? 0.001 : -0.001))

  it('follows the best combination of the previous window, and pays for each change', () => {
    const trials = [trial(1, turn(0.002, -0.002)), trial(2, turn(0.001, 0.003))]
    const costs = { feeBasisPoints: 25, slippageBasisPoints: 10 }
    const found = runWalkForward(trials, costs)
    expect(found?.windows.map(({ values }) => values)).toEqual([{ name: 1 }, { name: 2 }])
    const pairs = (mean: number) => (1 + mean - 0.001) * (1 + mean + 0.001)
    const [first, second] = found?.windows ?? []
    // Bought once at the beginning, then sold and bought.
    expect(first?.followedReturn).toBeCloseTo(pairs(-0.002) ** 90 * (1 - 0.0035) - 1, 12)
    expect(second?.followedReturn).toBeCloseTo(pairs(0.003) ** 90 * (1 - 0.007) - 1, 12)
    expect(first).toMatchObject({
      chosenFrom: '2020-01-01',
      followedFrom: '2021-12-31',
      followedTo: '2022-06-28',
    })
  })

  it('keeps cash if no combination ever traded', () => {
    const none = () => trial(1, new Float64Array(1000), 0)
    const found = runWalkForward([none(), none()], FREE)
    expect(found?.windows.map(({ values, followedReturn }) => [values, followedReturn])).toEqual([
      [null, 0],
      [null, 0],
    ])
    expect(found?.sharpe).toBeNull()
  })

  it('is null without a choice or enough time', () => {
    expect(runWalkForward([trial(1, days(2000, 0))], FREE)).toBeNull()
    expect(runWalkForward([trial(1, days(700, 0)), trial(2, days(700, 0))], FREE)).toBeNull()
  })
})
