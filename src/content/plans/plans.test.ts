import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Plan, plan } from '../schemas.ts'

const plans = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.yaml'))
  .map((name): Plan => plan.parse(parse(readFileSync(join(import.meta.dirname, name), 'utf8'))))
  .sort((a, b) => a.place - b.place)

test('there are four plans with the amounts that are offered, in their order', () => {
  expect(plans.map(({ place, title, amount }) => [place, title, amount])).toEqual([
    [1, 'Silver', '$1000'],
    [2, 'Gold', '$3000 - $10000'],
    [3, 'Platinum', '$10000'],
    [4, 'Diamond', '$20000'],
  ])
})

test('no plan promises a return, a guarantee or an advantage over another', () => {
  for (const { title, subtitle, features } of plans) {
    const words = [subtitle, ...features].join(' ')
    expect(words, title).not.toMatch(/%|guarante|returns?\b|bonus|faster|exclusive|VIP|risk-free/i)
  }
})

test.each([
  ['title', { title: '' }],
  ['amount', { amount: '1000' }],
  ['amount', { amount: '$3,000' }],
  ['features', { features: [] }],
  ['place', { place: 0 }],
])('a wrong plan fails by the name of the field: %s', (field, change) => {
  const wrong = plan.safeParse({ ...plans[0], ...change })
  expect(wrong.error?.issues.map(({ path }) => path.join())).toEqual([field])
})
