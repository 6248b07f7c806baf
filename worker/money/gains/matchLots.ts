import type { GainMethod } from '../../../src/contract/money/gains.ts'
import { sum } from '../../../src/contract/numbers.ts'
import { DAY_MS } from '../../../src/time.ts'
import { computeCostPart } from '../../ledger/units.ts'

/** A movement of one strategy's units, in 10⁻⁶: positive bought, negative sold. */
export interface Movement {
  readonly id: string
  readonly units: number
  /** Their cost or proceeds. */
  readonly cents: number
  /** The open that was the price, in epoch milliseconds. */
  readonly atMs: number
}

/** Units bought together that are still owned, with the part of their cost that is left. */
export interface Lot {
  readonly id: string
  readonly units: number
  readonly costCents: number
  readonly atMs: number
}

/** The part of a sale that came from one lot. */
export interface Disposal {
  readonly sale: string
  readonly lot: string
  readonly units: number
  readonly proceedsCents: number
  readonly costCents: number
  readonly boughtMs: number
  readonly soldMs: number
  readonly isLong: boolean
}

export interface LotChoice {
  readonly lot: string
  /** 10⁻⁶ of a unit. */
  readonly units: number
}

/** The rules for the sales of one year. */
export interface YearRules {
  readonly method: GainMethod
  /** A gain is long if the units were owned for more days than this. */
  readonly holdingDays: number
  /** For `chosen`: the lots of each sale. Units that it does not name are taken first in, first out. */
  readonly choices: Readonly<Record<string, readonly LotChoice[]>>
}

/**
 * Matches the sales of one strategy with its purchases. Every cent is in one place: cost bought = cost sold + cost left.
 *
 * - `fifo`: the oldest lots are sold first, each at its own cost.
 * - `average`: units cost the average of all units owned, rounded down as in the ledger, so each sale's result is the ledger's. Which
 *   units were sold, and so how long they were owned, is decided first in, first out.
 * - `chosen`: the lots that the owner named.
 *
 * @param movements in the order of the ledger
 * @param findRules the rules for a sale at this time (epoch milliseconds)
 * @throws RangeError if more units are sold than a lot or all lots have
 */
export function matchLots(
  movements: readonly Movement[],
  findRules: (soldMs: number) => YearRules,
): { readonly disposals: readonly Disposal[]; readonly lots: readonly Lot[] } {
  const disposals: Disposal[] = []
  const stock = new Stock()
  for (const { id: sale, units, cents, atMs: soldMs } of movements) {
    if (units > 0) {
      stock.add({ id: sale, units, costCents: cents, atMs: soldMs })
      continue
    }
    const { method, holdingDays, choices } = findRules(soldMs)
    stock.setAverage(method === 'average')
    const parts = stock.take(-units, method === 'chosen' ? (choices[sale] ?? []) : [])
    const proceeds = divideCents(cents, parts)
    for (const [place, { id: lot, units, costCents, atMs: boughtMs }] of parts.entries()) {
      const isLong = soldMs - boughtMs > holdingDays * DAY_MS
      const proceedsCents = proceeds[place] ?? 0
      disposals.push({ sale, lot, units, proceedsCents, costCents, boughtMs, soldMs, isLong })
    }
  }
  stock.setAverage(false)
  return { disposals, lots: stock.list() }
}

/** The units owned, oldest first. While costs are averaged, only their sum is kept up to date. */
class Stock {
  readonly #lots: Lot[] = []
  readonly #places = new Map<string, number>()
  /** The oldest lot that may have units, so that no sale passes the sold ones again. */
  #first = 0
  #units = 0
  #costCents = 0
  #isAverage = false

  add(lot: Lot): void {
    this.#places.set(lot.id, this.#lots.push(lot) - 1)
    this.#units += lot.units
    this.#costCents += lot.costCents
  }

  list(): Lot[] {
    return this.#lots.slice(this.#first).filter(({ units }) => units > 0)
  }

  /** Each lot has its part of the average from the end of the averaging on. */
  setAverage(isAverage: boolean): void {
    if (this.#isAverage && !isAverage) {
      const lots = this.list()
      const costs = divideCents(this.#costCents, lots)
      for (const [place, lot] of lots.entries()) this.#replace({ ...lot, costCents: costs[place] ?? 0 })
    }
    this.#isAverage = isAverage
  }

  /** Removes units: those that were chosen, then the oldest. Returns them as lots, with their cost. */
  take(sold: number, choices: readonly LotChoice[]): Lot[] {
    if (sold > this.#units) throw new RangeError('More units are sold than were bought.')
    const averageCents = computeCostPart(this.#costCents, sold, this.#units)
    let missing = sold
    const taken: Lot[] = []
    const takeFrom = (lot: Lot, units: number) => {
      const costCents = computeCostPart(lot.costCents, units, lot.units)
      taken.push({ ...lot, units, costCents })
      this.#replace({ ...lot, units: lot.units - units, costCents: lot.costCents - costCents })
      missing -= units
    }
    for (const choice of choices) {
      const lot = this.#lots[this.#places.get(choice.lot) ?? -1]
      if (lot === undefined || choice.units > Math.min(lot.units, missing))
        throw new RangeError('A chosen lot does not have these units.')
      takeFrom(lot, choice.units)
    }
    while (missing > 0) {
      const lot = this.#lots[this.#first]
      if (lot !== undefined && lot.units > 0) takeFrom(lot, Math.min(missing, lot.units))
      if (missing > 0) this.#first++
    }
    const costs = this.#isAverage ? divideCents(averageCents, taken) : taken.map(({ costCents }) => costCents)
    this.#units -= sold
    this.#costCents -= sum(costs)
    return taken.map((lot, place) => ({ ...lot, costCents: costs[place] ?? 0 }))
  }

  #replace(lot: Lot): void {
    this.#lots[this.#places.get(lot.id) ?? 0] = lot
  }
}

/** Divides an amount by units, to the cent: the parts add up to it. */
function divideCents(cents: number, parts: readonly { readonly units: number }[]): number[] {
  const all = sum(parts.map(({ units }) => units))
  let units = 0
  let before = 0
  return parts.map((part) => {
    units += part.units
    const until = computeCostPart(cents, units, all)
    const share = until - before
    before = until
    return share
  })
}
