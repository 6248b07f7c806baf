import { describe, expect, it } from 'vitest'
import { areValid, defaultValues } from '../../test/support/engine/values.ts'
import { CATALOGUE } from '../catalogue.ts'
import { STRATEGY_KINDS } from '../definition.ts'
import { STRATEGIES } from './registry.ts'

describe('the values of a strategy', () => {
  it('are valid as they come, and as the catalogue has them', () => {
    for (const kind of STRATEGY_KINDS) expect(areValid(kind, defaultValues(kind)), kind).toBe(true)
    for (const { slug, definition } of CATALOGUE) {
      expect(areValid(definition.kind, definition.values), slug).toBe(true)
    }
  })

  it('have a range that their default and their most lie on the steps of', () => {
    for (const kind of STRATEGY_KINDS) {
      const { parameters } = STRATEGIES[kind]
      for (const [name, { least, most, default: usual, does }] of Object.entries(parameters)) {
        expect(least).toBeLessThan(most)
        for (const value of [least, usual, most]) {
          expect(areValid(kind, { ...defaultValues(kind), [name]: value }), `${kind} ${name} ${value}`).toBe(
            true,
          )
        }
        expect(does).toMatch(/^[A-Z].*\.$/)
      }
    }
  })
})
