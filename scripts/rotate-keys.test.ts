import { expect, it } from 'vitest'
import { report } from './rotate-keys.mjs'

const sinceMs = Date.UTC(2026, 10, 21, 15)

it('values under an older version are counted, and the version must stay until none are left', () => {
  const { left, text } = report(
    { newest: 2, versions: [1, 2], sinceMs },
    [
      { kind: 'documents', version: 1, count: 120 },
      { kind: 'documents', version: 2, count: 40 },
      { kind: 'second factors', version: 1, count: 3 },
    ],
    null,
  )
  expect(left).toBe(123)
  expect(text).toContain('123 still to be sealed anew: keep every older version.')
  expect(text).not.toContain('Take it out')
})

it('once none are left, it says when the older version may be removed', () => {
  const { left, text } = report(
    { newest: 2, versions: [1, 2], sinceMs },
    [{ kind: 'documents', version: 2, count: 160 }],
    null,
  )
  expect(left).toBe(0)
  expect(text).toContain('Nothing stands under version 1 any more')
  expect(text).toContain('those that lock an account work until 2026-11-28 15:00 UTC')
})

it('with one version there is nothing to do, and it waits for a Worker that has not run', () => {
  expect(report({ newest: 1, versions: [1], sinceMs }, [], null)).toMatchObject({ left: 0 })
  expect(report(null, [], null)).toMatchObject({ left: null })
})

it('the Worker’s finding is shown', () => {
  const { text } = report({ newest: 2, versions: [2], sinceMs }, [], '1 of the documents do not open')
  expect(text).toContain('Found wrong: 1 of the documents do not open.')
})
