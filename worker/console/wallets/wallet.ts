import { eq, type SQL, sql } from 'drizzle-orm'
import * as contract from '../../../src/contract/console/wallets.ts'
import { describeChecksum } from '../../../src/contract/money/addresses.ts'
import { type Coin, getCoinOfNetwork, NETWORKS, type Network } from '../../../src/contract/money/coins.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { type ActorCall, createItemRoute, createRoute, ok } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { createQueue } from '../../http/queue.ts'
import { buildQuery, type RowQuery, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { wallets as walletTable } from '../../lib/tables/requests.ts'
import { buildPicturePath, isOffered } from '../../money/wallets/wallets.ts'
import { type ProposalFacts, parseWalletPayload } from '../proposals/proposal.ts'

/** A receiving wallet with its history. Amounts in cents. */
export interface WalletFacts {
  readonly seq: number
  readonly id: string
  readonly coin: Coin
  readonly network: Network
  readonly address: string
  readonly simulated: 0 | 1
  readonly createdAt: number
  readonly proposedBy: string
  readonly proposedByName: string
  readonly proposedAt: number
  readonly reason: string | null
  readonly approvedBy: string | null
  readonly approvedByName: string | null
  readonly retiredAt: number | null
  readonly retiredBy: string | null
  readonly retiredByName: string | null
  /** Payments to it; null if there was never any. */
  readonly waiting: number | null
  readonly deposits: number | null
  readonly credited: number | null
  readonly provedAt: number | null
  readonly provedBy: string | null
  readonly provedByName: string | null
  readonly provedMethod: contract.ProofMethod | null
  readonly provedMessage: string | null
  readonly provedSignature: string | null
  /** The newest message that awaits a signature. */
  readonly openMessage: string | null
  readonly openUntil: number | null
}

/** Wallets `w` under a condition, newest first. */
function readWallets(where: SQL, limit: number, nowMs: number): RowQuery<WalletFacts> {
  return buildQuery(sql`
    SELECT w.seq, w.id, w.coin, w.network, w.address, w.simulated, w.created_at AS createdAt,
           p.proposed_by AS proposedBy, a.display_name AS proposedByName, p.created_at AS proposedAt, p.reason,
           p.decided_by AS approvedBy, b.display_name AS approvedByName, w.retired_at AS retiredAt,
           w.retired_by AS retiredBy, c.display_name AS retiredByName, t.waiting, t.deposits, t.credited,
           v.proved_at AS provedAt, v.proved_by AS provedBy, d.display_name AS provedByName,
           v.method AS provedMethod, x.message AS provedMessage, v.signature AS provedSignature,
           o.message AS openMessage, o.expires_at AS openUntil
    FROM wallets w JOIN proposals p ON p.id = w.proposal JOIN users a ON a.id = p.proposed_by
    LEFT JOIN users b ON b.id = p.decided_by LEFT JOIN users c ON c.id = w.retired_by
    LEFT JOIN wallet_totals t ON t.network = w.network AND t.address = w.address
    LEFT JOIN wallet_proofs v ON v.seq = (SELECT max(seq) FROM wallet_proofs WHERE wallet = w.id)
    LEFT JOIN users d ON d.id = v.proved_by LEFT JOIN wallet_challenges x ON x.id = v.challenge
    LEFT JOIN wallet_challenges o ON w.retired_at IS NULL AND o.id = (
      SELECT l.id FROM wallet_challenges l WHERE l.wallet = w.id ORDER BY l.created_at DESC LIMIT 1)
      AND o.expires_at > ${nowMs} AND NOT EXISTS (SELECT 1 FROM wallet_proofs WHERE challenge = o.id)
    WHERE ${where} ORDER BY w.seq DESC LIMIT ${limit}`)
}

export const wallets = createQueue(contract.listOperatorWallets, {
  read: async ({ db, nowMs, query: { status } }, after, rows) => {
    const where = sql`
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
    proposedBy: { _id: wallet.proposedBy, name: wallet.proposedByName },
    proposedAt: toIso(wallet.proposedAt),
    reason: wallet.reason,
    approvedBy: toPerson(wallet.approvedBy, wallet.approvedByName),
    retiredBy: toPerson(wallet.retiredBy, wallet.retiredByName),
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
  const by = toPerson(wallet.provedBy, wallet.provedByName)
  if (provedAt === null || by === null) return null
  if (provedMethod === null || provedMessage === null || provedSignature === null) return null
  return {
    at: toIso(provedAt),
    by,
    method: provedMethod,
    message: provedMessage,
    signature: provedSignature,
  }
}

function toPerson(id: string | null, name: string | null): { _id: string; name: string } | null {
  return id === null ? null : { _id: id, name: name ?? '' }
}

/** Retires a receiving wallet: investors no longer see it. Payments to it can still be credited. */
export const retireWallet = createItemRoute(contract.retireWallet, loadWallet, async (call, wallet) => {
  const { db, nowMs, actor } = call
  if (wallet.retiredAt !== null) refuse('already_decided', { msg: 'This wallet is already retired.' })
  const retired = { ...wallet, retiredAt: nowMs, retiredBy: actor.id, retiredByName: actor.displayName }
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
})

type Active = { readonly network: Network; readonly address: string; readonly isOffered: 0 | 1 }
type WaitingProposal = Pick<ProposalFacts, 'id' | 'payload' | 'createdAt' | 'proposedBy' | 'proposedByName'>

/** For each network, the wallets that investors are asked to pay to, and the wallets that await a second operator, oldest first. */
export const showPaymentWallets = createRoute(contract.getWalletsStatus, async (call) => {
  const [active, waiting] = await readTogether(
    call.db,
    buildQuery<Active>(sql`
      SELECT network, address, (${isOffered()}) AS isOffered
      FROM wallets WHERE retired_at IS NULL ORDER BY seq DESC`),
    buildQuery<WaitingProposal>(sql`
      SELECT p.id, p.payload, p.created_at AS createdAt, p.proposed_by AS proposedBy,
             u.display_name AS proposedByName
      FROM proposals p JOIN users u ON u.id = p.proposed_by
      WHERE p.status = 'pending' AND p.kind = 'wallet' ORDER BY p.seq`),
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
      ...parseWalletPayload(proposal),
      createdAt: toIso(proposal.createdAt),
      proposedBy: { _id: proposal.proposedBy, name: proposal.proposedByName },
    })),
  })
})
