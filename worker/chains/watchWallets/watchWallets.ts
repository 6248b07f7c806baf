import { type SQL, sql } from 'drizzle-orm'
import * as contract from '../../../src/contract/console/watchWallets.ts'
import { CHAIN_NETWORKS, type Chain, PROVED_NETWORKS } from '../../../src/contract/money/payments.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type ActorCall, created, createRoute } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { createQueue } from '../../http/queue.ts'
import { generateToken, newId } from '../../lib/crypto/tokens.ts'
import { buildQuery, type RowQuery, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { watchChallenges } from '../../lib/tables/payments.ts'
import { ADDRESS_GAP, LAST_PAID, NEXT_POSITION } from '../addresses/addresses.ts'
import { listChains } from '../servers/configuration.ts'
import { readWallet } from './signers.ts'

/** Long enough to fetch hardware wallets from several safes. */
const LASTS_MS = 7 * DAY_MS

/** Issues a message for the keys of a watch-only wallet to sign. Refuses a wallet that is in use already. */
export const challengeWatchWallet = createRoute(contract.challengeWatchWallet, async (call) => {
  const { db, env, nowMs, actor, body } = call
  const { chain } = body
  const { descriptor, signers, addresses } = readWallet(env, chain, body.descriptor)
  await assertUnused(call, descriptor)
  const message = buildProofMessage(chain, addresses[0] ?? '', new URL(env.PUBLIC_ORIGIN).host, nowMs)
  const expiresAt = nowMs + LASTS_MS
  const id = newId()
  await call.commit({
    statements: [
      db
        .insert(watchChallenges)
        .values({ id, chain, descriptor, message, issuedTo: actor.id, createdAt: nowMs, expiresAt }),
    ],
    audit: [{ action: 'watch_wallet.challenged', subject: id, detail: { chain } }],
  })
  return created({
    descriptor,
    message,
    expiresAt: toIso(expiresAt),
    signers: [...signers],
    addresses: [...addresses],
  })
})

/** Refuses a descriptor that is or was a wallet. */
export async function assertUnused({ db }: Pick<ActorCall, 'db'>, descriptor: string): Promise<void> {
  const used = await db.all<{ id: string }>(
    sql`SELECT id FROM watch_wallets WHERE descriptor = ${descriptor}`,
  )
  if (used.length > 0) refuse('conflict', { msg: 'This is already a watch-only wallet, or was one.' })
}

/** One line of ASCII that names everything the signature is for, so that it cannot pass for another one. */
function buildProofMessage(chain: Chain, address: string, host: string, nowMs: number): string {
  const name = chain === 'bitcoin' ? 'Bitcoin' : 'Ethereum'
  return `${host} watches a wallet on ${name} whose first address is ${address}. Signed to show that we hold its key, and for nothing else. Issued ${toIso(nowMs)}, number ${generateToken(12)}`
}

interface WatchFacts {
  readonly seq: number
  readonly id: string
  readonly chain: Chain
  readonly descriptor: string
  readonly createdAt: number
  readonly retiredAt: number | null
  readonly retiredBy: string | null
  readonly retiredByName: string | null
  readonly proposedBy: string
  readonly proposedByName: string
  readonly approvedBy: string
  readonly approvedByName: string
  readonly reason: string | null
  readonly payload: string
  readonly next: number
  readonly lastPaid: number
  readonly gap: number
  /** JSON. */
  readonly servers: string
}

function readWatchWallets(where: SQL, limit: number): RowQuery<WatchFacts> {
  return buildQuery(sql`
    SELECT w.seq, w.id, w.chain, w.descriptor, w.created_at AS createdAt, w.retired_at AS retiredAt,
           o.decided_by AS retiredBy, c.display_name AS retiredByName, p.proposed_by AS proposedBy,
           a.display_name AS proposedByName, p.decided_by AS approvedBy, b.display_name AS approvedByName, p.reason, p.payload,
           ${NEXT_POSITION} AS next, ${LAST_PAID} AS lastPaid, ${ADDRESS_GAP} AS gap,
           (SELECT json_group_array(json_object('server', server, 'height', height, 'answeredAt', answered_at,
              'failingSince', failing_since, 'fault', fault)) FROM chain_servers WHERE chain = w.chain) AS servers
    FROM watch_wallets w JOIN proposals p ON p.id = w.proposal JOIN users a ON a.id = p.proposed_by
      JOIN users b ON b.id = p.decided_by
      LEFT JOIN proposals o ON o.id = w.retirement LEFT JOIN users c ON c.id = o.decided_by
    WHERE ${where} ORDER BY w.seq DESC LIMIT ${limit}`)
}

export const { route: listWatchWallets } = createQueue(contract.listWatchWallets, {
  read: async ({ db }, after, rows) => {
    const where = after === null ? sql`1` : sql`w.seq < ${after.seq}`
    return (await readTogether(db, readWatchWallets(where, rows)))[0]
  },
  row: watchRow,
})

/** The watch-only wallet that a call names. Refuses `not_found`. */
export async function loadWatchWallet({ db, params }: ActorCall): Promise<WatchFacts> {
  const [[wallet]] = await readTogether(db, readWatchWallets(sql`w.id = ${params.id ?? ''}`, 1))
  return wallet ?? refuse('not_found')
}

interface ServerFacts {
  readonly server: string
  readonly height: number | null
  readonly answeredAt: number | null
  readonly failingSince: number | null
  readonly fault: string | null
}

function watchRow(wallet: WatchFacts, { env }: Pick<ActorCall, 'env'>): contract.WatchWallet {
  const { chain, descriptor, retiredBy } = wallet
  // Written by `watchWallet` of the proposals.
  const { message, signatures } = JSON.parse(wallet.payload) as { message: string; signatures: string[] }
  return {
    _id: wallet.id,
    chain,
    descriptor,
    active: wallet.retiredAt === null,
    createdAt: toIso(wallet.createdAt),
    retiredAt: toIsoOrNull(wallet.retiredAt),
    retiredBy: retiredBy === null ? null : { _id: retiredBy, name: wallet.retiredByName ?? '' },
    proposedBy: { _id: wallet.proposedBy, name: wallet.proposedByName },
    approvedBy: { _id: wallet.approvedBy, name: wallet.approvedByName },
    reason: wallet.reason,
    proof: { message, signatures, signers: [...readWallet(env, chain, descriptor).signers] },
    nextIndex: wallet.next,
    unpaid: wallet.next - 1 - wallet.lastPaid,
    gap: wallet.gap,
    networks: PROVED_NETWORKS.filter((network) => CHAIN_NETWORKS[network].chain === chain),
    isObserved: listChains(env).includes(chain),
    servers: (JSON.parse(wallet.servers) as ServerFacts[]).map(({ answeredAt, failingSince, ...server }) => ({
      ...server,
      answeredAt: toIsoOrNull(answeredAt),
      failingSince: toIsoOrNull(failingSince),
    })),
  }
}
