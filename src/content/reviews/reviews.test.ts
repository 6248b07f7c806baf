import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { review } from '../schemas.ts'

const kept = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => review.parse(parse(readFileSync(join(import.meta.dirname, name), 'utf8'))))

const sample = {
  sample: true,
  place: 1,
  customer: 'Sample customer A',
  job: 'Sample',
  review: 'This text keeps a place.',
}
const real = {
  sample: false,
  place: 1,
  customer: 'A. Customer',
  job: 'Baker',
  review: 'What they wrote.',
  received: new Date('2026-02-01'),
  permission: 'Mail of 3 February 2026',
}

test('there are five, each in a place of its own', () => {
  expect(kept.map(({ place }) => place).sort()).toEqual([1, 2, 3, 4, 5])
})

test('a sample takes neither a picture nor a name that could be somebody’s', () => {
  expect(faultOf(sample)).toBeUndefined()
  expect(faultOf({ ...sample, profilePic: '/reviews/a.png' })).toMatch(/profilePic/)
  expect(faultOf({ ...sample, customer: 'Ana Torres' })).toBe('must be "Sample customer" and a letter')
  expect(faultOf({ ...sample, job: 'Baker' })).toBe('must be "Sample"')
})

test('a customer’s own says when it came, and where their permission is kept', () => {
  expect(faultOf(real)).toBeUndefined()
  expect(faultOf({ ...real, profilePic: '/reviews/a-customer.webp' })).toBeUndefined()
  expect(faultOf({ ...real, profilePic: 'https://elsewhere.example/a.png' })).toMatch(/reviews/)
  expect(faultOf({ ...real, received: undefined })).toBeDefined()
  expect(faultOf({ ...real, permission: ' ' })).toBeDefined()
})

function faultOf(entry: object): string | undefined {
  return review.safeParse(entry).error?.issues[0]?.message
}
