import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { type Database, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { watchWallets } from '../../lib/tables/payments.ts'
import {
  payoutItems,
  payoutKeySignatures,
  payoutSignatures,
  payouts,
  payoutTransactions,
} from '../../lib/tables/payouts.ts'
import { users } from '../../lib/tables/people.ts'
import { requestEvents, requests, withdrawalDetails } from '../../lib/tables/requests.ts'
import { type KeyHolderFacts, readKeyHolders } from '../watchWallets/keyHolders.ts'
import { TIP } from './withdrawalPayout.ts'

const builder = alias(users, 'builder')
const releaser = alias(users, 'releaser')
const canceller = alias(users, 'canceller')

/** Payouts under a condition, newest first. */
export function readPayouts(where: SQL, limit: number) {
  const { seq, id, chain, wallet, state, problem, builtAt, builtBy, releasedAt, releasedBy } = payouts
  const { cancelledAt, cancelledBy } = payouts
  const { version, height, blockHash, confirmedAt, replacedBy } = payouts
  const newest = alias(payoutTransactions, 'newest')
  const sent = alias(payoutTransactions, 'sent')
  return selectRows({
    ...{ seq, id, chain, wallet, state, problem, builtAt, builtBy, releasedAt, releasedBy },
    ...{ height, hash: blockHash, confirmedAt, replacedBy },
    descriptor: watchWallets.descriptor,
    builtByName: builder.displayName,
    releasedByName: releaser.displayName,
    ...{ cancelledAt, cancelledBy, cancelledByName: canceller.displayName },
    /** The transaction that is in a block; null while none is. */
    version,
    /** The newest block that we know. */
    tip: TIP,
    txid: sent.txid,
    /** Satoshi, or the most in gwei. */
    fee: sql<number>`coalesce(${sent.fee}, ${newest.fee})`,
    withdrawals: sql<number>`(SELECT count(*) FROM payout_items WHERE payout = ${id})`,
    amount: sql<number>`(
      SELECT sum(r.amount) FROM payout_items i JOIN requests r ON r.id = i.request WHERE i.payout = ${id})`,
    signatures: sql<number>`(
      SELECT count(*) FROM payout_signatures WHERE payout = ${id} AND version = ${newest.version})`,
    /** The lowest nonce below this payout's own that no sent payout and no mined transaction has used. */
    blockedByNonce: sql<number | null>`(
      SELECT min(json_extract(t.details, '$.nonce')) FROM payouts o JOIN payout_transactions t ON t.payout = o.id
      WHERE ${chain} = 'ethereum' AND ${state} IN ('built', 'released') AND ${height} IS NULL
        AND o.wallet = ${wallet} AND o.state IN ('built', 'cancelled')
        AND json_extract(t.details, '$.nonce') < json_extract(${newest.details}, '$.nonce')
        AND NOT EXISTS (
          SELECT 1 FROM payouts s JOIN payout_transactions u ON u.payout = s.id
          WHERE s.wallet = o.wallet AND s.state NOT IN ('built', 'cancelled')
            AND json_extract(u.details, '$.nonce') = json_extract(t.details, '$.nonce'))
        AND NOT EXISTS (
          SELECT 1 FROM treasury_transactions x
          WHERE x.wallet = o.wallet AND x.nonce >= json_extract(t.details, '$.nonce')))`,
  })
    .from(payouts)
    .innerJoin(watchWallets, eq(watchWallets.id, wallet))
    .innerJoin(builder, eq(builder.id, builtBy))
    .leftJoin(releaser, eq(releaser.id, releasedBy))
    .leftJoin(canceller, eq(canceller.id, cancelledBy))
    .innerJoin(
      newest,
      sql`${newest.payout} = ${id}
      AND ${newest.version} = (SELECT max(version) FROM payout_transactions WHERE payout = ${id})`,
    )
    .leftJoin(
      sent,
      sql`${sent.payout} = ${id} AND ${sent.version} = coalesce(${version},
      (SELECT max(version) FROM payout_transactions WHERE payout = ${id} AND txid IS NOT NULL))`,
    )
    .where(where)
    .orderBy(desc(seq))
    .limit(limit)
}

export type PayoutFacts = RowOf<typeof readPayouts>

/** The withdrawals that a payout pays. */
export function readItems(payout: string) {
  const { output, request, network, units, rate } = payoutItems
  const { ref, investor, amount } = requests
  return selectRows({
    ...{ output, request, ref, investor, network, amount, rate },
    investorName: users.displayName,
    investorEmail: users.email,
    address: sql<string>`${withdrawalDetails.address}`,
    units: sql<string>`CAST(${units} AS TEXT)`,
    approver: requestEvents.actor,
  })
    .from(payoutItems)
    .innerJoin(requests, eq(requests.id, request))
    .innerJoin(users, eq(users.id, investor))
    .innerJoin(withdrawalDetails, eq(withdrawalDetails.request, requests.id))
    .leftJoin(
      requestEvents,
      and(eq(requestEvents.request, requests.id), eq(requestEvents.status, 'approved')),
    )
    .where(eq(payoutItems.payout, payout))
    .orderBy(output)
}

export type ItemFacts = RowOf<typeof readItems>

/** The transactions of a payout, oldest first. */
function readVersions(payout: string) {
  const { version, unsigned, details, fee, builtAt, builtBy } = payoutTransactions
  const { txid, signed, releasedAt, releasedBy } = payoutTransactions
  return selectRows({
    ...{ version, unsigned, details, fee, builtAt, builtBy, builtByName: builder.displayName },
    ...{ txid, signed, releasedAt, releasedBy, releasedByName: releaser.displayName },
  })
    .from(payoutTransactions)
    .innerJoin(builder, eq(builder.id, builtBy))
    .leftJoin(releaser, eq(releaser.id, releasedBy))
    .where(eq(payoutTransactions.payout, payout))
    .orderBy(version)
}

export type VersionFacts = RowOf<typeof readVersions>

/** A payout with all that belongs to it. */
export interface WholePayout extends PayoutFacts {
  readonly items: readonly ItemFacts[]
  /** Oldest first. */
  readonly versions: readonly VersionFacts[]
  /** PSBTs with verified signatures of the newest version, and who handed them in. */
  readonly signed: readonly StoredSignature[]
  /** The operators who may hand in a signature. */
  readonly treasurers: readonly Treasurer[]
  readonly holders: readonly KeyHolderFacts[]
  /** The keys that signed the newest version. */
  readonly keySignatures: readonly KeySignature[]
}

export type KeySignature = RowOf<typeof readKeySignatures>
export type StoredSignature = RowOf<typeof readSignatures>
export type Treasurer = RowOf<typeof readTreasurers>

function readSignatures(payout: string) {
  const { psbt, addedBy, addedAt, seq } = payoutSignatures
  return selectRows({ psbt, addedBy, addedAt, addedByName: users.displayName })
    .from(payoutSignatures)
    .innerJoin(users, eq(users.id, addedBy))
    .where(
      sql`payout = ${payout} AND version = (SELECT max(version) FROM payout_transactions WHERE payout = ${payout})`,
    )
    .orderBy(seq)
}

function readKeySignatures(payout: string) {
  const { key, signedAt, signedBy } = payoutKeySignatures
  return selectRows({ key, signedAt, signedBy, signedByName: users.displayName })
    .from(payoutKeySignatures)
    .innerJoin(users, eq(users.id, signedBy))
    .where(
      sql`payout = ${payout} AND version = (SELECT max(version) FROM payout_transactions WHERE payout = ${payout})`,
    )
}

export function readTreasurers() {
  const { id, displayName: name, email, seq } = users
  return selectRows({ id, name, email })
    .from(users)
    .where(sql`${id} IN (SELECT id FROM deciding_treasurers)`)
    .orderBy(seq)
    .limit(50)
}

/** Reads a payout by its id in one round trip. Null if no payout has this id. */
export async function readPayout(db: Database, id: string): Promise<WholePayout | null> {
  const [[facts], items, versions, signed, treasurers, holders, keySignatures] = await readTogether(
    db,
    readPayouts(eq(payouts.id, id), 1),
    readItems(id),
    readVersions(id),
    readSignatures(id),
    readTreasurers(),
    readKeyHolders(sql`h.wallet = (SELECT wallet FROM payouts WHERE id = ${id})`),
    readKeySignatures(id),
  )
  if (facts === undefined) return null
  return { ...facts, items, versions, signed, treasurers, holders, keySignatures }
}

/** The newest version of a payout. Every payout has one. */
export function getNewestVersion({ versions }: Pick<WholePayout, 'versions'>): VersionFacts {
  const newest = versions.at(-1)
  if (newest === undefined) throw new Error('A payout has no transaction.')
  return newest
}
