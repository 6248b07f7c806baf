import { expect, test } from 'vitest'
import { playVenue } from './simulator/venues/play.ts'

const SEEDS = Array.from({ length: 24 }, (_, index) => index + 1)

test('through failures and kills, every order is sent once and every trade is booked once, or the strategy is suspended', async () => {
  let kills = 0
  let fills = 0
  for (const seed of SEEDS) {
    const outcome = await playVenue(seed, 'storm')
    expect(outcome.broken, `seed ${seed}: ${outcome.broken}`).toBeNull()
    kills += outcome.kills
    fills += outcome.fills
  }
  expect(kills).toBeGreaterThan(10)
  expect(fills).toBeGreaterThan(50)
})

test('without failures no strategy is suspended, and the company pays no debt', async () => {
  for (const seed of [101, 102]) {
    const { broken, isSuspended, covers, fills } = await playVenue(seed, 'none')
    expect({ broken, isSuspended, covers }).toEqual({ broken: null, isSuspended: false, covers: 0 })
    expect(fills).toBeGreaterThan(1)
  }
})
