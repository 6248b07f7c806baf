import type { World } from '../lane/world.ts'
import { settingsDecided } from './settings.ts'
import { A_CENT, type Holding, NOTHING } from './units.ts'

/** The fees that two administrators decided: a share of profit in basis points, and cents a month. */
export interface Terms {
  readonly performance: bigint
  readonly subscription: bigint
}

interface Charged {
  readonly ref: string
  readonly investor: string
  readonly code: string
  readonly units: number
  readonly cents: number
  readonly highWater: number
  readonly asked: number | null
}

interface FeeDay {
  readonly open: { readonly day: number; readonly unitPrice: number; readonly redeemPrice: number | null }
  readonly movements: readonly Charged[]
  readonly terms: Terms
}

/**
 * What is wrong with a day's fees. As published: a share of the profit above the investor's own high-water mark, at the month's
 * first open and on the units that are redeemed; and the subscription, once a month for each account.
 */
export function feesOf(
  { holdings }: { readonly holdings: ReadonlyMap<string, Holding> },
  { open, movements, terms }: FeeDay,
  lastDay: number,
): string | null {
  const month = new Date(open.day).toISOString().slice(0, 7)
  const isFirst = new Date(lastDay).toISOString().slice(0, 7) !== month
  const unit = BigInt(open.unitPrice)
  const price = BigInt(open.redeemPrice ?? 0)
  const now = new Map(holdings)
  const due = isFirst ? [...holdings].filter(([, { units }]) => units > 0n) : []
  for (const [investor, holding] of due) {
    const fee = feeOf(performanceOf(holding.units, holding, price, terms), holding.units, price)
    const found = movements.find(
      (each) => each.investor === investor && each.ref.endsWith(`:${month}:performance`),
    )
    const mark = unit > holding.highWater ? unit : holding.highWater
    const wrong = differs(`${investor} in ${month}`, found, fee, mark)
    if (wrong !== null) return wrong
  }
  for (const each of movements) {
    const before = now.get(each.investor) ?? NOTHING
    if (each.code === 'fee' && each.ref.endsWith(':performance') && !isFirst)
      return `${each.ref}: the month's fees were due at its first open`
    if (each.ref.includes(`:${month}:subscription`) && each.code === 'fee') {
      if (!isFirst) return `${each.ref}: the month's fees were due at its first open`
      if (BigInt(each.cents) > terms.subscription) return `${each.ref}: ${each.cents} cents of subscription`
      if (BigInt(each.highWater) !== before.highWater) return `${each.ref}: it moved the high-water mark`
    }
    if (each.code === 'redeem') {
      // The fee on the redeemed units was taken just before.
      const charge = movements.find(({ ref }) => ref === `${each.ref}:charge`)
      const owned = before.units + BigInt(charge === undefined ? 0 : -charge.units)
      const sold = each.asked === null ? owned : least(owned, unitsFor(BigInt(each.asked), price))
      const fee = feeOf(performanceOf(sold, before, price, terms), owned, price)
      const wrong = differs(each.ref, charge, fee, before.highWater)
      if (wrong !== null) return wrong
    }
    now.set(each.investor, {
      ...before,
      units: before.units + BigInt(each.units),
      highWater: BigInt(each.highWater),
    })
  }
  return null
}

interface Fee {
  readonly units: bigint
  readonly cents: bigint
}

function differs(of: string, found: Charged | undefined, fee: Fee | null, mark: bigint): string | null {
  if (fee === null) return found === undefined ? null : `${of}: a fee of ${found.cents} cents on no profit`
  if (found === undefined) return `${of}: a fee of ${fee.cents} cents was not taken`
  if (BigInt(found.cents) !== fee.cents || BigInt(-found.units) !== fee.units)
    return `${of}: a fee of ${found.cents} cents, and should be ${fee.cents}`
  if (BigInt(found.highWater) !== mark)
    return `${of}: the mark after the fee is ${found.highWater}, and should be ${mark}`
  return null
}

/** The share of the profit from selling units above the mark, in cents, rounded down twice. */
function performanceOf(units: bigint, { highWater }: Holding, price: bigint, { performance }: Terms): bigint {
  if (price <= highWater) return 0n
  return (((units * (price - highWater)) / A_CENT) * performance) / 10_000n
}

/** Units that pay a fee. The investor keeps at least the smallest part of one. */
function feeOf(cents: bigint, units: bigint, price: bigint): Fee | null {
  if (cents <= 0n) return null
  const sold = least(unitsFor(cents, price), units - 1n)
  const paid = (sold * price) / A_CENT
  return sold > 0n && paid > 0n ? { units: sold, cents: paid } : null
}

function unitsFor(cents: bigint, price: bigint): bigint {
  return (cents * A_CENT + price - 1n) / price
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** The terms that a stored setting says. A part that was never decided is zero. */
export function parseTerms(setting: string | null): Terms {
  const parts = JSON.parse(setting ?? '{}') as Partial<Record<string, number>>
  return {
    performance: BigInt(parts.performanceBasisPoints ?? 0),
    subscription: BigInt(parts.subscriptionMonthly ?? 0),
  }
}

/** The fees in force at some time from the first to the last, from what two administrators decided. Usually one. */
export async function readTerms(
  world: World,
): Promise<(firstMs: number, lastMs: number) => readonly Terms[]> {
  const decided = await settingsDecided(world)
  return (firstMs, lastMs) => {
    let inForce: Terms[] = [{ performance: 0n, subscription: 0n }]
    for (const { at, settings } of decided) {
      const parts = (settings.fees ?? {}) as { performanceBasisPoints?: number; subscriptionMonthly?: number }
      if (at > lastMs) break
      const before = inForce.at(-1)
      const terms = {
        performance: BigInt(parts.performanceBasisPoints ?? Number(before?.performance)),
        subscription: BigInt(parts.subscriptionMonthly ?? Number(before?.subscription)),
      }
      inForce = at <= firstMs ? [terms] : [...inForce, terms]
    }
    return inForce
  }
}
