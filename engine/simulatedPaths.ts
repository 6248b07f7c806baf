import { at } from './at.ts'
import { DAY_MS } from './metrics/dailyEquity.ts'
import { bell, mulberry32, uniform } from './random.ts'
import { SIMULATED_ASSETS, type SimulatedAsset } from './simulatedAssets.ts'
import { sixDigits } from './sixDigits.ts'

/** The first bar of the simulated market opens here. */
export const SIMULATED_START = Date.UTC(2020, 0, 1)
/** The seed was taken because it is the first one, before any of its prices was seen. */
const SEED = 1

/** A day is its open and six moves of four hours each: seven prices, the last of which is the close. */
export const PRICES_A_DAY = 7

/** What was made of one asset: `PRICES_A_DAY` prices for each day, and how many units of it changed hands in each. */
export interface Path {
  readonly prices: Float64Array
  readonly volume: Float64Array
}

/**
 * The first days of the simulated market, one path for each of `SIMULATED_ASSETS`. More days begin with the same ones.
 *
 * A price moves by a drift that stays good or bad for months, by shocks of which a part is common to all assets and a part
 * to all of its class, whose size wanders so that wild days come in clusters (its logarithm falls back towards its middle),
 * and by sudden jumps. All figures are round and copy no market. Nothing but sums, products and square roots is used, which
 * come out bit for bit the same in every engine, and prices are rounded to six digits.
 */
export function simulatedPaths(days: number): readonly Path[] {
  const world = mulberry32(streamSeed(0))
  const classes = { coin: new ClassMood(CLASSES.coin, 1), stock: new ClassMood(CLASSES.stock, 2) }
  const members = SIMULATED_ASSETS.map((asset, index) => memberOf(asset, index, days))
  const coins = members.filter(({ traits }) => traits?.class === 'coin')
  const shocks = new Float64Array(PRICES_A_DAY)
  for (let day = 0; day < days; day++) {
    for (let step = 0; step < PRICES_A_DAY; step++) shocks[step] = bell(world)
    classes.coin.nextDay()
    classes.stock.nextDay()
    for (const member of members) {
      if (member.traits) moveOn(member, member.traits, classes[member.traits.class], shocks, day)
      else drawIndex(member, coins, day)
    }
  }
  return members
}

interface Traits {
  readonly class: 'coin' | 'stock'
  readonly firstPrice: number
  /** A year's, jumps aside. */
  readonly volatility: number
  /** What its logarithm gains or loses in a year beside what its class does. */
  readonly drift: number
  /** Of a day without news, in dollars. */
  readonly turnover: number
}

const TRAITS: Readonly<Record<string, Traits>> = {
  'sim-alder': { class: 'coin', firstPrice: 10_000, volatility: 0.6, drift: 0, turnover: 200e6 },
  'sim-birch': { class: 'coin', firstPrice: 200, volatility: 0.75, drift: 0, turnover: 80e6 },
  'sim-cedar': { class: 'coin', firstPrice: 5, volatility: 0.9, drift: 0, turnover: 20e6 },
  // One that fades: what a list of today's coins leaves out is those that didn't last.
  'sim-dogwood': { class: 'coin', firstPrice: 0.1, volatility: 1, drift: -0.5, turnover: 5e6 },
  'sim-flint': { class: 'stock', firstPrice: 50, volatility: 0.25, drift: 0, turnover: 40e6 },
  'sim-granite': { class: 'stock', firstPrice: 120, volatility: 0.2, drift: 0, turnover: 60e6 },
  'sim-slate': { class: 'stock', firstPrice: 300, volatility: 0.3, drift: 0, turnover: 30e6 },
}

interface ClassTraits {
  /** What of a shock is common to all assets, and to those of the class; the rest is the asset's own. */
  readonly world: number
  readonly common: number
  /** What of a day's variance falls between one close and the next open. */
  readonly overnight: number
  /** What logarithms gain in a year of good and of bad times, and how long these last on average. */
  readonly good: { readonly drift: number; readonly days: number }
  readonly bad: { readonly drift: number; readonly days: number }
  /** How often all fall at once, and by how much. */
  readonly crash: { readonly everyDays: number; readonly by: number }
  /** How often one jumps alone, up or down. */
  readonly surprise: { readonly everyDays: number; readonly by: number }
}

const CLASSES: Readonly<Record<'coin' | 'stock', ClassTraits>> = {
  coin: {
    world: 0.3,
    common: 0.75,
    overnight: 0.01,
    good: { drift: 0.9, days: 500 },
    bad: { drift: -0.8, days: 330 },
    crash: { everyDays: 250, by: 0.12 },
    surprise: { everyDays: 180, by: 0.15 },
  },
  stock: {
    world: 0.45,
    common: 0.55,
    overnight: 0.3,
    good: { drift: 0.2, days: 700 },
    bad: { drift: -0.25, days: 220 },
    crash: { everyDays: 500, by: 0.06 },
    surprise: { everyDays: 120, by: 0.07 },
  },
}

const UNREST_STAYS = 0.97
const UNREST = 0.12
/** The variance that the unrest settles at: taken off so that a day's variance is right on average. */
const UNREST_VARIANCE = UNREST ** 2 / (1 - UNREST_STAYS ** 2)
const DAYS_A_YEAR = 365

/** What the assets of a class have in common on a day. */
class ClassMood {
  readonly traits: ClassTraits
  readonly shocks = new Float64Array(PRICES_A_DAY)
  /** By how much a day's shocks are larger than usual. */
  wildness = 1
  /** What logarithms gain on the day. */
  drift = 0
  readonly #random: () => number
  #unrest = 0
  #good: boolean

