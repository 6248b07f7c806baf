import { expect, test } from 'vitest'
import { describeLimits, formatType } from './typeText.ts'

test('an object is written field by field, with what is optional and the limits', () => {
  expect(
    formatType({
      type: 'object',
      required: ['email', 'rows'],
      properties: {
        email: { type: 'string', minLength: 1, maxLength: 254, description: 'In lower case' },
        code: { type: 'string' },
        rows: { type: 'array', items: { type: 'object', properties: { at: { type: 'integer' } } } },
      },
    }),
  ).toBe(`{
  email: string // In lower case; 1 to 254 characters
  code?: string
  rows: {
    at?: number // a whole number
  }[]
}`)
})

test('choices, lists, fixed values and references are written as in TypeScript', () => {
  const number = { type: 'number' }
  expect(formatType({ anyOf: [{ type: 'string' }, number, number] })).toBe('string | number')
  expect(formatType({ type: 'array', items: { enum: ['a', 'b'] } })).toBe('("a" | "b")[]')
  expect(formatType({ type: 'array', prefixItems: [number, { const: null }] })).toBe('[number, null]')
  expect(formatType({ allOf: [{ $ref: '#/components/schemas/Error' }, { type: 'object' }] })).toBe(
    'Error & {}',
  )
  expect(formatType({ type: 'object', additionalProperties: number })).toBe('{\n  [name: string]: number\n}')
  expect(formatType({ type: ['string', 'number'] })).toBe('string | number')
  expect(formatType({})).toBe('unknown')
})

test('limits are said only where there are some', () => {
  expect(describeLimits({ type: 'string' })).toBe('')
  expect(describeLimits({ type: 'string', minLength: 1 })).toBe('at least 1 character')
  expect(describeLimits({ type: 'string', minLength: 6, maxLength: 6 })).toBe('exactly 6 characters')
  expect(describeLimits({ type: 'integer', minimum: 1, maximum: 100 })).toBe('a whole number, 1 to 100')
  expect(
    describeLimits({ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  ).toBe('a whole number')
  expect(describeLimits({ type: 'number', minimum: 0 })).toBe('at least 0')
  expect(describeLimits({ type: 'array', maxItems: 20 })).toBe('at most 20')
})
