import { expect, it } from 'vitest'
import { DEFAULT_COSTS, type Definition } from '../../../engine/definition.ts'
import { findBrokenRule } from './judge.ts'

const DEFINITION: Definition = {
  kind: 'buy-and-hold',
  values: {},
  assets: ['sim-index'],
  costs: DEFAULT_COSTS,
  risk: { maximumDrawdown: 0.1 },
}
const GOES_ON = { run: { stopped: null, pauses: [] } }
const SINCE = { band: null, day: 0, unit: 100_000_000, peak: 120_000_000 }

it('a pool that fell by its drawdown limit is suspended, even if the model did not', () => {
  const at = (unit: number, since = SINCE) =>
    findBrokenRule({ definition: DEFINITION }, GOES_ON, { day: 0, bar: 5, unit }, since)
  expect(at(108_000_000)).toBe('drawdown')
  expect(at(108_000_001)).toBeNull()
  // Before the first close its highest value is that of its first open.
  expect(at(90_000_000, { ...SINCE, peak: 0 })).toBe('drawdown')
  expect(at(90_000_001, { ...SINCE, peak: 0 })).toBeNull()
})

it('a strategy whose model has ended is suspended at that close', () => {
  const ended = { run: { stopped: { bar: 5, by: 'maximumDrawdown' }, pauses: [] } } as const
  const at = (bar: number) =>
    findBrokenRule({ definition: DEFINITION }, ended, { day: 0, bar, unit: 120_000_000 }, SINCE)
  expect([at(4), at(5), at(6)]).toEqual([null, 'drawdown', 'drawdown'])
})

it('a strategy whose model pauses is suspended from that close on, until the pause is over', () => {
  const paused = { run: { stopped: null, pauses: [{ from: 5, until: 8 }] } }
  const at = (bar: number) =>
    findBrokenRule({ definition: DEFINITION }, paused, { day: 0, bar, unit: 120_000_000 }, SINCE)
  expect([4, 5, 7, 8].map(at)).toEqual([null, 'drawdown', 'drawdown', null])
})