  constructor(traits: ClassTraits, stream: number) {
    this.traits = traits
    this.#random = mulberry32(streamSeed(stream))
    const { good, bad } = traits
    this.#good = uniform(this.#random) < good.days / (good.days + bad.days)
  }

  nextDay(): void {
    const { traits, shocks } = this
    const random = this.#random
    if (uniform(random) * (this.#good ? traits.good : traits.bad).days < 1) this.#good = !this.#good
    this.drift = (this.#good ? traits.good : traits.bad).drift / DAYS_A_YEAR
    this.#unrest = UNREST_STAYS * this.#unrest + UNREST * bell(random)
    this.wildness = exponential(this.#unrest - UNREST_VARIANCE)
    for (let step = 0; step < PRICES_A_DAY; step++) shocks[step] = bell(random)
    this.crashAt = uniform(random) * traits.crash.everyDays < 1 ? (random() >>> 0) % PRICES_A_DAY : NONE
  }

  /** At which move of the day all fall at once. */
  crashAt = NONE
}

const NONE = -1

interface Member extends Path {
  /** An index has none: it is drawn from the others. */
  readonly traits: Traits | null
  readonly random: () => number
  /** An index's: of each coin. */
  readonly holds: Float64Array
}

function memberOf(asset: SimulatedAsset, index: number, days: number): Member {
  return {
    traits: TRAITS[asset.id] ?? null,
    random: mulberry32(streamSeed(FIRST_OWN_STREAM + index)),
    holds: new Float64Array(SIMULATED_ASSETS.length),
    prices: new Float64Array(days * PRICES_A_DAY),
    volume: new Float64Array(days),
  }
}

const FIRST_OWN_STREAM = 16

function moveOn(
  { prices, volume, random }: Member,
  own: Traits,
  mood: ClassMood,
  world: Float64Array,
  day: number,
) {
  const { traits } = mood
  const dayVolatility = (own.volatility / Math.sqrt(DAYS_A_YEAR)) * mood.wildness
  const alone = Math.sqrt(1 - traits.world ** 2 - traits.common ** 2)
  const drift = (mood.drift + own.drift / DAYS_A_YEAR) / PRICES_A_DAY
  const surprised = uniform(random) * traits.surprise.everyDays < 1
  const surpriseAt = surprised ? (random() >>> 0) % PRICES_A_DAY : NONE
  const surprise = random() & 1 ? traits.surprise.by : -traits.surprise.by
  const first = day * PRICES_A_DAY
  const before = day === 0 ? own.firstPrice : at(prices, first - 1)
  let price = before
  for (let step = 0; step < PRICES_A_DAY; step++) {
    const share = step === 0 ? traits.overnight : (1 - traits.overnight) / (PRICES_A_DAY - 1)
    const shock =
      traits.world * at(world, step) + traits.common * at(mood.shocks, step) + alone * bell(random)
    let move = drift + dayVolatility * Math.sqrt(share) * shock
    if (step === mood.crashAt) move -= traits.crash.by
    if (step === surpriseAt) move += surprise
    price = sixDigits(price * exponential(move))
    prices[first + step] = price
  }
  const stir = Math.abs(price / before - 1) / (own.volatility / Math.sqrt(DAYS_A_YEAR))
  volume[day] = sixDigits((own.turnover / price) * (0.5 + stir) * exponential(bell(random) / 2))
}

/** A quarter of each coin from the first open of each year on, without costs: what an index is, and a fund on it is not. */
function drawIndex({ prices, volume, holds }: Member, coins: readonly Member[], day: number) {
  const first = day * PRICES_A_DAY
  if (beginsYear(day)) {
    const each = (day === 0 ? FIRST_INDEX : worthOf(coins, holds, first)) / coins.length
    for (const [place, coin] of coins.entries()) holds[place] = each / at(coin.prices, first)
  }
  for (let step = 0; step < PRICES_A_DAY; step++)
    prices[first + step] = sixDigits(worthOf(coins, holds, first + step))
  const close = first + PRICES_A_DAY - 1
  const traded = coins.reduce((sum, coin) => sum + at(coin.volume, day) * at(coin.prices, close), 0)
  volume[day] = sixDigits((traded * INDEX_TURNOVER) / at(prices, close))
}

function worthOf(coins: readonly Member[], holds: Float64Array, place: number): number {
  let worth = 0
  let coin = 0
  for (const { prices } of coins) worth += at(holds, coin++) * at(prices, place)
  return worth
}

const FIRST_INDEX = 1000
/** What is traded of the index beside what is traded of its coins. */
const INDEX_TURNOVER = 0.1

function beginsYear(day: number): boolean {
  const date = new Date(SIMULATED_START + day * DAY_MS)
  return date.getUTCMonth() === 0 && date.getUTCDate() === 1
}

/** Streams that begin far from each other. */
function streamSeed(stream: number): number {
  return mulberry32(Math.imul(SEED, 0x9e3779b1) + Math.imul(stream, 0x85ebca6b))()
}

/** e to the power of what is small, by its series: `Math.exp` may differ in its last bit from one engine to another. */
function exponential(power: number): number {
  const part = power / 16
  let result =
    1 + part * (1 + part * (1 / 2 + part * (1 / 6 + part * (1 / 24 + part * (1 / 120 + part / 720)))))
  for (let doubling = 0; doubling < 4; doubling++) result *= result
  return result
}
