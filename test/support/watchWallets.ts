import { env } from 'cloudflare:workers'
import { HDKey } from '@scure/bip32'
import { eq } from 'drizzle-orm'
import type { Chain } from '../../src/contract/money/payments.ts'
import type { Wallet } from '../../src/contract/money/wallets.ts'
import { generateToken, newId } from '../../worker/lib/crypto/tokens.ts'
import { openDatabase, runBatch } from '../../worker/lib/database.ts'
import type { Env } from '../../worker/lib/env.ts'
import { proposals } from '../../worker/lib/tables/operators.ts'
import { unknownReceipts, watchChallenges, watchWallets } from '../../worker/lib/tables/payments.ts'
import { callWith } from './app.ts'
import type { AnyBody, CallOptions, Reply } from './http.ts'
import { newInvestor, newOperator } from './people.ts'
import { decideProposal } from './proposals.ts'
import { accountSignerOf, type Signer, segwitSignerOf } from './signers.ts'

/** New keys of a test wallet, with its public descriptors and who signs for them. Nobody uses them for money. */
export interface WatchKeys {
  readonly descriptor: string
  /** The key expression of a Bitcoin wallet. */
  readonly expression: string
  readonly account: string
  readonly bitcoin: Signer
  readonly ethereum: Signer
  /** Private keys, which every field must refuse. */
  readonly secret: string
}

export function newKeys(): WatchKeys {
  const root = HDKey.fromMasterSeed(crypto.getRandomValues(new Uint8Array(32)))
  const fingerprint = root.fingerprint.toString(16).padStart(8, '0')
  const bitcoin = root.derive("m/84'/0'/0'")
  const ethereum = root.derive("m/44'/60'/0'")
  const expression = `[${fingerprint}/84h/0h/0h]${bitcoin.publicExtendedKey}/<0;1>/*`
  return {
    expression,
    descriptor: `wpkh(${expression})`,
    account: `[${fingerprint}/44h/60h/0h]${ethereum.publicExtendedKey}`,
    bitcoin: segwitSignerOf(secretOf(bitcoin.deriveChild(0).deriveChild(0))),
    ethereum: accountSignerOf(secretOf(ethereum.deriveChild(0).deriveChild(0))),
    secret: bitcoin.privateExtendedKey,
  }
}

function secretOf({ privateKey }: HDKey): Uint8Array {
  if (privateKey === null) throw new Error('A key of a test has its private half.')
  return privateKey
}

/** An active watch-only wallet that two administrators decided, with new keys. Retires an earlier one of the chain. */
export async function newWatchWallet(
  chain: Chain,
  keys: Pick<WatchKeys, 'descriptor' | 'account'> = newKeys(),
): Promise<string> {
  const [first, second] = await Promise.all([newOperator(), newOperator()])
  const db = openDatabase(env.DB)
  const [id, proposal, message, nowMs] = [newId(), newId(), generateToken(), Date.now()]
  const descriptor = chain === 'bitcoin' ? keys.descriptor : keys.account
  await retireWatchWallet(chain)
  await runBatch(db, [
    db.insert(watchChallenges).values({
      id,
      chain,
      descriptor,
      message,
      issuedTo: first.id,
      createdAt: nowMs,
      expiresAt: nowMs + 1_000,
    }),
    db.insert(proposals).values({
      id: proposal,
      kind: 'watch_wallet',
      createdAt: nowMs,
      proposedBy: first.id,
      reason: 'A test',
      payload: JSON.stringify({
        ...{ chain, descriptor, message },
        signatures: Array.from(descriptor.matchAll(/[xt]pub/g), () => 'signed'),
      }),
    }),
    decideProposal(db, proposal, second.id, nowMs),
    db.insert(watchWallets).values({ id, chain, descriptor, proposal, createdAt: nowMs }),
  ])
  return id
}

/** Two administrators name the holder of each key of a watch-only wallet, in the order of its keys; null: nobody. */
export async function assignKeys(wallet: string, holders: readonly (string | null)[]): Promise<void> {
  const [first, second] = await Promise.all([newOperator(), newOperator()])
  const db = openDatabase(env.DB)
  const [proposal, nowMs] = [newId(), Date.now()]
  const keys = holders.map((holder, place) => ({ keyName: `key${place}`, holder }))
  await runBatch(db, [
    db.insert(proposals).values({
      id: proposal,
      kind: 'key_holders',
      createdAt: nowMs,
      proposedBy: first.id,
      reason: 'A test',
      payload: JSON.stringify({ wallet, chain: 'bitcoin', keys }),
    }),
    decideProposal(db, proposal, second.id, nowMs),
  ])
}

/** Retires the active wallet of a chain by two administrators, so that the chain is no longer proved. */
export async function retireWatchWallet(chain: Chain): Promise<void> {
  const db = openDatabase(env.DB)
  const wallet = await env.DB.prepare('SELECT id FROM watch_wallets WHERE chain = ? AND retired_at IS NULL')
    .bind(chain)
    .first<{ id: string }>()
  if (wallet === null) return
  const [first, second] = await Promise.all([newOperator(), newOperator()])
  const [proposal, nowMs] = [newId(), Date.now()]
  await runBatch(db, [
    db.insert(proposals).values({
      id: proposal,
      kind: 'watch_wallet_retirement',
      createdAt: nowMs,
      proposedBy: first.id,
      reason: 'A test',
      payload: JSON.stringify({ wallet: wallet.id }),
    }),
    decideProposal(db, proposal, second.id, nowMs),
    db
      .update(watchWallets)
      .set({ retiredAt: nowMs, retirement: proposal })
      .where(eq(watchWallets.id, wallet.id)),
  ])
}

/** The servers of both chains. Nothing answers there. */
export const WITH_SERVERS: Partial<Env> = {
  BITCOIN_SERVERS: 'http://127.0.0.1:9 http://127.0.0.2:9',
  ETHEREUM_SERVERS: 'http://127.0.0.1:9 http://127.0.0.2:9',
}

/** As `call`, to a Worker whose chains have servers. */
export function callObserved<T = AnyBody>(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Reply<T>> {
  return callWith<T>(WITH_SERVERS, method, path, options)
}

/** An unknown token or ether that arrived at an investor's own address on Ethereum, whose wallet is watched. Returns the receipt's id. */
export async function newReceipt(
  arrived: Partial<typeof unknownReceipts.$inferInsert> = {},
): Promise<string> {
  const { id: investor, token } = await newInvestor()
  const { body } = await callObserved<Wallet[]>('GET', '/admin-wallets', { token })
  const address = body.find(({ network }) => network === 'eth')?.address ?? ''
  const id = newId()
  await runBatch(openDatabase(env.DB), [
    openDatabase(env.DB)
      .insert(unknownReceipts)
      .values({
        id,
        chain: 'ethereum',
        reference: `${generateToken()}:0`,
        address,
        investor,
        kind: 'token',
        contract: `0x${'fa'.repeat(20)}`,
        quantity: '25000000',
        height: 7,
        seenAt: Date.now(),
        ...arrived,
      }),
  ])
  return id
}
