import { expect, test } from 'vitest'
import { gainOf, isClosed, listedPositions } from './positions.tsx'

const none = { units: 0, pendingIn: 0, pendingOut: 0, profit: 0, realised: 0, fees: null }
const held = { ...none, units: 2.5, profit: -57.71, realised: 10.1, fees: 0.2 }
const waiting = { ...none, pendingIn: 250 }
const redeemed = { ...none, realised: -30.83 }

test('a gain or loss is of what is held and of what was redeemed, after fees, to the cent', () => {
  expect(gainOf(held)).toBe(-47.81)
  expect(gainOf({ ...none, profit: 0.1, realised: 0.2 })).toBe(0.3)
})

test('a position is closed when nothing of it is held or waits', () => {
  expect([held, waiting, redeemed, none].map(isClosed)).toEqual([false, false, true, true])
})

test('what was redeemed is listed after what is held, and nothing that was only taken back', () => {
  expect(listedPositions([redeemed, none, waiting, held])).toEqual([waiting, held, redeemed])
})
