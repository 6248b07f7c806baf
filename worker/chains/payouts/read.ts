import { type SQL, sql } from 'drizzle-orm'
import type { PayoutState } from '../../../src/contract/console/payoutStates.ts'
import type { PayoutProblem } from '../../../src/contract/console/payouts.ts'
import type { Chain, ProvedNetwork } from '../../../src/contract/money/payments.ts'
import { buildQuery, type Database, type RowQuery, readTogether } from '../../lib/database.ts'
import { TIP } from '../payments/payouts.ts'

/** A payout with what its row shows. */
export interface PayoutFacts {
  readonly seq: number
  readonly id: string
  readonly chain: Chain
  readonly wallet: string
  readonly descriptor: string
  readonly state: PayoutState
  readonly problem: PayoutProblem | null
  readonly amount: number
  readonly withdrawals: number
  readonly builtAt: number
  readonly builtBy: string
  readonly builtByName: string
  readonly releasedAt: number | null
  readonly releasedBy: string | null
  readonly releasedByName: string | null
  /** The transaction that is in a block; null while none is. */
  readonly version: number | null
  readonly height: number | null
  readonly hash: string | null
  readonly confirmedAt: number | null
  readonly replacedBy: string | null
  /** The newest block that we know. */
  readonly tip: number | null
  readonly txid: string | null
  /** Satoshi, or the most in gwei. */
  readonly fee: number
  readonly signatures: number
}

/** Payouts `p` under a condition, newest first. */
export function readPayouts(where: SQL, limit: number): RowQuery<PayoutFacts> {
  return buildQuery(sql`
    SELECT p.seq, p.id, p.chain, p.wallet, w.descriptor, p.state, p.problem, p.built_at AS builtAt, p.built_by AS builtBy,
           a.display_name AS builtByName, p.released_at AS releasedAt, p.released_by AS releasedBy, b.display_name AS releasedByName,
           p.version, p.height, p.block_hash AS hash, p.confirmed_at AS confirmedAt, p.replaced_by AS replacedBy, ${TIP} AS tip, s.txid,
           coalesce(s.fee, n.fee) AS fee,
           (SELECT count(*) FROM payout_items WHERE payout = p.id) AS withdrawals,
           (SELECT sum(r.amount) FROM payout_items i JOIN requests r ON r.id = i.request WHERE i.payout = p.id) AS amount,
           (SELECT count(*) FROM payout_signatures WHERE payout = p.id AND version = n.version) AS signatures
    FROM payouts p JOIN watch_wallets w ON w.id = p.wallet JOIN users a ON a.id = p.built_by
      LEFT JOIN users b ON b.id = p.released_by
      JOIN payout_transactions n ON n.payout = p.id
        AND n.version = (SELECT max(version) FROM payout_transactions WHERE payout = p.id)
      LEFT JOIN payout_transactions s ON s.payout = p.id AND s.version = coalesce(p.version,
        (SELECT max(version) FROM payout_transactions WHERE payout = p.id AND txid IS NOT NULL))
    WHERE ${where} ORDER BY p.seq DESC LIMIT ${limit}`)
}

export interface ItemFacts {
  readonly output: number
  readonly request: string
  readonly ref: string
  readonly investor: string
  readonly investorName: string
  readonly investorEmail: string
  readonly network: ProvedNetwork
  readonly address: string
  readonly units: string
  readonly amount: number
  readonly rate: string
  readonly approver: string | null
}

export interface VersionFacts {
  readonly version: number
  readonly unsigned: string
  readonly details: string
  readonly fee: number
  readonly builtAt: number
  readonly builtBy: string
  readonly builtByName: string
  readonly txid: string | null
  readonly signed: string | null
  readonly releasedAt: number | null
  readonly releasedBy: string | null
  readonly releasedByName: string | null
}

/** A payout with all that belongs to it. */
export interface WholePayout extends PayoutFacts {
  readonly items: readonly ItemFacts[]
  /** Oldest first. */
  readonly versions: readonly VersionFacts[]
  /** PSBTs with verified signatures of the newest version. */
  readonly signed: readonly string[]
}

export function readItems(payout: string): RowQuery<ItemFacts> {
  return buildQuery(sql`
    SELECT i.output, i.request, r.ref, r.investor, u.display_name AS investorName, u.email AS investorEmail, i.network, d.address,
           CAST(i.units AS TEXT) AS units, r.amount, i.rate, e.actor AS approver
    FROM payout_items i JOIN requests r ON r.id = i.request JOIN users u ON u.id = r.investor
      JOIN withdrawal_details d ON d.request = r.id LEFT JOIN request_events e ON e.request = r.id AND e.status = 'approved'
    WHERE i.payout = ${payout} ORDER BY i.output`)
}

/** A payout by its id, in one round trip; null if there is none. */
export async function readPayout(db: Database, id: string): Promise<WholePayout | null> {
  const [[facts], items, versions, signed] = await readTogether(
    db,
    readPayouts(sql`p.id = ${id}`, 1),
    readItems(id),
    buildQuery<VersionFacts>(sql`
      SELECT t.version, t.unsigned, t.details, t.fee, t.built_at AS builtAt, t.built_by AS builtBy, a.display_name AS builtByName,
             t.txid, t.signed, t.released_at AS releasedAt, t.released_by AS releasedBy, b.display_name AS releasedByName
      FROM payout_transactions t JOIN users a ON a.id = t.built_by LEFT JOIN users b ON b.id = t.released_by
      WHERE t.payout = ${id} ORDER BY t.version`),
    buildQuery<{ psbt: string }>(sql`
      SELECT psbt FROM payout_signatures WHERE payout = ${id}
        AND version = (SELECT max(version) FROM payout_transactions WHERE payout = ${id}) ORDER BY seq`),
  )
  return facts === undefined ? null : { ...facts, items, versions, signed: signed.map(({ psbt }) => psbt) }
}

/** The newest version of a payout. Every payout has one. */
export function getNewestVersion({ versions }: Pick<WholePayout, 'versions'>): VersionFacts {
  const newest = versions.at(-1)
  if (newest === undefined) throw new Error('A payout has no transaction.')
  return newest
}
