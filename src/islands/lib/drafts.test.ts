import { cleanTestStorage, useTestStorageEngine as keepInMemory } from '@nanostores/persistent'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { draftOf, draftOwner, dropDraft, forgetDrafts, keepDraft } from './drafts.ts'
import { forgetSession, signIn } from './session.ts'

keepInMemory()

const HOUR_MS = 3_600_000
const TYPED = { amount: '40.50', type: 'usdt' }

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  signInAs('ana@example.com')
})

afterEach(() => {
  cleanTestStorage()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('what was typed outlives a session that ended, and is its owner’s alone', () => {
  keepDraft('deposit', { values: TYPED })
  forgetSession()
  expect(draftOf('deposit')).toBeUndefined()
  signInAs('boris@example.com')
  expect(draftOf('deposit')).toBeUndefined()
  signInAs('ana@example.com')
  expect(draftOf('deposit')?.values).toEqual(TYPED)
  expect(draftOf('withdrawal')).toBeUndefined()
})

test('signing in leaves the drafts of nobody else in the tab, and logging out none at all', () => {
  keepDraft('deposit', { values: TYPED })
  signInAs('boris@example.com')
  forgetDrafts('boris@example.com')
  keepDraft('deposit', { values: { amount: '1' } })
  signInAs('ana@example.com')
  expect(draftOf('deposit')).toBeUndefined()
  forgetDrafts()
  signInAs('boris@example.com')
  expect(draftOf('deposit')).toBeUndefined()
})

test('what stands in a form stays its owner’s when their session ends meanwhile', () => {
  const whose = draftOwner()
  forgetSession()
  keepDraft('deposit', { values: TYPED }, whose)
  expect(draftOf('deposit')).toBeUndefined()
  signInAs('ana@example.com')
  expect(draftOf('deposit')?.values).toEqual(TYPED)
})

test('what somebody typed before signing in stays theirs', () => {
  forgetSession()
  keepDraft('contact', { values: { message: 'Where is my deposit?' } })
  forgetDrafts('ana@example.com')
  expect(draftOf('contact')?.values).toEqual({ message: 'Where is my deposit?' })
})

test('passwords, codes and tokens are never kept, a bank’s branch code is', () => {
  const secrets = {
    code: '123456',
    passkey: '{}',
    password: 'x',
    currentPassword: 'x',
    newPassword: 'x',
    token: 'x',
  }
  keepDraft('bank-withdrawal', { values: { ...secrets, branchCode: '250655' } })
  expect(draftOf('bank-withdrawal')?.values).toEqual({ branchCode: '250655' })
})

test('a submission that got no answer is kept beside what was typed since', () => {
  const open = { content: '["40.50"]', key: 'b7c1' }
  keepDraft('deposit', { values: TYPED })
  keepDraft('deposit', { open })
  keepDraft('deposit', { values: { ...TYPED, txid: 'abc' } })
  expect(draftOf('deposit')).toMatchObject({ values: { txid: 'abc' }, open })
  keepDraft('deposit', { open: undefined })
  expect(draftOf('deposit')?.open).toBeUndefined()
})

test('a draft is taken up for twelve hours, and not once it was sent', () => {
  vi.useFakeTimers()
  keepDraft('deposit', { values: TYPED })
  vi.advanceTimersByTime(12 * HOUR_MS - 1)
  expect(draftOf('deposit')?.values).toEqual(TYPED)
  vi.advanceTimersByTime(1)
  expect(draftOf('deposit')).toBeUndefined()
  keepDraft('deposit', { values: { amount: '7' } })
  expect(draftOf('deposit')?.values).toEqual({ amount: '7' })
  dropDraft('deposit')
  expect(draftOf('deposit')).toBeUndefined()
})

test('a browser that keeps nothing, or something broken, has no drafts', () => {
  vi.stubGlobal('sessionStorage', { getItem: () => '{', setItem: () => {} })
  keepDraft('deposit', { values: TYPED })
  expect(draftOf('deposit')).toBeUndefined()
  vi.stubGlobal('sessionStorage', undefined)
  keepDraft('deposit', { values: TYPED })
  expect(draftOf('deposit')).toBeUndefined()
})

function signInAs(email: string): void {
  signIn({ token: 'id.secret', name: 'Ana', email, role: 'investor', expiresAt: '2999-01-01T00:00:00.000Z' })
}
