import { DAY_MS } from '../../src/time.ts'
import { at } from '../at.ts'
import { roundToSixDigits } from '../backtest/sixDigits.ts'
import { drawBell, drawUniform, mulberry32 } from '../random.ts'
import { SIMULATED_ASSETS, type SimulatedAsset } from './simulatedAssets.ts'

export const SIMULATED_START = Date.UTC(2020, 0, 1)
/** The first seed, chosen before we saw its prices. */
const SEED = 1

/** A day has its open and six moves of four hours: seven prices. The last one is the close. */
export const PRICES_A_DAY = 7

/** One simulated asset: `PRICES_A_DAY` prices per day, and each day's volume in units. */
export interface Path {
  readonly prices: Float64Array
  readonly volume: Float64Array
}

/**
 * Simulates the first `days` days, one path for each of `SIMULATED_ASSETS`. A longer simulation begins with the same days. A
 * price moves by a drift that stays good or bad for months, by shocks, and by jumps. The shocks are partly common to all assets
 * and partly to a class. Their size follows a mean-reverting log volatility, so volatile days cluster. All parameters are round
 * and copy no real market. Only sums, products and square roots are used, so results are the same to the bit in every engine.
 * Prices are rounded to six digits.
 */
export function simulatePaths(days: number): readonly Path[] {
  const world = mulberry32(deriveStreamSeed(0))
  const classes = { coin: new ClassState(CLASSES.coin, 1), stock: new ClassState(CLASSES.stock, 2) }
  const members = SIMULATED_ASSETS.map((asset, index) => createMember(asset, index, days))
  const coins = members.filter(({ traits }) => traits?.class === 'coin')
  const shocks = new Float64Array(PRICES_A_DAY)
  for (let day = 0; day < days; day++) {
    for (let step = 0; step < PRICES_A_DAY; step++) shocks[step] = drawBell(world)
    classes.coin.nextDay()
    classes.stock.nextDay()
    for (const member of members) {
      if (member.traits) simulateDay(member, member.traits, classes[member.traits.class], shocks, day)
      else simulateIndexDay(member, coins, day)
    }
  }
  return members
}

interface Traits {
  readonly class: 'coin' | 'stock'
  readonly firstPrice: number
  /** Annual, without jumps. */
  readonly volatility: number
  /** The annual log drift on top of the class's. */
  readonly drift: number
  /** On a quiet day, in dollars. */
  readonly turnover: number
}

const TRAITS: Readonly<Record<string, Traits>> = {
  'sim-alder': { class: 'coin', firstPrice: 10_000, volatility: 0.6, drift: 0, turnover: 200e6 },
  'sim-birch': { class: 'coin', firstPrice: 200, volatility: 0.75, drift: 0, turnover: 80e6 },
  'sim-cedar': { class: 'coin', firstPrice: 5, volatility: 0.9, drift: 0, turnover: 20e6 },
  // A declining one: lists of today's coins suffer from survivorship bias.
  'sim-dogwood': { class: 'coin', firstPrice: 0.1, volatility: 1, drift: -0.5, turnover: 5e6 },
  'sim-flint': { class: 'stock', firstPrice: 50, volatility: 0.25, drift: 0, turnover: 40e6 },
  'sim-granite': { class: 'stock', firstPrice: 120, volatility: 0.2, drift: 0, turnover: 60e6 },
  'sim-slate': { class: 'stock', firstPrice: 300, volatility: 0.3, drift: 0, turnover: 30e6 },
}

interface ClassTraits {
  /** The weights of the shocks common to all assets and to the class; the rest is the asset's own. */
  readonly world: number
  readonly common: number
  /** The share of a day's variance between one close and the next open. */
  readonly overnight: number
  /** Annual log drift in good and bad times, and their average length. */
  readonly good: { readonly drift: number; readonly days: number }
  readonly bad: { readonly drift: number; readonly days: number }
  /** Frequency and size of falls of the whole class. */
  readonly crash: { readonly everyDays: number; readonly by: number }
  /** Frequency and size of jumps of a single asset, up or down. */
  readonly jump: { readonly everyDays: number; readonly by: number }
}

const CLASSES: Readonly<Record<'coin' | 'stock', ClassTraits>> = {
  coin: {
    world: 0.3,
    common: 0.75,
    overnight: 0.01,
    good: { drift: 0.9, days: 500 },
    bad: { drift: -0.8, days: 330 },
    crash: { everyDays: 250, by: 0.12 },
    jump: { everyDays: 180, by: 0.15 },
  },
  stock: {
    world: 0.45,
    common: 0.55,
    overnight: 0.3,
    good: { drift: 0.2, days: 700 },
    bad: { drift: -0.25, days: 220 },
    crash: { everyDays: 500, by: 0.06 },
    jump: { everyDays: 120, by: 0.07 },
  },
}

const LOG_VOLATILITY_PERSISTENCE = 0.97
const LOG_VOLATILITY_SHOCK = 0.12
/** The stationary variance of the log volatility. It is subtracted so that the average variance is right. */
const LOG_VOLATILITY_VARIANCE = LOG_VOLATILITY_SHOCK ** 2 / (1 - LOG_VOLATILITY_PERSISTENCE ** 2)
const DAYS_A_YEAR = 365

/** The daily state shared by the assets of a class. */
class ClassState {
  readonly traits: ClassTraits
  readonly shocks = new Float64Array(PRICES_A_DAY)
  /** The day's volatility as a multiple of the usual one. */
  volatilityFactor = 1
  /** The day's log drift. */
  drift = 0
  readonly #random: () => number
  #logVolatility = 0
  #good: boolean

