import { expect, test } from 'vitest'
import { DAY_MS } from '../src/time.ts'
import { findTargets } from './rollback.mjs'

const AT_MS = Date.UTC(2026, 10, 1)

/** The n-th version, a day after the one before it. */
function version(number: number, annotations: Readonly<Record<string, string>> = {}) {
  const created_on = new Date(AT_MS + number * DAY_MS).toISOString()
  return { id: `v${number}`, number, metadata: { created_on }, annotations }
}

const deployed = (id: string) => ({ versions: [{ version_id: id, percentage: 100 }] })
const ids = (versions: readonly { id: string }[]) => versions.map(({ id }) => id)

test('a rollback goes to the newest version before the deployed one', () => {
  const versions = [version(2), version(3), version(1)]
  const { current, usable, refused } = findTargets(versions, deployed('v3'), null)
  expect([current.id, ids(usable), refused]).toEqual(['v3', ['v2', 'v1'], []])
  // After a rollback, one may go further back.
  expect(ids(findTargets(versions, deployed('v2'), null).usable)).toEqual(['v1'])
})

test('a version from before a change of a secret does not come back', () => {
  const changed = version(3, { 'workers/triggered_by': 'secret' })
  const versions = [version(5), version(4), changed, version(2), version(1)]
  const { usable, refused } = findTargets(versions, deployed('v5'), null)
  // The version that the change itself made has the new secret.
  expect([ids(usable), ids(refused)]).toEqual([
    ['v4', 'v3'],
    ['v2', 'v1'],
  ])
})

test('a version from before the newest key does not come back, however the key was set', () => {
  const versions = [version(4), version(3), version(2)]
  const { usable, refused } = findTargets(versions, deployed('v4'), AT_MS + 2.5 * DAY_MS)
  expect([ids(usable), ids(refused)]).toEqual([['v3'], ['v2']])
})

test('a gradual deployment is left to the dashboard', () => {
  const both = { versions: [...deployed('v1').versions, ...deployed('v2').versions] }
  for (const deployment of [both, deployed('v9'), undefined])
    expect(() => findTargets([version(1), version(2)], deployment, null)).toThrow('dashboard')
})
