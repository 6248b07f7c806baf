import { sql } from 'drizzle-orm'
import { SETTINGS } from '../../../src/contract/console/settingList.ts'
import {
  CHAIN_NETWORKS,
  type Chain,
  PROVED_NETWORKS,
  type ProvedNetwork,
} from '../../../src/contract/money/payments.ts'
import type { ActorCall } from '../../http/call.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { buildQuery, type Database, type RowQuery, readTogether, runBatch } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { findDatabaseRefusal, refuse } from '../../lib/errors.ts'
import { depositAddresses } from '../../lib/tables/payments.ts'
import { listChains } from '../servers/configuration.ts'

/** A network that is proved: its chain has servers, and an active watch-only wallet. */
export interface ProvedWallet {
  readonly chain: Chain
  /** The watch-only wallet. */
  readonly wallet: string
  readonly descriptor: string
}

/** The current address of an investor in a watch-only wallet. */
interface OwnAddress {
  readonly id: string
  readonly wallet: string
  readonly address: string
}

interface WalletState extends ProvedWallet {
  /** The position of the next address. */
  readonly next: number
  /** The last position that was paid, or -1. */
  readonly lastPaid: number
  readonly gap: number
}

/** The active watch-only wallets of these chains. */
export function readWatchWallets(): RowQuery<ProvedWallet> {
  return buildQuery(sql`SELECT chain, id AS wallet, descriptor FROM watch_wallets WHERE retired_at IS NULL`)
}

/** The networks that are proved now. Without servers a chain's wallets stay manual. */
export function listProvedNetworks(env: Env, wallets: readonly ProvedWallet[]): ProvedNetwork[] {
  const chains = listChains(env)
  return PROVED_NETWORKS.filter((network) => {
    const { chain } = CHAIN_NETWORKS[network]
    return chains.includes(chain) && wallets.some((wallet) => wallet.chain === chain)
  })
}

/**
 * The investor's own address in each proved network: the newest one that was not paid yet, or a new one. Empty if no network is proved or
 * the actor may not deposit. Marks them as shown, so that they are looked at each minute.
 */
export async function loadOwnWallets(call: ActorCall): Promise<{
  networks: ProvedNetwork[]
  addresses: { readonly id: string; readonly network: ProvedNetwork; readonly address: string }[]
}> {
  const { env, db, actor } = call
  if (listChains(env).length === 0) return { networks: [], addresses: [] }
  const [watched] = await readTogether(db, readWatchWallets())
  const networks = listProvedNetworks(env, watched)
  if (networks.length === 0 || !canHaveAddresses(call)) return { networks, addresses: [] }
  const chains = new Set(networks.map((network) => CHAIN_NETWORKS[network].chain))
  const current = new Map<Chain, OwnAddress | null>()
  for (const { chain } of watched) {
    if (chains.has(chain)) current.set(chain, await ensureOwnAddress(call, actor.id, chain))
  }
  const addresses = networks.flatMap((network) => {
    const own = current.get(CHAIN_NETWORKS[network].chain) ?? null
    return own === null ? [] : [{ id: own.id, network, address: own.address }]
  })
  return { networks, addresses }
}

/** Whether the actor gets an address: an investor who may deposit. */
function canHaveAddresses({ actor }: ActorCall): boolean {
  return actor.role === 'investor' && !(actor.kycRequired && actor.kyc !== 'approved')
}

/** Two calls may race for the next position. The loser tries again. */
const TRIES = 20

/** The investor's unpaid address in the active wallet of a chain, given now if there is none. Null if the gap limit is reached. */
async function ensureOwnAddress(
  { env, db, nowMs }: Pick<ActorCall, 'env' | 'db' | 'nowMs'>,
  investor: string,
  chain: Chain,
): Promise<OwnAddress | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    const [[state], [current]] = await readTogether(db, readState(chain), readCurrent(chain, investor))
    if (state === undefined) return null
    if (current !== undefined) {
      await markShown(db, current.id, nowMs)
      return current
    }
    if (state.next - state.lastPaid > state.gap) {
      console.error(
        JSON.stringify({ level: 'alarm', addresses: chain, problem: 'The gap limit is reached.' }),
      )
      return null
    }
    const { wallet } = state
    const id = newId()
    // Loaded with the first address: the libraries of the chains are large.
    const { deriveAddress } = await import('./derive.ts')
    const { address, script } = deriveAddress(env, chain, state.descriptor, state.next)
    try {
      await runBatch(db, [
        db.insert(depositAddresses).values({
          id,
          wallet,
          position: state.next,
          address,
          script,
          investor,
          givenAt: nowMs,
          shownAt: nowMs,
        }),
      ])
      return { id, wallet, address }
    } catch (error) {
      if (findDatabaseRefusal(error)?.code !== 'conflict') throw error
    }
  }
  return refuse('unavailable', { retryAfterSeconds: 2 })
}

/** The gap limit from the settings. */
export const ADDRESS_GAP = sql`coalesce(
  (SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'addressGap'), ${sql.raw(String(SETTINGS.addressGap.default))})`

/** SQL: the next position of the wallet `w`, and the last paid one. */
export const NEXT_POSITION = sql`coalesce((SELECT max(position) + 1 FROM deposit_addresses WHERE wallet = w.id), 0)`
export const LAST_PAID = sql`coalesce(
  (SELECT max(position) FROM deposit_addresses WHERE wallet = w.id AND paid_at IS NOT NULL), -1)`

function readState(chain: Chain): RowQuery<WalletState> {
  return buildQuery(sql`
    SELECT w.chain, w.id AS wallet, w.descriptor, ${NEXT_POSITION} AS next, ${LAST_PAID} AS lastPaid, ${ADDRESS_GAP} AS gap
    FROM watch_wallets w WHERE w.chain = ${chain} AND w.retired_at IS NULL`)
}

function readCurrent(chain: Chain, investor: string): RowQuery<OwnAddress> {
  return buildQuery(sql`
    SELECT a.id, a.wallet, a.address FROM watch_wallets w
      JOIN deposit_addresses a ON a.investor = ${investor} AND a.wallet = w.id AND a.paid_at IS NULL
    WHERE w.chain = ${chain} AND w.retired_at IS NULL ORDER BY a.seq DESC LIMIT 1`)
}

/** How exactly it is known when an address was shown. Saves most writes. */
const SHOWN_STEP_MS = 60_000

function markShown(db: Database, id: string, nowMs: number): Promise<void> {
  return runBatch(db, [
    sql`UPDATE deposit_addresses SET shown_at = ${nowMs} WHERE id = ${id} AND shown_at < ${nowMs - SHOWN_STEP_MS}`,
  ])
}
