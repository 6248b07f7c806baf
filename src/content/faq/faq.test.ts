import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { question } from '../schemas.ts'

const GOOD = { order: 1, question: 'What does it cost?', answer: 'Nothing today. More about [fees](/fees).' }

const refusal = (change: object) =>
  question
    .safeParse({ ...GOOD, ...change })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

test('there are at least nine questions, and no two in one place', () => {
  const orders = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => question.parse(parse(readFileSync(join(import.meta.dirname, file), 'utf8'))).order)
  expect(orders.length).toBeGreaterThanOrEqual(9)
  expect(new Set(orders).size).toBe(orders.length)
})

test('a question without claims makes none', () => {
  expect(question.parse(GOOD)).toEqual({ ...GOOD, claims: [] })
})

test('an answer is short', () => {
  expect(refusal({ answer: 'word '.repeat(61) })).toEqual(['answer: must have 60 words at most'])
})

test('an answer leads to this site or to a mailbox, and nowhere else', () => {
  expect(refusal({ answer: 'See [this](https://example.com), please.' })).toEqual([
    'answer: may link only to paths of this site and to mailto: addresses',
  ])
  expect(refusal({ answer: 'Write to [{supportEmail}](mailto:{supportEmail}).' })).toBeUndefined()
})

test('an answer names only what there is a word for', () => {
  expect(refusal({ answer: 'Write to {nobody}, please.' })?.[0]).toContain(
    'answer: may name in braces only brand',
  )
})

test('a field that nobody knows is refused by its name', () => {
  expect(refusal({ Order: 2 })?.[0]).toContain('Order')
})
