import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type * as contract from '../../../src/contract/console/treasury.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { getMarket } from '../../investing/candles/markets.ts'
import { ASSET_DECIMALS, ASSETS, type Asset } from '../../ledger/custody.ts'
import { readPause } from '../../ledger/payoutPause.ts'
import { buildQuery, NO_ROWS, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { formatDecimal } from '../../lib/decimalText.ts'
import { refuse } from '../../lib/errors.ts'
import { readRates } from '../../lib/market/rates.ts'
import { proposals } from '../../lib/tables/operators.ts'
import { users } from '../../lib/tables/people.ts'
import { custodyDifferences, reconciliations } from '../../lib/tables/treasury.ts'
import { venueBalances } from '../../lib/tables/venues.ts'
import { computeValueUsd } from '../books/overview.ts'
import { selectBooks } from '../proposals/compareStatements.ts'
import { computeMonthEnd, findNextMonth, listClosable, readFirstLedgerDay } from '../proposals/monthClose.ts'
import { describePause } from './pause.ts'
import { findNextComparison } from './reconcile.ts'

const MOST_ROWS = 50
const EXCHANGE_DECIMALS = 8

/** Everything on the page, in one round trip. With `at`, the quantities are those of that time; exchanges know only now. */
export async function showTreasury(call: CallOf<typeof contract.getTreasury>) {
  const { db, nowMs, query } = call
  const atMs = Math.min(query.at ?? nowMs, nowMs)
  const isNow = query.at === undefined
  const [[pause], places, exchanges, differences, months, [first], waiting, market] = await readTogether(
    db,
    readPause(),
    readPlaces(atMs, isNow),
    readExchanges(nowMs),
    readDifferences(sql`1`),
    buildQuery<{ month: string; hash: string; at: number; proposal: string }>(sql`
      SELECT month, hash, at, proposal FROM month_closes ORDER BY ends_at DESC LIMIT ${MOST_ROWS}`),
    readFirstLedgerDay(),
    readWaiting(),
    isNow ? readRates(db) : NO_ROWS,
  )
  const computeValue = (asset: string, units: string, decimals?: number) => {
    const known = isNow ? ASSETS.find((name) => name === asset) : undefined
    return known === undefined ? null : computeValueUsd(call, market, known, BigInt(units), decimals)
  }
  return ok({
    at: toIso(atMs),
    pause: describePause(pause),
    places: [
      ...places.map((place) => ({
        ...describePlace(place, nowMs),
        valueUsd: computeValue(place.asset, place.quantity),
      })),
      ...(isNow
        ? exchanges.map((balance) => ({
            ...describeExchange(balance),
            valueUsd: computeValue(balance.asset, balance.quantity, EXCHANGE_DECIMALS),
          }))
        : []),
    ],
    differences: differences.map(describeDifference),
    months: months.map((close) => ({ ...close, at: toIso(close.at) })),
    closable: listClosable(first?.at ?? null, months[0]?.month, nowMs),
    nextMonth: describeNextMonth(findNextMonth(first?.at ?? null, months[0]?.month)),
    waiting: waiting.map(({ id, kind, at, by, name }) => ({
      ...{ _id: id, kind, createdAt: toIso(at), by: { _id: by, name } },
    })),
  })
}

function describeNextMonth(month: string | null) {
  return month === null ? null : { month, endsAt: toIso(computeMonthEnd(month)) }
}

/** The proposals about the treasury that wait for a second operator, oldest first. */
function readWaiting() {
  const [p, u] = [alias(proposals, 'p'), alias(users, 'u')]
  return selectRows({
    ...{ id: p.id, at: p.createdAt, by: p.proposedBy, name: u.displayName },
    kind: sql<contract.OperatorTreasury['waiting'][number]['kind']>`p.kind`,
  })
    .from(p)
    .innerJoin(u, eq(u.id, p.proposedBy))
    .where(sql`p.status = 'pending' AND p.kind IN ('payout_resumption', 'month_close', 'treasury')`)
    .orderBy(p.seq)
    .limit(MOST_ROWS)
}

const r = alias(reconciliations, 'r')
/** The last reconciliation `r` of a place at a time. Quantities are text, because they may exceed the range of a number. */
const RECONCILED = {
  ...{ day: r.day, provenAt: r.provenAt, comparedAt: r.at },
  books: sql<string | null>`CAST(r.books AS TEXT)`,
  proven: sql<string | null>`CAST(r.proven AS TEXT)`,
}
const matchLatest = (place: ReturnType<typeof sql>, atMs: number) =>
  sql`r.place = ${place} AND r.day = (
    SELECT max(day) FROM reconciliations WHERE place = ${place} AND proven_at <= ${atMs})`

function readPlaces(atMs: number, isNow: boolean) {
  const p = alias(proposals, 'p')
  return selectRows({
    ...{ id: sql<string>`l.id`, kind: sql<Place['kind']>`l.kind`, name: sql<string>`l.name` },
    ...{ asset: sql<Asset>`l.asset`, proof: sql<'chain' | 'statement'>`l.proof` },
    ...RECONCILED,
    quantity: sql<string>`CAST(${selectBooks(sql`l.id`, sql`${atMs}`)} AS TEXT)`,
    ...{ statement: p.id, approvedAt: p.decidedAt },
    statementAt: sql<number | null>`json_extract(p.payload, '$.at')`,
  })
    .from(sql`custody_places l`)
    .leftJoin(r, matchLatest(sql`l.id`, atMs))
    .leftJoin(p, isNow ? isNextStatement : sql`0`)
    .where(sql`l.at <= ${atMs}`)
    .orderBy(sql`l.asset, l.at, l.id`)
}

/** Whether `p` is the newest statement of place `l` that waits for its approval, or is approved since the last comparison `r`. */
const isNextStatement = sql`p.id = (
  SELECT id FROM proposals s WHERE kind = 'treasury' AND json_extract(payload, '$.action') = 'statement'
    AND json_extract(payload, '$.to.place') = l.id AND json_extract(payload, '$.at') >= coalesce(r.proven_at, 0)
    AND (+status = 'pending' OR (+status = 'approved' AND decided_at > coalesce(r.at, 0)))
  ORDER BY json_extract(payload, '$.at') DESC, seq DESC LIMIT 1)`

function readExchanges(nowMs: number) {
  const b = alias(venueBalances, 'b')
  return selectRows({
    ...{ venue: b.venue, asset: b.asset },
    ...RECONCILED,
    quantity: sql<string>`CAST(b.quantity AS TEXT)`,
  })
    .from(b)
    .leftJoin(r, matchLatest(sql`(b.venue || ':' || b.asset)`, nowMs))
    .orderBy(b.venue, b.asset)
}

type Place = Omit<contract.OperatorTreasury['places'][number], 'valueUsd'>

function describePlace(row: RowOf<typeof readPlaces>, nowMs: number): Place {
  const { id, kind, name, asset, proof, statement, statementAt, approvedAt } = row
  return {
    ...{ _id: id, kind, name, asset, proof, ...describeQuantities(row, ASSET_DECIMALS[asset]) },
    statement:
      statement === null || statementAt === null
        ? null
        : {
            ...{ proposal: statement, at: toIso(statementAt) },
            comparedFrom: approvedAt === null ? null : toIso(findNextComparison(row.day, nowMs)),
          },
  }
}

function describeExchange(row: RowOf<typeof readExchanges>): Place {
  const { venue, asset } = row
  const id = `${venue}:${asset}`
  const name = getMarket(venue).name
  return {
    _id: id,
    kind: 'exchange',
    name,
    asset,
    proof: 'exchange',
    statement: null,
    ...describeQuantities(row, EXCHANGE_DECIMALS),
  }
}

type ReconciliationFacts = Pick<
  RowOf<typeof readPlaces>,
  'quantity' | 'day' | 'books' | 'proven' | 'provenAt' | 'comparedAt'
>

function describeQuantities(
  { quantity, day, books, proven, provenAt, comparedAt }: ReconciliationFacts,
  decimals: number,
) {
  const format = (units: bigint) => formatDecimal(units, decimals)
  return {
    quantity: format(BigInt(quantity)),
    reconciled:
      day === null || books === null || proven === null || provenAt === null || comparedAt === null
        ? null
        : {
            ...{ day, at: toIso(provenAt), comparedAt: toIso(comparedAt) },
            books: format(BigInt(books)),
            proven: format(BigInt(proven)),
            difference: format(BigInt(proven) - BigInt(books)),
          },
  }
}

/** Differences `d` under a condition with the operator who cleared them, open ones first, oldest first. */
function readDifferences(where: ReturnType<typeof sql>) {
  const [d, u] = [alias(custodyDifferences, 'd'), alias(users, 'u')]
  return selectRows({
    ...{ seq: d.seq, place: d.place, isNegative: d.isNegative, at: d.at },
    ...{ clearedBy: d.clearedBy, clearedAt: d.clearedAt, reason: d.reason },
    ...{ name: sql<string | null>`l.name`, asset: sql<Asset | null>`l.asset`, operator: u.displayName },
    quantity: sql<string>`CAST(d.quantity AS TEXT)`,
  })
    .from(d)
    .leftJoin(sql`custody_places l`, sql`l.id = d.place`)
    .leftJoin(u, eq(u.id, d.clearedBy))
    .where(where)
    .orderBy(sql`d.cleared_at IS NOT NULL, iif(d.cleared_at IS NULL, d.seq, -d.seq)`)
    .limit(MOST_ROWS)
}

type Difference = contract.OperatorTreasury['differences'][number]

function describeDifference(row: RowOf<typeof readDifferences>): Difference {
  const { seq, place, name, asset, quantity, isNegative, at, clearedBy, clearedAt, reason, operator } = row
  const [venue = '', coin = ''] = place.split(':')
  return {
    _id: String(seq),
    place: name ?? getMarket(venue).name,
    asset: asset ?? coin,
    quantity: formatDecimal(BigInt(quantity), asset === null ? EXCHANGE_DECIMALS : ASSET_DECIMALS[asset]),
    isNegative: isNegative === 1,
    since: toIso(at),
    cleared:
      clearedAt === null
        ? null
        : { at: toIso(clearedAt), by: { _id: clearedBy ?? '', name: operator ?? '' }, reason: reason ?? '' },
  }
}

type DifferenceRow = RowOf<typeof readDifferences>

export async function loadDifference({ db, params }: ActorCall): Promise<DifferenceRow> {
  const [[row]] = await readTogether(db, readDifferences(sql`d.seq = CAST(${params.id ?? ''} AS INTEGER)`))
  return row ?? refuse('not_found')
}

/** Clears a difference with a reason. A trigger refuses it to whoever made an entry of the place. */
export async function clearDifference(call: CallOf<typeof contract.clearDifference>, row: DifferenceRow) {
  const { db, actor, nowMs, body } = call
  if (row.clearedAt !== null) refuse('already_decided')
  const cleared = { clearedBy: actor.id, clearedAt: nowMs, reason: body.reason }
  return call.commit({
    statements: [db.update(custodyDifferences).set(cleared).where(eq(custodyDifferences.seq, row.seq))],
    audit: [{ action: 'treasury.cleared', subject: row.place, detail: { difference: row.seq } }],
    answer: ok(describeDifference({ ...row, ...cleared, operator: actor.displayName })),
  })
}
