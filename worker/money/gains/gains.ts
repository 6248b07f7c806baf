import type {
  fixGainMethod as fixing,
  GainDisposal,
  GainReport,
  Gains,
  getGains as reading,
} from '../../../src/contract/money/gains.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { sum } from '../../../src/contract/numbers.ts'
import { type Answer, type CallOf, created, ok, type ReaderCall } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { type Asset, formatQuantity } from '../../ledger/custody.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { getStrategyName } from '../../lib/strategyName.ts'
import { gainYears } from '../../lib/tables/strategies.ts'
import {
  type FixedYear,
  type GainFacts,
  getYear,
  loadGainFacts,
  startOfYear,
  type UnitMovement,
} from './facts.ts'
import { buildGainFile } from './files.ts'
import { type Disposal, type Lot, matchLots, type YearRules } from './matchLots.ts'

/** The gains of a year, or what has to be chosen before there are any. */
export async function getGains(call: CallOf<typeof reading>): Promise<Answer<Gains> | Response> {
  const { year = getYear(call.nowMs), format = 'json' } = call.query
  const facts = await loadGainFacts(call, year)
  const gains = toGains(call, facts)
  if (format === 'json') return ok(gains)
  if (gains.report === null) refuse('conflict', { msg: `Fix the method of ${year} first.` })
  return buildGainFile(call, format, facts, gains.report)
}

/** Fixes the method of a year. A trigger refuses a year that is fixed, and one before a fixed year. */
export async function fixGainMethod(call: CallOf<typeof fixing>): Promise<Answer<Gains>> {
  const { db, actor, nowMs, body } = call
  const { year, method, holdingDays } = body
  if (year > getYear(nowMs)) refuseField('year', 'This year has not begun')
  const facts = await loadGainFacts(call, year)
  const choices = method === 'chosen' ? toLotChoices(body.choices, facts) : {}
  const fixed = { year, method, holdingDays, choices, fixedMs: nowMs }
  let gains: Gains
  try {
    gains = toGains(call, { ...facts, fixed: [...facts.fixed, fixed] })
  } catch (error) {
    if (error instanceof RangeError) refuseField('choices', UNFIT)
    throw error
  }
  const row = { investor: actor.id, year, method, holdingDays, choices: JSON.stringify(choices), at: nowMs }
  await call.commit({
    statements: [db.insert(gainYears).values(row)],
    audit: [{ action: 'gains.method_fixed', subject: actor.id, detail: { year, method } }],
  })
  return created(gains)
}

const UNFIT = 'A sale takes more units than the lot has, or than it sold'

/** The chosen lots in 10⁻⁶ of a unit. Refuses sales of another year, and lots of another strategy. */
function toLotChoices(
  choices: CallOf<typeof fixing>['body']['choices'],
  facts: GainFacts,
): YearRules['choices'] {
  const strategies = new Map(facts.movements.map(({ id, strategy }) => [id, strategy]))
  const sales = new Set(listSales(facts).map(({ id }) => id))
  return Object.fromEntries(
    Object.entries(choices ?? {}).map(([sale, lots]) => {
      if (!sales.has(sale)) refuseField('choices', 'A chosen sale is not one of this year')
      return [
        sale,
        lots.map(({ lot, units }) => {
          if (strategies.get(lot) !== strategies.get(sale)) refuseField('choices', UNFIT)
          return { lot, units: Math.round(units * 1_000_000) }
        }),
      ]
    }),
  )
}

function listSales({ movements, year }: GainFacts): UnitMovement[] {
  return movements.filter(({ units, atMs }) => units < 0 && atMs >= startOfYear(year))
}

function toGains({ actor, nowMs }: Pick<ReaderCall, 'actor' | 'nowMs'>, facts: GainFacts): Gains {
  const { year, movements, fixed } = facts
  const rules = fixed.find((candidate) => candidate.year === year)
  // A year before a fixed one has no report of its own any more: it follows the later year's rules.
  const years = new Set([
    getYear(nowMs),
    year,
    ...movements.map(({ atMs }) => getYear(atMs)),
    ...fixed.map((row) => row.year),
  ])
  return {
    year,
    name: actor.displayName,
    years: [...years].toSorted((a, b) => b - a),
    rules:
      rules === undefined
        ? null
        : { method: rules.method, holdingDays: rules.holdingDays, fixedAt: toIso(rules.fixedMs) },
    report: rules === undefined ? null : buildReport(facts),
    open: rules === undefined ? { sales: listSales(facts).map(toSale), lots: listOpenLots(facts) } : null,
  }
}

