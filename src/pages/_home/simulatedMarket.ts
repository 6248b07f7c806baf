/** Prices of a made-up index, week by week from 100 on: `weeks + 1` of them, the same for the same seed. */
export function simulatedMarket(seed: number, weeks: number): number[] {
  const random = mulberry32(seed)
  const prices = [START]
  let unrest = 0
  let price = START
  for (let week = 0; week < weeks; week++) {
    unrest = CALM_RETURNS * unrest + UNREST * normal(random)
    const volatility = VOLATILITY * Math.exp(unrest)
    const jump = random() < JUMP_CHANCE ? JUMP : 0
    // The square's half makes the expected price, not only its logarithm, grow by the drift.
    price *= Math.exp(DRIFT - volatility ** 2 / 2 + volatility * normal(random) + jump)
    prices.push(price)
  }
  return prices
}

/*
 * Geometric Brownian motion whose volatility wanders (its logarithm falls back towards its middle, so that quiet and wild
 * weeks come in clusters) and which sometimes drops at once. All figures are for one week, and round: they copy no market.
 */
const START = 100
const DRIFT = 0.08 / 52
const VOLATILITY = 0.2 / Math.sqrt(52)
const CALM_RETURNS = 0.9
const UNREST = 0.2
/** A sudden fall of about a tenth, once in two years on average. */
const JUMP_CHANCE = 1 / 104
const JUMP = Math.log(0.9)

/** A standard normal number, by Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Tommy Ettinger's generator (public domain): 32 bits of state, numbers from 0 up to but not including 1. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
