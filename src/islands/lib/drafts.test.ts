import { cleanTestStorage, useTestStorageEngine as keepInMemory } from '@nanostores/persistent'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearDrafts, deleteDraft, findDraft, getDraftOwner, saveDraft } from './drafts.ts'
import { clearSession, signIn } from './session.ts'

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
  saveDraft('deposit', { values: TYPED })
  clearSession()
  expect(findDraft('deposit')).toBeUndefined()
  signInAs('boris@example.com')
  expect(findDraft('deposit')).toBeUndefined()
  signInAs('ana@example.com')
  expect(findDraft('deposit')?.values).toEqual(TYPED)
  expect(findDraft('withdrawal')).toBeUndefined()
})

test('signing in leaves the drafts of nobody else in the tab, and logging out none at all', () => {
  saveDraft('deposit', { values: TYPED })
  signInAs('boris@example.com')
  clearDrafts('boris@example.com')
  saveDraft('deposit', { values: { amount: '1' } })
  signInAs('ana@example.com')
  expect(findDraft('deposit')).toBeUndefined()
  clearDrafts()
  signInAs('boris@example.com')
  expect(findDraft('deposit')).toBeUndefined()
})

test('what stands in a form stays its owner’s when their session ends meanwhile', () => {
  const whose = getDraftOwner()
  clearSession()
  saveDraft('deposit', { values: TYPED }, whose)
  expect(findDraft('deposit')).toBeUndefined()
  signInAs('ana@example.com')
  expect(findDraft('deposit')?.values).toEqual(TYPED)
})

test('what somebody typed before signing in stays theirs', () => {
  clearSession()
  saveDraft('contact', { values: { message: 'Where is my deposit?' } })
  clearDrafts('ana@example.com')
  expect(findDraft('contact')?.values).toEqual({ message: 'Where is my deposit?' })
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
  saveDraft('bank-withdrawal', { values: { ...secrets, branchCode: '250655' } })
  expect(findDraft('bank-withdrawal')?.values).toEqual({ branchCode: '250655' })
})

test('a submission that got no answer is kept beside what was typed since', () => {
  const open = { content: '["40.50"]', key: 'b7c1' }
  saveDraft('deposit', { values: TYPED })
  saveDraft('deposit', { open })
  saveDraft('deposit', { values: { ...TYPED, txid: 'abc' } })
  expect(findDraft('deposit')).toMatchObject({ values: { txid: 'abc' }, open })
  saveDraft('deposit', { open: undefined })
  expect(findDraft('deposit')?.open).toBeUndefined()
})

test('a draft is taken up for twelve hours, and not once it was sent', () => {
  vi.useFakeTimers()
  saveDraft('deposit', { values: TYPED })
  vi.advanceTimersByTime(12 * HOUR_MS - 1)
  expect(findDraft('deposit')?.values).toEqual(TYPED)
  vi.advanceTimersByTime(1)
  expect(findDraft('deposit')).toBeUndefined()
  saveDraft('deposit', { values: { amount: '7' } })
  expect(findDraft('deposit')?.values).toEqual({ amount: '7' })
  deleteDraft('deposit')
  expect(findDraft('deposit')).toBeUndefined()
})

test('a browser that keeps nothing, or something broken, has no drafts', () => {
  vi.stubGlobal('sessionStorage', { getItem: () => '{', setItem: () => {} })
  saveDraft('deposit', { values: TYPED })
  expect(findDraft('deposit')).toBeUndefined()
  vi.stubGlobal('sessionStorage', undefined)
  saveDraft('deposit', { values: TYPED })
  expect(findDraft('deposit')).toBeUndefined()
})

function signInAs(email: string): void {
  signIn({ token: 'id.secret', name: 'Ana', email, role: 'investor', expiresAt: '2999-01-01T00:00:00.000Z' })
}
