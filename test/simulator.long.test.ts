import { expect, test } from 'vitest'
import { runSimulator } from './support/runSimulator.ts'

test('one seed gives one ledger', async () => {
  const options = ['--seed', '3', '--days', '15', '--investors', '8', '--faults', 'none']
  const [first, second] = await Promise.all([runSimulator(...options), runSimulator(...options)])
  expect(first.at(-1)).toMatch(/^ledger [0-9a-f]{64}$/)
  expect(second.at(-1)).toBe(first.at(-1))
})

test('one seed gives one history of a chain', async () => {
  const options = ['--chains', '1-4,6,107,251']
  const [first, second] = await Promise.all([runSimulator(...options), runSimulator(...options)])
  expect(first.at(-1)).toMatch(/^chains [0-9a-f]{64}$/)
  expect(second.at(-1)).toBe(first.at(-1))
})

test('a seed ends with the same ledger in workerd', async () => {
  const size = ['--days', '3', '--investors', '5', '--haste', '6']
  const options = ['--seed', '3', '--faults', 'storm', ...size]
  const [here, there] = await Promise.all([
    runSimulator(...options),
    runSimulator(...options, '--in-workerd'),
  ])
  // The first line tells how long it took.
  expect(there.slice(1)).toEqual(here.slice(1))
  for (const words of ['complete: ', 'A migration was applied', 'The newest backup was restored'])
    expect(there.join('\n')).toContain(words)
})
