import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm'
import { SETTINGS } from '../../../src/contract/console/settingList.ts'
import {
  CHAIN_NETWORKS,
  type Chain,
  PROVED_NETWORKS,
  type ProvedNetwork,
} from '../../../src/contract/money/payments.ts'
import type { ActorCall } from '../../http/call.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { type RowOf, readTogether, runBatch, selectRows } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { findDatabaseRefusal, refuse } from '../../lib/errors.ts'
import { depositAddresses, watchWallets } from '../../lib/tables/payments.ts'
import { listChains } from '../servers/configuration.ts'

/** The active watch-only wallets. */
export function readWatchWallets() {
  const { chain, id, descriptor, retiredAt } = watchWallets
  return selectRows({ chain, wallet: id, descriptor }).from(watchWallets).where(isNull(retiredAt))
}

export type ProvedWallet = RowOf<typeof readWatchWallets>

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

/** How exactly it is known when an address was shown. Saves most writes. */
const SHOWN_STEP_MS = 60_000
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
      const isNotMarked = lt(depositAddresses.shownAt, nowMs - SHOWN_STEP_MS)
      await db
        .update(depositAddresses)
        .set({ shownAt: nowMs })
        .where(and(eq(depositAddresses.id, current.id), isNotMarked))
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
export const ADDRESS_GAP = sql<number>`coalesce(
  (SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'addressGap'), ${sql.raw(String(SETTINGS.addressGap.default))})`

/** SQL: the position of a wallet's next address. */
export const NEXT_POSITION = sql<number>`coalesce(
  (SELECT max(position) + 1 FROM deposit_addresses WHERE wallet = watch_wallets.id), 0)`
/** SQL: the position of a wallet's last paid address; -1 if none was paid. */
export const LAST_PAID = sql<number>`coalesce(
  (SELECT max(position) FROM deposit_addresses WHERE wallet = watch_wallets.id AND paid_at IS NOT NULL), -1)`

function readState(chain: Chain) {
  const { id, descriptor, retiredAt } = watchWallets
  return selectRows({ wallet: id, descriptor, next: NEXT_POSITION, lastPaid: LAST_PAID, gap: ADDRESS_GAP })
    .from(watchWallets)
    .where(and(eq(watchWallets.chain, chain), isNull(retiredAt)))
}

/** The current address of an investor in the active wallet of a chain. */
function readCurrent(chain: Chain, investor: string) {
  const { id, wallet, address, paidAt, seq } = depositAddresses
  return selectRows({ id, wallet, address })
    .from(watchWallets)
    .innerJoin(
      depositAddresses,
      and(eq(depositAddresses.investor, investor), eq(wallet, watchWallets.id), isNull(paidAt)),
    )
    .where(and(eq(watchWallets.chain, chain), isNull(watchWallets.retiredAt)))
    .orderBy(desc(seq))
    .limit(1)
}

type OwnAddress = RowOf<typeof readCurrent>
