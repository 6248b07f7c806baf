import { expect, test } from 'vitest'
import { limitsText, typeText } from './typeText.ts'

test('an object is written field by field, with what is optional and the limits', () => {
  expect(
    typeText({
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
  expect(typeText({ anyOf: [{ type: 'string' }, number, number] })).toBe('string | number')
  expect(typeText({ type: 'array', items: { enum: ['a', 'b'] } })).toBe('("a" | "b")[]')
  expect(typeText({ type: 'array', prefixItems: [number, { const: null }] })).toBe('[number, null]')
  expect(typeText({ allOf: [{ $ref: '#/components/schemas/Error' }, { type: 'object' }] })).toBe('Error & {}')
  expect(typeText({ type: 'object', additionalProperties: number })).toBe('{\n  [name: string]: number\n}')
  expect(typeText({ type: ['string', 'number'] })).toBe('string | number')
  expect(typeText({})).toBe('unknown')
})

test('limits are said only where there are some', () => {
  expect(limitsText({ type: 'string' })).toBe('')
  expect(limitsText({ type: 'string', minLength: 1 })).toBe('at least 1 character')
  expect(limitsText({ type: 'string', minLength: 6, maxLength: 6 })).toBe('exactly 6 characters')
  expect(limitsText({ type: 'integer', minimum: 1, maximum: 100 })).toBe('a whole number, 1 to 100')
  expect(
    limitsText({ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  ).toBe('a whole number')
  expect(limitsText({ type: 'number', minimum: 0 })).toBe('at least 0')
  expect(limitsText({ type: 'array', maxItems: 20 })).toBe('at most 20')
})