  constructor(traits: ClassTraits, stream: number) {
    this.traits = traits
    this.#random = mulberry32(deriveStreamSeed(stream))
    const { good, bad } = traits
    this.#good = drawUniform(this.#random) < good.days / (good.days + bad.days)
  }

  nextDay(): void {
    const { traits, shocks } = this
    const random = this.#random
    if (drawUniform(random) * (this.#good ? traits.good : traits.bad).days < 1) this.#good = !this.#good
    this.drift = (this.#good ? traits.good : traits.bad).drift / DAYS_A_YEAR
    this.#logVolatility =
      LOG_VOLATILITY_PERSISTENCE * this.#logVolatility + LOG_VOLATILITY_SHOCK * drawBell(random)
    this.volatilityFactor = computeExponential(this.#logVolatility - LOG_VOLATILITY_VARIANCE)
    for (let step = 0; step < PRICES_A_DAY; step++) shocks[step] = drawBell(random)
    this.crashAt = drawUniform(random) * traits.crash.everyDays < 1 ? (random() >>> 0) % PRICES_A_DAY : NONE
  }

  /** The index of the day's move at which the whole class falls. */
  crashAt = NONE
}

const NONE = -1

interface Member extends Path {
  /** Null for the index, which is computed from the coins. */
  readonly traits: Traits | null
  readonly random: () => number
  /** For the index: units of each coin. */
  readonly units: Float64Array
}

function createMember(asset: SimulatedAsset, index: number, days: number): Member {
  return {
    traits: TRAITS[asset.id] ?? null,
    random: mulberry32(deriveStreamSeed(FIRST_OWN_STREAM + index)),
    units: new Float64Array(SIMULATED_ASSETS.length),
    prices: new Float64Array(days * PRICES_A_DAY),
    volume: new Float64Array(days),
  }
}

const FIRST_OWN_STREAM = 16

function simulateDay(
  { prices, volume, random }: Member,
  own: Traits,
  state: ClassState,
  world: Float64Array,
  day: number,
) {
  const { traits } = state
  const dayVolatility = (own.volatility / Math.sqrt(DAYS_A_YEAR)) * state.volatilityFactor
  const alone = Math.sqrt(1 - traits.world ** 2 - traits.common ** 2)
  const drift = (state.drift + own.drift / DAYS_A_YEAR) / PRICES_A_DAY
  const jumps = drawUniform(random) * traits.jump.everyDays < 1
  const jumpAt = jumps ? (random() >>> 0) % PRICES_A_DAY : NONE
  const jump = random() & 1 ? traits.jump.by : -traits.jump.by
  const first = day * PRICES_A_DAY
  const before = day === 0 ? own.firstPrice : at(prices, first - 1)
  let price = before
  for (let step = 0; step < PRICES_A_DAY; step++) {
    const share = step === 0 ? traits.overnight : (1 - traits.overnight) / (PRICES_A_DAY - 1)
    const shock =
      traits.world * at(world, step) + traits.common * at(state.shocks, step) + alone * drawBell(random)
    let move = drift + dayVolatility * Math.sqrt(share) * shock
    if (step === state.crashAt) move -= traits.crash.by
    if (step === jumpAt) move += jump
    price = roundToSixDigits(price * computeExponential(move))
    prices[first + step] = price
  }
  const stir = Math.abs(price / before - 1) / (own.volatility / Math.sqrt(DAYS_A_YEAR))
  volume[day] = roundToSixDigits(
    (own.turnover / price) * (0.5 + stir) * computeExponential(drawBell(random) / 2),
  )
}

/**
 * Computes a day of the index: equal parts of each coin, rebalanced at the first open of each year without costs, which
 * a real fund would have.
 */
function simulateIndexDay({ prices, volume, units }: Member, coins: readonly Member[], day: number) {
  const first = day * PRICES_A_DAY
  if (isNewYear(day)) {
    const coinWorth = (day === 0 ? FIRST_INDEX : sumWorth(coins, units, first)) / coins.length
    for (const [place, coin] of coins.entries()) units[place] = coinWorth / at(coin.prices, first)
  }
  for (let step = 0; step < PRICES_A_DAY; step++)
    prices[first + step] = roundToSixDigits(sumWorth(coins, units, first + step))
  const close = first + PRICES_A_DAY - 1
  const traded = coins.reduce((sum, coin) => sum + at(coin.volume, day) * at(coin.prices, close), 0)
  volume[day] = roundToSixDigits((traded * INDEX_TURNOVER) / at(prices, close))
}

function sumWorth(coins: readonly Member[], units: Float64Array, place: number): number {
  let worth = 0
  let coin = 0
  for (const { prices } of coins) worth += at(units, coin++) * at(prices, place)
  return worth
}

const FIRST_INDEX = 1000
/** The index's volume as a share of its coins'. */
const INDEX_TURNOVER = 0.1

function isNewYear(day: number): boolean {
  const date = new Date(SIMULATED_START + day * DAY_MS)
  return date.getUTCMonth() === 0 && date.getUTCDate() === 1
}

/** Seeds of independent streams. */
function deriveStreamSeed(stream: number): number {
  return mulberry32(Math.imul(SEED, 0x9e3779b1) + Math.imul(stream, 0x85ebca6b))()
}

/** e^power for small powers, by its series, because `Math.exp` may differ in the last bit between engines. */
function computeExponential(power: number): number {
  const part = power / 16
  let result =
    1 + part * (1 + part * (1 / 2 + part * (1 / 6 + part * (1 / 24 + part * (1 / 120 + part / 720)))))
  for (let doubling = 0; doubling < 4; doubling++) result *= result
  return result
}
