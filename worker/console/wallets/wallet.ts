import { and, desc, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as contract from '../../../src/contract/console/wallets.ts'
import { describeChecksum } from '../../../src/contract/money/addresses.ts'
import { getCoinOfNetwork, NETWORKS } from '../../../src/contract/money/coins.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { matchEveryFilter } from '../../http/filters.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { createQueue } from '../../http/queue.ts'
import { addStep, parseSteps, selectHistory } from '../../http/steps.ts'
import { parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { proposals } from '../../lib/tables/operators.ts'
import { users } from '../../lib/tables/people.ts'
import {
  walletChallenges,
  walletProofs,
  wallets as walletTable,
  walletTotals,
} from '../../lib/tables/requests.ts'
import { buildPicturePath, isOffered } from '../../money/wallets/wallets.ts'
import { walletPayload } from '../proposals/payloads.ts'
import { readPendingPayloads } from '../proposals/proposal.ts'

/** A receiving wallet with its history. Amounts in cents. `waiting`, `deposits` and `credited` are null if there was never a payment to it. */
export type WalletFacts = RowOf<typeof readWallets>

/** Wallets `w` under a condition, newest first. `openMessage` is the newest message that awaits a signature. */
function readWallets(where: SQL, limit: number, nowMs: number) {
  const [w, p, t, v] = [
    alias(walletTable, 'w'),
    alias(proposals, 'p'),
    alias(walletTotals, 't'),
    alias(walletProofs, 'v'),
  ]
  const d = alias(users, 'd')
  const [x, o] = [alias(walletChallenges, 'x'), alias(walletChallenges, 'o')]
  return selectRows({
    ...getTableColumns(w),
    simulated: sql<0 | 1>`w.simulated`,
    reason: p.reason,
    steps: selectHistory(
      { step: 'proposed', at: sql`p.created_at`, by: sql`p.proposed_by` },
      { step: 'approved', at: sql`w.created_at`, by: sql`p.decided_by` },
      { step: 'retired', at: sql`w.retired_at`, by: sql`w.retired_by` },
    ),
    ...{ waiting: t.waiting, deposits: t.deposits, credited: t.credited },
    provedAt: v.provedAt,
    provedBy: v.provedBy,
    provedByName: d.displayName,
    provedMethod: v.method,
    provedMessage: x.message,
    provedSignature: v.signature,
    openMessage: o.message,
    openUntil: o.expiresAt,
  })
    .from(w)
    .innerJoin(p, eq(p.id, w.proposal))
    .leftJoin(t, and(eq(t.network, w.network), eq(t.address, w.address)))
    .leftJoin(v, sql`v.seq = (SELECT max(seq) FROM wallet_proofs WHERE wallet = w.id)`)
    .leftJoin(d, eq(d.id, v.provedBy))
    .leftJoin(x, eq(x.id, v.challenge))
    .leftJoin(
      o,
      sql`w.retired_at IS NULL AND o.id = (
        SELECT l.id FROM wallet_challenges l WHERE l.wallet = w.id ORDER BY l.created_at DESC LIMIT 1)
        AND o.expires_at > ${nowMs} AND NOT EXISTS (SELECT 1 FROM wallet_proofs WHERE challenge = o.id)`,
    )
    .where(where)
    .orderBy(sql`w.seq DESC`)
    .limit(limit)
}

export const walletQueue = createQueue(contract.listOperatorWallets, {
  read: async ({ db, nowMs, query }, after, rows) => {
    const { status } = query
    const filtered = matchEveryFilter(query, {
      at: sql`w.created_at`,
      amount: sql`coalesce(t.credited, 0)`,
      isOfCoin: (coin) => sql`w.coin = ${coin}`,
    })
    const where = sql`${filtered} AND
      ${status === 'active' ? sql`w.retired_at IS NULL` : status === 'retired' ? sql`w.retired_at IS NOT NULL` : sql`1`}
      AND ${after === null ? sql`1` : sql`w.seq < ${after.seq}`}`
    return (await readTogether(db, readWallets(where, rows, nowMs)))[0]
  },
  row: toWalletRow,
})

export async function loadWallet({ db, nowMs, params }: ActorCall): Promise<WalletFacts> {
  const [[wallet]] = await readTogether(db, readWallets(sql`w.id = ${params.id ?? ''}`, 1, nowMs))
  return wallet ?? refuse('not_found')
}

export function toWalletRow(wallet: WalletFacts): contract.OperatorWallet {
  return {
    _id: wallet.id,
    walletName: wallet.coin,
    network: wallet.network,
    address: wallet.address,
    image: buildPicturePath(wallet.id),
    active: wallet.retiredAt === null,
    simulated: wallet.simulated === 1,
    createdAt: toIso(wallet.createdAt),
    retiredAt: toIsoOrNull(wallet.retiredAt),
    checksum: describeChecksum(wallet.network, wallet.address),
    steps: parseSteps(wallet.steps),
    reason: wallet.reason,
    paid: {
      waiting: wallet.waiting ?? 0,
      deposits: wallet.deposits ?? 0,
      credited: toUsd(wallet.credited ?? 0),
    },
    proof: toWalletProof(wallet),
    challenge:
      wallet.openMessage === null || wallet.openUntil === null
        ? null
        : { message: wallet.openMessage, expiresAt: toIso(wallet.openUntil) },
  }
}

function toWalletProof(wallet: WalletFacts): contract.OperatorWallet['proof'] {
  const { provedAt, provedMethod, provedMessage, provedSignature } = wallet
  if (provedAt === null || wallet.provedBy === null) return null
  if (provedMethod === null || provedMessage === null || provedSignature === null) return null
  return {
    at: toIso(provedAt),
    by: { _id: wallet.provedBy, name: wallet.provedByName ?? '' },
    method: provedMethod,
    message: provedMessage,
    signature: provedSignature,
  }
}

/** Retires a receiving wallet: investors no longer see it. Payments to it can still be credited. */
export async function retireWallet(call: CallOf<typeof contract.retireWallet>, wallet: WalletFacts) {
  const { db, nowMs, actor } = call
  if (wallet.retiredAt !== null) refuse('already_decided', { msg: 'This wallet is already retired.' })
  const retired = { ...wallet, retiredAt: nowMs, steps: addStep(wallet.steps, 'retired', call) }
  return call.commit({
    statements: [
      db
        .update(walletTable)
        .set({ retiredAt: nowMs, retiredBy: actor.id })
        .where(eq(walletTable.id, wallet.id)),
    ],
    audit: [{ action: 'wallet.retired', subject: wallet.id }],
    answer: ok(toWalletRow({ ...retired, openMessage: null, openUntil: null })),
  })
}

/** For each network, the wallets that investors are asked to pay to, and the wallets that await a second operator, oldest first. */
export async function showPaymentWallets(call: CallOf<typeof contract.getWalletsStatus>) {
  const [active, waiting] = await readTogether(
    call.db,
    selectRows({
      network: walletTable.network,
      address: walletTable.address,
      isOffered: sql<0 | 1>`(${isOffered()})`,
    })
      .from(walletTable)
      .where(isNull(walletTable.retiredAt))
      .orderBy(desc(walletTable.seq)),
    readPendingPayloads('wallet').orderBy(sql`p.seq`),
  )
  return ok({
    networks: NETWORKS.map((network) => {
      const here = active.filter((wallet) => wallet.network === network)
      const offered = here.filter((wallet) => wallet.isOffered === 1)
      return {
        network,
        walletName: getCoinOfNetwork(network),
        offered: offered.length,
        address: offered[0]?.address ?? null,
        leftOver: here.length - offered.length,
      }
    }),
    proposals: waiting.map((proposal) => ({
      _id: proposal.id,
      ...parseStored(walletPayload, proposal.payload),
      createdAt: toIso(proposal.createdAt),
      proposedBy: { _id: proposal.proposedBy, name: proposal.proposedByName },
    })),
  })
}
