import { type SQL, sql } from 'drizzle-orm'
import type { OperatorWallet, ProofMethod } from '../../../src/contract/console/wallets.ts'
import { addressChecksum } from '../../../src/contract/money/addresses.ts'
import type { Coin, Network } from '../../../src/contract/money/coins.ts'
import { usdOf } from '../../../src/contract/money.ts'
import type { ActorCall } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { picturePath } from '../../money/wallets/wallets.ts'

/** A receiving wallet with its history: who did what and when. Amounts in cents. */
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
  /** What was paid to it; null where nobody ever did. */
  readonly waiting: number | null
  readonly deposits: number | null
  readonly credited: number | null
  /** Its newest proof. */
  readonly provedAt: number | null
  readonly provedBy: string | null
  readonly provedByName: string | null
  readonly provedMethod: ProofMethod | null
  readonly provedMessage: string | null
  readonly provedSignature: string | null
  /** The newest message that waits to be signed. */
  readonly openMessage: string | null
  readonly openUntil: number | null
}

/** Wallets `w`, newest first, that meet a condition. */
export function readWallets(where: SQL, limit: number, nowMs: number): Read<WalletFacts> {
  return reading(sql`
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

/** The wallet that `:id` names. */
export async function loadWallet(call: ActorCall): Promise<WalletFacts> {
  const [[wallet]] = await readTogether(
    call.db,
    readWallets(sql`w.id = ${call.params.id ?? ''}`, 1, call.nowMs),
  )
  return wallet ?? refuse('not_found')
}

export function walletRow(wallet: WalletFacts): OperatorWallet {
  return {
    _id: wallet.id,
    walletName: wallet.coin,
    network: wallet.network,
    address: wallet.address,
    image: picturePath(wallet.id),
    active: wallet.retiredAt === null,
    simulated: wallet.simulated === 1,
    createdAt: iso(wallet.createdAt),
    retiredAt: wallet.retiredAt === null ? null : iso(wallet.retiredAt),
    checksum: addressChecksum(wallet.network, wallet.address),
    proposedBy: { _id: wallet.proposedBy, name: wallet.proposedByName },
    proposedAt: iso(wallet.proposedAt),
    reason: wallet.reason,
    approvedBy: colleague(wallet.approvedBy, wallet.approvedByName),
    retiredBy: colleague(wallet.retiredBy, wallet.retiredByName),
    paid: {
      waiting: wallet.waiting ?? 0,
      deposits: wallet.deposits ?? 0,
      credited: usdOf(wallet.credited ?? 0),
    },
    proof: proofOf(wallet),
    challenge:
      wallet.openMessage === null || wallet.openUntil === null
        ? null
        : { message: wallet.openMessage, expiresAt: iso(wallet.openUntil) },
  }
}

function proofOf(wallet: WalletFacts): OperatorWallet['proof'] {
  const { provedAt, provedMethod, provedMessage, provedSignature } = wallet
  const by = colleague(wallet.provedBy, wallet.provedByName)
  if (provedAt === null || by === null) return null
  if (provedMethod === null || provedMessage === null || provedSignature === null) return null
  return {
    at: iso(provedAt),
    by,
    method: provedMethod,
    message: provedMessage,
    signature: provedSignature,
  }
}

function colleague(id: string | null, name: string | null): { _id: string; name: string } | null {
  return id === null ? null : { _id: id, name: name ?? '' }
}
