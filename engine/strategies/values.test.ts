import { describe, expect, it } from 'vitest'
import { CATALOGUE } from '../catalogue.ts'
import { STRATEGY_KINDS } from '../definition.ts'
import { STRATEGIES } from './registry.ts'
import { defaultValues, validValues } from './values.ts'

const TREND = { fast: 50, slow: 200 }

describe('the values of a strategy', () => {
  it('are valid as they come, and as the catalogue has them', () => {
    for (const kind of STRATEGY_KINDS) expect(validValues(kind, defaultValues(kind))).toEqual([])
    for (const { definition } of CATALOGUE) {
      expect(validValues(definition.kind, definition.values)).toEqual([])
    }
  })

  it('are refused where one is missing, unknown, or no number', () => {
    expect(validValues('sma-trend', { fast: 50 })).toEqual(['Slow average is missing.'])
    expect(validValues('sma-trend', { ...TREND, speed: 1 })).toEqual(['There is no value called “speed”.'])
    expect(validValues('buy-and-hold', { fast: 50 })).toEqual(['There is no value called “fast”.'])
    for (const fast of ['50', null, Number.NaN, Number.POSITIVE_INFINITY, [50], {}]) {
      expect(validValues('sma-trend', { ...TREND, fast })).toEqual(['Fast average must be a number.'])
    }
  })

  it('are refused out of their range and off their step', () => {
    expect(validValues('sma-trend', { fast: 0, slow: 1e9 })).toEqual([
      'Fast average must be from 5 to 50 bars.',
      'Slow average must be from 60 to 400 bars.',
    ])
    expect(validValues('sma-trend', { ...TREND, fast: 12 })).toEqual([
      'Fast average must be 5 bars or that plus whole steps of 5.',
    ])
    const dip = defaultValues('mean-reversion')
    expect(validValues('mean-reversion', { ...dip, width: 2.5 })).toEqual([])
    expect(validValues('mean-reversion', { ...dip, width: 2.25 })).toHaveLength(1)
  })

  it('are no names that every object has, and long names are cut', () => {
    const inherited = JSON.parse('{"fast":50,"slow":200,"__proto__":1,"constructor":2}')
    expect(validValues('sma-trend', inherited)).toEqual([
      'There is no value called “__proto__”.',
      'There is no value called “constructor”.',
    ])
    expect(validValues('buy-and-hold', { ['x'.repeat(5000)]: 1 }).join('').length).toBeLessThan(100)
  })

  it('have a range that their default and their most lie on the steps of', () => {
    for (const kind of STRATEGY_KINDS) {
      const { parameters } = STRATEGIES[kind]
      for (const [name, { least, most, default: usual, does }] of Object.entries(parameters)) {
        expect(least).toBeLessThan(most)
        for (const value of [least, usual, most]) {
          expect(validValues(kind, { ...defaultValues(kind), [name]: value })).toEqual([])
        }
        expect(does).toMatch(/^[A-Z].*\.$/)
      }
    }
  })
})
