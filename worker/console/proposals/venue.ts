import { and, eq, isNull, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { VenueProposal } from '../../../src/contract/console/proposalBodies.ts'
import type { proposedVenueAct } from '../../../src/contract/console/venue.ts'
import type { ActorCall } from '../../http/call.ts'
import { getVenueName } from '../../investing/venueAccount/configuration.ts'
import { readTogether, selectRows } from '../../lib/database.ts'
import { formatDecimal } from '../../lib/decimalText.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { getStrategyName } from '../../lib/strategyName.ts'
import { strategies } from '../../lib/tables/strategies.ts'
import { poolCovers, tradingStops, venueStrategies, venueTransfers } from '../../lib/tables/venues.ts'
import { checkConditions, readConditions } from '../venue/conditions.ts'
import type { ProposalEffect } from './effect.ts'
import type { VenuePayload } from './payloads.ts'
import type { NewProposal, ProposalOfKind } from './proposal.ts'

/** Checks a proposal about the exchange. Refuses `conflict` if it is not possible now. */
export async function proposeVenueAct(call: ActorCall, body: VenueProposal): Promise<NewProposal> {
  const venue = getVenueName(call.env)
  // A stop of all trading can end before an exchange is configured again.
  if (venue === '' && body.action !== 'resume') refuse('conflict', { msg: 'No exchange is configured.' })
  const payload = await buildPayload(call, venue, body)
  await assertPossible(call, payload)
  return { kind: 'venue', reason: body.reason, payload }
}

async function buildPayload(
  { db }: ActorCall,
  venue: string,
  { action, strategy, scope, asset, quantity }: VenueProposal,
): Promise<VenuePayload> {
  switch (action) {
    case 'trade':
    case 'cover': {
      if (strategy === null || strategy === undefined)
        return refuseField('strategy', 'Please choose the strategy')
      const rows = await db
        .select({ slug: strategies.slug })
        .from(strategies)
        .where(eq(strategies.slug, strategy))
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
async function assertPossible({ db, nowMs }: ActorCall, payload: VenuePayload): Promise<void> {
  const [conditions, stops] = await readTogether(
    db,
    readConditions(payload.venue),
    selectRows({ scope: tradingStops.scope }).from(tradingStops).where(isNull(tradingStops.liftedAt)),
  )
  if (payload.action === 'resume' && !stops.some(({ scope }) => scope === payload.scope))
    refuse('conflict', { msg: 'This is not stopped.' })
  if (payload.action !== 'trade' && payload.action !== 'cover') return
  const facts = conditions.find(({ slug }) => slug === payload.strategy)
  if (payload.action === 'trade') {
    if (facts === undefined)
      return refuse('conflict', { msg: 'This strategy does not run on the prices of this exchange.' })
    if (facts.venue !== null) refuse('conflict', { msg: 'This strategy trades with money already.' })
    const unmet = checkConditions(facts, nowMs).find(({ met }) => !met)
    if (unmet !== undefined) refuse('conflict', { msg: `This condition is not met: ${unmet.words}.` })
  } else if (facts === undefined || facts.venue === null || facts.cash >= 0 || facts.isSettling === 1)
    refuse('conflict', { msg: 'The pool of this strategy owes nothing.' })
}

/** The statements of an approval. The database decides again. */
export async function buildVenueEffect(
  call: ActorCall,
  { id: proposal, payload }: ProposalOfKind<'venue'>,
): Promise<ProposalEffect> {
  const { db, nowMs } = call
  await assertPossible(call, payload)
  switch (payload.action) {
    case 'trade':
    case 'cover': {
      const { action, venue, strategy } = payload
      const statement =
        action === 'trade'
          ? db.insert(venueStrategies).values({ strategy, venue, since: nowMs, proposal })
          : db.insert(poolCovers).values({
              proposal,
              strategy,
              cash: sql`-coalesce((SELECT cash FROM pools WHERE strategy = ${strategy}), 0)`,
              at: nowMs,
            })
      return {
        statements: [statement],
        audit: [
          {
            action: action === 'trade' ? 'venue.trading_started' : 'venue.debt_paid',
            subject: strategy,
            detail: { proposal },
          },
        ],
      }
    }
    case 'transfer': {
      const { venue, asset, quantity } = payload
      return {
        statements: [db.insert(venueTransfers).values({ venue, asset, quantity, at: nowMs, proposal })],
        audit: [{ action: 'venue.transferred', subject: venue, detail: { proposal, asset } }],
      }
    }
    case 'resume':
      return {
        statements: [
          db
            .update(tradingStops)
            .set({ liftedBy: proposal, liftedAt: nowMs })
            .where(and(eq(tradingStops.scope, payload.scope), isNull(tradingStops.liftedAt))),
        ],
        audit: [{ action: 'trading.resumed', subject: payload.scope, detail: { proposal } }],
      }
  }
}

/** The act of a proposal, for its row. */
export function describeVenueAct(payload: VenuePayload): z.output<typeof proposedVenueAct> {
  switch (payload.action) {
    case 'trade':
    case 'cover': {
      const { strategy, ...act } = payload
      return { ...act, strategy: { _id: strategy, name: getStrategyName(strategy) } }
    }
    case 'resume':
      return payload
    case 'transfer':
      return { ...payload, quantity: formatDecimal(payload.quantity, 8) }
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
