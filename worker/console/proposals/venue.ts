import { and, eq, isNull, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { VenueProposal } from '../../../src/contract/console/proposalBodies.ts'
import type { proposedVenueAct, VenueAction } from '../../../src/contract/console/venue.ts'
import type { ActorCall } from '../../http/call.ts'
import { getStrategyName } from '../../investing/trading/notices.ts'
import { getVenueName } from '../../investing/venueAccount/configuration.ts'
import { buildQuery, type Database, readTogether, type Statement } from '../../lib/database.ts'
import { formatDecimal } from '../../lib/decimalText.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { poolCovers, tradingStops, venueStrategies, venueTransfers } from '../../lib/tables/venues.ts'
import { checkConditions, readConditions } from '../venue/conditions.ts'
import type { ProposalEffect } from './effect.ts'
import { type NewProposal, type ProposalFacts, parsePayload } from './proposal.ts'

/** The database compares an approval with this payload. Quantities are 10⁻⁸. */
interface Payload {
  readonly action: VenueAction
  readonly venue: string
  readonly strategy?: string
  readonly scope?: string
  readonly asset?: string
  readonly quantity?: number
}

/** Checks a proposal about the exchange. Refuses `conflict` if it is not possible now. */
export async function proposeVenueAct(call: ActorCall, body: VenueProposal): Promise<NewProposal> {
  const venue = getVenueName(call.env)
  // A stop of all trading can end before an exchange is configured again.
  if (venue === '' && body.action !== 'resume') refuse('conflict', { msg: 'No exchange is configured.' })
  const payload = await buildPayload(call, venue, body)
  await assertPossible(call, payload)
  return { kind: 'venue', reason: body.reason, payload: JSON.stringify(payload) }
}

async function buildPayload(
  { db }: ActorCall,
  venue: string,
  { action, strategy, scope, asset, quantity }: VenueProposal,
): Promise<Payload> {
  switch (action) {
    case 'trade':
    case 'cover': {
      if (strategy === null || strategy === undefined)
        return refuseField('strategy', 'Please choose the strategy')
      const rows = await db.all<{ slug: string }>(sql`SELECT slug FROM strategies WHERE slug = ${strategy}`)
      if (rows.length === 0) refuseField('strategy', 'There is no such strategy')
      return { action, venue, strategy }
    }
    case 'resume':
      if (scope !== 'all' && scope !== venue) refuseField('scope', 'There is no such exchange')
      return { action, venue, scope: scope ?? '' }
    case 'transfer': {
      if (asset === null || asset === undefined || !/^[a-z0-9.-]{1,40}$/.test(asset))
        return refuseField('asset', 'Please name the asset, such as usd or bitcoin')
      const parts = parseQuantity(quantity ?? '')
      if (parts === null)
        return refuseField(
          'quantity',
          'Please give a quantity with at most eight decimals, such as 1500 or -0.25',
        )
      return { action, venue, asset, quantity: parts }
    }
  }
}

/** Refuses, with a message, a proposal that the database would refuse at the approval. */
async function assertPossible(
  { db, nowMs }: ActorCall,
  { action, venue, strategy, scope }: Payload,
): Promise<void> {
  const [conditions, stops] = await readTogether(
    db,
    readConditions(venue),
    buildQuery<{ scope: string }>(sql`SELECT scope FROM trading_stops WHERE lifted_at IS NULL`),
  )
  const facts = conditions.find(({ slug }) => slug === strategy)
  if (action === 'resume' && !stops.some((stop) => stop.scope === scope))
    refuse('conflict', { msg: 'This is not stopped.' })
  if (action === 'trade') {
    if (facts === undefined)
      return refuse('conflict', { msg: 'This strategy does not run on the prices of this exchange.' })
    if (facts.venue !== null) refuse('conflict', { msg: 'This strategy trades with money already.' })
    const unmet = checkConditions(facts, nowMs).find(({ met }) => !met)
    if (unmet !== undefined) refuse('conflict', { msg: `This condition is not met: ${unmet.words}.` })
  }
  if (
    action === 'cover' &&
    !(facts !== undefined && facts.venue !== null && facts.cash < 0 && facts.isSettling === 0)
  )
    refuse('conflict', { msg: 'The pool of this strategy owes nothing.' })
}

/** What an approval writes. The database decides again. */
export async function buildVenueEffect(call: ActorCall, proposal: ProposalFacts): Promise<ProposalEffect> {
  const { db, nowMs } = call
  const payload = parsePayload<Payload>(proposal)
  await assertPossible(call, payload)
  const { action, venue, strategy = '', scope = '', asset = '', quantity = 0 } = payload
  const detail = { proposal: proposal.id }
  switch (action) {
    case 'trade':
      return {
        statements: [
          db.insert(venueStrategies).values({ strategy, venue, since: nowMs, proposal: proposal.id }),
        ],
        audit: [{ action: 'venue.trading_started', subject: strategy, detail }],
      }
    case 'transfer':
      return {
        statements: [
          db.insert(venueTransfers).values({ venue, asset, quantity, at: nowMs, proposal: proposal.id }),
        ],
        audit: [{ action: 'venue.transferred', subject: venue, detail: { ...detail, asset } }],
      }
    case 'resume':
      return {
        statements: [
          db
            .update(tradingStops)
            .set({ liftedBy: proposal.id, liftedAt: nowMs })
            .where(and(eq(tradingStops.scope, scope), isNull(tradingStops.liftedAt))),
        ],
        audit: [{ action: 'trading.resumed', subject: scope, detail }],
      }
    case 'cover':
      return {
        statements: [await planCover(db, strategy, proposal.id, nowMs)].map(({ statement }) => statement),
        audit: [{ action: 'venue.debt_paid', subject: strategy, detail }],
      }
  }
}

// Inside an object, because awaiting a bare statement would run it.
async function planCover(
  db: Database,
  strategy: string,
  proposal: string,
  nowMs: number,
): Promise<{ readonly statement: Statement }> {
  const [pool] = await db.all<{ cash: number }>(sql`SELECT cash FROM pools WHERE strategy = ${strategy}`)
  return {
    statement: db.insert(poolCovers).values({ proposal, strategy, cash: -(pool?.cash ?? 0), at: nowMs }),
  }
}

/** The act of a proposal, for its row. */
export function parseVenueAct(proposal: Pick<ProposalFacts, 'payload'>): z.output<typeof proposedVenueAct> {
  const { strategy, quantity, ...act } = parsePayload<Payload>(proposal)
  return {
    ...act,
    ...(strategy !== undefined && { strategy: { _id: strategy, name: getStrategyName(strategy) } }),
    ...(quantity !== undefined && { quantity: formatDecimal(quantity, 8) }),
  }
}

const MOST_PARTS = 9_000_000_000_000_000n

/** A decimal text in 10⁻⁸; null if it is none, zero or too large. */
function parseQuantity(text: string): number | null {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d{1,10})(?:\.(\d{1,8}))?$/.exec(text.trim()) ?? []
  if (whole === '') return null
  const parts = BigInt(whole + fraction.padEnd(8, '0'))
  if (parts === 0n || parts > MOST_PARTS) return null
  return Number(sign === '-' ? -parts : parts)
}
