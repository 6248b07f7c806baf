import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  ACTION_LABELS,
  getActionLabel,
  getActivityLabel,
  isShownToOwner,
  listActionsByArea,
} from './auditActions.ts'

test('each action has a label of its own', () => {
  const labels = Object.values(ACTION_LABELS)
  expect(labels.filter((label) => !/^[A-Z]/.test(label))).toEqual([])
  expect(new Set(labels).size).toBe(labels.length)
  expect(getActionLabel('deposit.credited')).toBe('Credited a deposit')
  expect(getActionLabel('moon.eaten')).toBe('moon.eaten')
})

test('an owner’s act has words in the activity log, an operator’s is not in it', () => {
  expect(isShownToOwner('deposit.requested')).toBe(true)
  expect(isShownToOwner('deposit.credited')).toBe(false)
  expect(isShownToOwner('account.closed')).toBe(false)
  expect(['deposit.requested', 'sign_in_failed', 'moon.eaten'].map(getActivityLabel)).toEqual([
    'Deposit requested',
    'Sign-in failed',
    'moon.eaten',
  ])
})

// The Worker's actions are typed. Triggers write theirs in SQL.
test('each action that a trigger writes is in the list', () => {
  const folder = join(import.meta.dirname, '../../migrations')
  const written = readdirSync(folder).flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/INSERT INTO audit_log[\s\S]+?;/g)].flatMap(
      ([statement]) => [...statement.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, action = '']) => action),
    ),
  )
  expect(written.length).toBeGreaterThan(4)
  expect(written.filter((action) => !Object.hasOwn(ACTION_LABELS, action))).toEqual([])
})

test('each action is in one area', () => {
  const listed = listActionsByArea().flatMap(({ options }) => options.map(({ value }) => value))
  expect(listed.toSorted()).toEqual(Object.keys(ACTION_LABELS).toSorted())
})
