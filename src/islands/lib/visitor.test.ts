import { expect, test } from 'vitest'
import { forwardBeforePaint, visitorBeforePaint } from './visitor.ts'

const soon = new Date(Date.now() + 3_600_000).toISOString()
const investor = { token: 'a', role: 'investor', expiresAt: soon }

test.each([
  ['an investor', JSON.stringify(investor), 'investor', '/dashboard/overview'],
  ['an operator', JSON.stringify({ ...investor, role: 'operator' }), 'operator', '/operator'],
  ['nobody', null, '', null],
  [
    'somebody whose clock says that the session has ended',
    JSON.stringify({ ...investor, expiresAt: '2020-01-01T00:00:00Z' }),
    'investor',
    '/dashboard/overview',
  ],
  ['somebody who just logged out', '', undefined, null],
])('public pages recognise %s, and the sign-in page forwards accordingly', (_, kept, visitor, address) => {
  expect(run(visitorBeforePaint, kept).visitor).toBe(visitor)
  const { hidden, led } = run(forwardBeforePaint, kept)
  expect(led).toBe(address)
  expect(hidden).toBe(address !== null)
})

test('the header follows a sign-in and a logout in another tab', () => {
  const { page, listeners, storage } = run(visitorBeforePaint, null)
  storage.kept = JSON.stringify(investor)
  listeners.get('storage')?.()
  expect(page.dataset).toEqual({ visitor: 'investor' })
  storage.kept = null
  listeners.get('storage')?.()
  expect(page.dataset).toEqual({ visitor: '' })
})

/** Runs an inline script with this value in local storage. */
function run(script: string, kept: string | null) {
  const storage = { kept, getItem: (key: string) => (key === 'user-info' ? storage.kept : null) }
  const page: { hidden: boolean; dataset: { visitor?: string } } = { hidden: false, dataset: {} }
  const listeners = new Map<string, () => void>()
  let led: string | null = null
  const place = {
    replace: (to: string) => {
      led = to
    },
  }
  new Function('localStorage', 'location', 'document', 'addEventListener', script)(
    storage,
    place,
    { documentElement: page },
    (event: string, listener: () => void) => listeners.set(event, listener),
  )
  return { visitor: page.dataset.visitor, hidden: page.hidden, led, page, listeners, storage }
}
