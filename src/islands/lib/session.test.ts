import {
  cleanTestStorage,
  getTestStorage,
  useTestStorageEngine as keepInMemory,
  setTestStorageKey,
} from '@nanostores/persistent'
import { afterEach, expect, test, vi } from 'vitest'
import type { SessionAnswer } from '../../contract/identity/signIn.ts'
import { signOut } from '../shell/LogoutButton.tsx'
import { guardBeforePaint } from './guard.ts'
import { $session, clearSession, getSession, leaveForSignIn, signIn, updateSession } from './session.ts'

// Stores that other test files have loaded are bound to their storage.
vi.hoisted(() => vi.resetModules())

const session: SessionAnswer = {
  token: 'id.secret',
  name: 'Ana',
  email: 'ana@example.com',
  role: 'investor',
  expiresAt: '2999-01-01T00:00:00.000Z',
}
const expired = { ...session, expiresAt: '2020-01-01T00:00:00.000Z' }

keepInMemory()

afterEach(() => {
  cleanTestStorage()
  vi.unstubAllGlobals()
})

test('the answer of a sign-in is kept whole under user-info, and nothing else', () => {
  signIn(session)
  expect(Object.keys(getTestStorage())).toEqual(['user-info'])
  expect(JSON.parse(getTestStorage()['user-info'] ?? '')).toEqual(session)
  expect(getSession()).toEqual(session)
})

test('forgetting the session leaves nothing behind', () => {
  signIn(session)
  clearSession()
  expect(getTestStorage()).toEqual({})
  expect(getSession()).toBeNull()
})

test('a session stays one although the browser’s clock says that it has ended: the server decides', () => {
  signIn(expired)
  expect(getSession()).toEqual(expired)
  expect($session.get()).toEqual(expired)
})

test('what is no session of ours is none', () => {
  for (const kept of ['', 'null', '{', '"text"', '{"name":"Ana"}']) {
    setTestStorageKey('user-info', kept)
    expect(getSession()).toBeNull()
  }
})

test('another tab’s sign-in and sign-out are followed', () => {
  const seen: (string | undefined)[] = []
  const stop = $session.subscribe((now) => seen.push(now?.name))
  setTestStorageKey('user-info', JSON.stringify(session))
  setTestStorageKey('user-info', undefined)
  stop()
  expect(seen).toEqual([undefined, 'Ana', undefined])
})

test('another name or address is kept from now on, and signing in nobody comes of it', () => {
  clearSession()
  updateSession({ name: 'Ana Kurz' })
  expect(getSession()).toBeNull()
  signIn(session)
  updateSession({ name: 'Ana Kurz' })
  updateSession({ email: 'kurz@example.com' })
  expect(getSession()).toEqual({ ...session, name: 'Ana Kurz', email: 'kurz@example.com' })
})

test('the last figures are gone once nobody is signed in, or another user is', () => {
  const lastFigures = { atMs: 1, totalBalance: 5, available: 5, profits: 0, positions: [] }
  signIn(session)
  updateSession({ lastFigures })
  expect(getTestStorage()['user-info']).toContain('totalBalance')
  signIn(session)
  expect(getSession()?.lastFigures).toBeUndefined()
  updateSession({ lastFigures })
  clearSession()
  expect(getTestStorage()).toEqual({})
})

test('the way to sign in leads back to this page', () => {
  const replace = vi.fn()
  vi.stubGlobal('location', { pathname: '/dashboard/kyc', search: '?a=1', hash: '#b', replace })
  leaveForSignIn()
  leaveForSignIn('ended')
  vi.stubGlobal('location', { pathname: '/dashboard/overview', search: '', hash: '', replace })
  leaveForSignIn('logged-out')
  expect(replace.mock.calls.flat()).toEqual([
    '/sign-in?next=%2Fdashboard%2Fkyc%3Fa%3D1%23b',
    '/sign-in?next=%2Fdashboard%2Fkyc%3Fa%3D1%23b&why=ended',
    '/sign-in?why=logged-out',
  ])
})

test('signing out kills the token on the server, forgets it here and leads to sign-in', async () => {
  signIn(session)
  const assign = vi.fn()
  const fetched = vi.fn().mockResolvedValue(new Response(null, { status: 204 }))
  vi.stubGlobal('location', { assign })
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', fetched)
  await signOut()
  expect(fetched.mock.calls[0]?.[0]).toBe('/api/v1/auth/logout')
  expect(fetched.mock.calls[0]?.[1].headers).toMatchObject({ Authorization: 'Bearer id.secret' })
  expect(getSession()).toBeNull()
  expect(assign.mock.calls).toEqual([['/sign-in']])
})

test('signing out works without a connection too', async () => {
  signIn(session)
  const assign = vi.fn()
  vi.stubGlobal('location', { assign })
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('offline')))
  await signOut()
  expect(getSession()).toBeNull()
  expect(assign.mock.calls).toEqual([['/sign-in']])
})

test('the guard leaves a page without a live session before it is painted, and stays with one', () => {
  expect(guarded(null)).toBe('/sign-in?next=%2Fdashboard%2Fdeposit%3Fa%3D1')
  expect(guarded('{')).toBe('/sign-in?next=%2Fdashboard%2Fdeposit%3Fa%3D1')
  expect(guarded(JSON.stringify(expired))).toBeNull()
  expect(guarded(null, '/dashboard/overview', '')).toBe('/sign-in')
  expect(guarded(null, '/dashboard/profile', '', '#security')).toBe(
    '/sign-in?next=%2Fdashboard%2Fprofile%23security',
  )
  expect(guarded(JSON.stringify(session))).toBeNull()
})

test('the guard leaves the console to operators', () => {
  const operator = JSON.stringify({ ...session, role: 'operator' })
  const investor = JSON.stringify({ ...session, role: 'investor' })
  expect(guarded(investor, '/operator', '')).toBe('/dashboard/overview')
  expect(guarded(investor, '/operator/deposits', '?status=approved')).toBe('/dashboard/overview')
  expect(guarded(operator, '/operator/deposits', '')).toBeNull()
  expect(guarded(investor, '/dashboard/operators', '')).toBeNull()
})

test('the guard notes an operator’s roles, so that the navigation is right when it is first seen', () => {
  const roles: Record<string, string> = {}
  const known = { ...session, role: 'operator', operator: { _id: 'o', roles: ['reviewer', 'auditor'] } }
  expect(guarded(JSON.stringify(known), '/operator', '', '', roles)).toBeNull()
  expect(roles).toEqual({ roles: 'reviewer auditor' })
})

/** Where the guard's inline script redirects to with this stored value; null if it does not. */
function guarded(
  kept: string | null,
  pathname = '/dashboard/deposit',
  search = '?a=1',
  hash = '',
  dataset = {},
): string | null {
  let led: string | null = null
  const storage = { getItem: (key: string) => (key === 'user-info' ? kept : null) }
  const place = {
    pathname,
    search,
    hash,
    replace: (to: string) => {
      led = to
    },
  }
  const page = { documentElement: { hidden: false, dataset } }
  new Function('localStorage', 'location', 'document', guardBeforePaint)(storage, place, page)
  expect(page.documentElement.hidden).toBe(led !== null)
  return led
}