function buildReport(facts: GainFacts): GainReport {
  const { year, movements, coins, fixed } = facts
  const byId = new Map(movements.map((movement) => [movement.id, movement]))
  const matched = matchStrategies(movements, fixed)
  const inYear = matched.flatMap(({ disposals }) =>
    disposals.filter(({ soldMs }) => soldMs >= startOfYear(year)),
  )
  const disposals = inYear
    .toSorted((a, b) => a.soldMs - b.soldMs)
    .map((disposal): GainDisposal => {
      const { units, proceedsCents, costCents, isLong } = disposal
      return {
        sale: toSale(findMovement(byId, disposal.sale)),
        lot: toNamed(findMovement(byId, disposal.lot)),
        units: units / 1_000_000,
        proceeds: toUsd(proceedsCents),
        cost: toUsd(costCents),
        gain: toUsd(proceedsCents - costCents),
        isLong,
      }
    })
  const toCoin = ({ ref, atMs, asset, units, cents }: GainFacts['coins'][number]) => ({
    ...{ ref, at: toIso(atMs), coin: asset, value: toUsd(cents) },
    quantity: formatCoinQuantity(asset, units),
  })
  return {
    disposals,
    short: addUp(inYear.filter(({ isLong }) => !isLong)),
    long: addUp(inYear.filter(({ isLong }) => isLong)),
    lots: matched.flatMap(({ lots }) => lots.map((lot) => toLot(lot, byId))),
    paidIn: coins.filter(({ units }) => !units.startsWith('-')).map(toCoin),
    paidOut: coins.filter(({ units }) => units.startsWith('-')).map(toCoin),
  }
}

/** The lots that sales of a year can take: those left before it, and those bought in it. */
function listOpenLots({ year, movements, fixed }: GainFacts) {
  const byId = new Map(movements.map((movement) => [movement.id, movement]))
  const start = startOfYear(year)
  const before = matchStrategies(
    movements.filter(({ atMs }) => atMs < start),
    fixed,
  ).flatMap(({ lots }) => lots)
  const bought = movements
    .filter(({ units, atMs }) => units > 0 && atMs >= start)
    .map(({ id, units, cents, atMs }) => ({ id, units, costCents: cents, atMs }))
  return [...before, ...bought].map((lot) => toLot(lot, byId))
}

function matchStrategies(movements: readonly UnitMovement[], fixed: readonly FixedYear[]) {
  const groups = Map.groupBy(movements, ({ strategy }) => strategy)
  return [...groups.values()].map((group) => matchLots(group, (soldMs) => findRules(fixed, getYear(soldMs))))
}

/** A year that was never fixed follows the next fixed one. Without any, its first method is a preview for choosing lots. */
function findRules(fixed: readonly FixedYear[], year: number): YearRules {
  return (
    fixed.find((candidate) => candidate.year >= year) ?? { method: 'fifo', holdingDays: 365, choices: {} }
  )
}

function addUp(disposals: readonly Disposal[]) {
  const proceeds = sum(disposals.map(({ proceedsCents }) => proceedsCents))
  const cost = sum(disposals.map(({ costCents }) => costCents))
  return { proceeds: toUsd(proceeds), cost: toUsd(cost), gain: toUsd(proceeds - cost) }
}

function findMovement(byId: ReadonlyMap<string, UnitMovement>, id: string): UnitMovement {
  const movement = byId.get(id)
  if (movement === undefined) throw new Error(`No movement ${id}.`)
  return movement
}

function toNamed({ id, ref, strategy, atMs }: UnitMovement) {
  return { _id: id, ref, strategy: getStrategyName(strategy), at: toIso(atMs) }
}

function toSale(movement: UnitMovement) {
  const { units, cents, code } = movement
  return { ...toNamed(movement), units: -units / 1_000_000, proceeds: toUsd(cents), isFee: code === 'fee' }
}

function toLot({ id, units, costCents }: Lot, byId: ReadonlyMap<string, UnitMovement>) {
  return { ...toNamed(findMovement(byId, id)), units: units / 1_000_000, cost: toUsd(costCents) }
}

function formatCoinQuantity(asset: Asset, units: string): string {
  return formatQuantity(asset, BigInt(units.replace('-', '')))
}
