import { and, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type * as walletChanges from '../../../src/contract/console/wallets.ts'
import { findAddressProblem } from '../../../src/contract/money/addresses.ts'
import { COIN_SYMBOLS, NETWORK_LABELS } from '../../../src/contract/money/coins.ts'
import { DAY_MS } from '../../../src/time.ts'
import { findProofMethod } from '../../chains/ownership/proofMethod.ts'
import { type CallOf, created, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { generateToken, newId } from '../../lib/crypto/tokens.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { walletChallenges, walletProofs } from '../../lib/tables/requests.ts'
import { toWalletRow, type WalletFacts } from './wallet.ts'

/**
 * Attaches a signature that proves control of the wallet's key. It must sign a message issued for this wallet within the last
 * week. Each message is used once.
 */
export async function proveWallet(call: CallOf<typeof walletChanges.proveWallet>, wallet: WalletFacts) {
  const { db, nowMs, actor } = call
  const { message, signature } = call.body
  assertProvable(wallet)
  const c = alias(walletChallenges, 'c')
  const [issued] = await db
    .select({
      id: c.id,
      expiresAt: c.expiresAt,
      isUsed: sql<0 | 1>`EXISTS (SELECT 1 FROM wallet_proofs WHERE challenge = c.id)`,
    })
    .from(c)
    .where(and(eq(c.wallet, wallet.id), eq(c.message, message)))
  if (issued === undefined)
    refuseField('message', 'This message was not issued for this wallet. Please request one')
  if (issued.isUsed) refuse('already_decided', { msg: 'This message was already signed.' })
  if (issued.expiresAt < nowMs)
    refuseField('message', 'This message is older than a week. Please request a new one')
  const method = findProofMethod({ ...wallet, message, signature })
  if (method === null) refuseField('signature', 'This signature does not match the message and the address')
  return call.commit({
    statements: [
      db.insert(walletProofs).values({
        wallet: wallet.id,
        challenge: issued.id,
        method,
        signature,
        provedBy: actor.id,
        provedAt: nowMs,
      }),
    ],
    audit: [{ action: 'wallet.proved', subject: wallet.id, detail: { method } }],
    answer: ok(
      toWalletRow({
        ...wallet,
        provedAt: nowMs,
        provedBy: actor.id,
        provedByName: actor.displayName,
        provedMethod: method,
        provedMessage: message,
        provedSignature: signature,
        ...(wallet.openMessage === message && { openMessage: null, openUntil: null }),
      }),
    ),
  })
}

/** Long enough to fetch a hardware wallet from a safe. */
const LASTS_MS = 7 * DAY_MS

/** Issues a message for the wallet's key to sign. Refuses a retired wallet and an address without a signing key. */
export async function challengeWallet(
  call: CallOf<typeof walletChanges.challengeWallet>,
  wallet: WalletFacts,
) {
  assertProvable(wallet)
  const { db, nowMs, actor, env } = call
  const message = buildProofMessage(wallet, new URL(env.PUBLIC_ORIGIN).host, nowMs)
  const expiresAt = nowMs + LASTS_MS
  await call.commit({
    statements: [
      db.insert(walletChallenges).values({
        id: newId(),
        wallet: wallet.id,
        message,
        issuedTo: actor.id,
        createdAt: nowMs,
        expiresAt,
      }),
    ],
    audit: [{ action: 'wallet.challenged', subject: wallet.id }],
  })
  return created({ message, expiresAt: toIso(expiresAt) })
}

/** Refuses a retired wallet and an address without a signing key. */
function assertProvable({ retiredAt, network, address }: WalletFacts): void {
  if (retiredAt !== null) refuse('conflict', { msg: 'This wallet is retired, so it needs no proof.' })
  const problem = findAddressProblem(network, address)
  if (problem !== null) refuse('conflict', { msg: `Nobody can sign for this address. ${problem}.` })
}

/**
 * One line of ASCII, because devices show only that and some change line endings. It names everything that the signature is
 * for, so that it cannot pass for a signature for another purpose, platform or day.
 */
function buildProofMessage({ coin, network, address }: WalletFacts, host: string, nowMs: number): string {
  return `${host} receives ${COIN_SYMBOLS[coin]} on ${NETWORK_LABELS[network]} at ${address}. Signed to show that we hold its key, and for nothing else. Issued ${toIso(nowMs)}, number ${generateToken(12)}`
}
