import { existsSync, readdirSync, readFileSync } from 'node:fs'
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
  customer: 'Maya R.',
  job: 'Teacher',
  review: 'This text keeps a place.',
  profilePic: '/reviews/sample-a.svg',
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

test('a sample has a drawn picture, and nothing that only a customer can give', () => {
  expect(faultOf(sample)).toBeUndefined()
  expect(faultOf({ ...sample, profilePic: '/reviews/a.png' })).toBe('must be a drawing (.svg) in /reviews/')
  expect(faultOf({ ...sample, profilePic: undefined })).toBeDefined()
  expect(faultOf({ ...sample, received: new Date('2026-02-01') })).toMatch(/received/)
})

test('each picture exists', () => {
  for (const { profilePic } of kept)
    if (profilePic) expect(existsSync(join('public', profilePic)), profilePic).toBe(true)
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
