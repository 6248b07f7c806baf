import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { checkBitcoinPayment } from '../../../src/chain/bitcoin/proof.ts'
import { ChainError } from '../../../src/chain/chainError.ts'
import { checkNativePayment, checkTokenPayment } from '../../../src/chain/ethereum/proof.ts'
import { CONFIRMATIONS_NEEDED, type ProvedNetwork } from '../../../src/contract/money/payments.ts'
import { buildQuery, type RowQuery } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { WHOLE_PROOF } from '../payments/wholeProof.ts'
import { findTokenContract, getBitcoinConfiguration } from '../servers/configuration.ts'

/** A payment with its stored proof, and the facts that the proof must show. */
export interface StoredProof {
  readonly seq: number
  readonly id: string
  readonly network: ProvedNetwork
  readonly reference: string
  readonly address: string
  readonly script: string
  readonly quantity: string
  readonly block_hash: string
  readonly proof: string
}

/** The next final and credited payments after a number, in order. */
export function readStoredProofs(after: number, limit: number): RowQuery<StoredProof> {
  return buildQuery(sql`
    SELECT p.seq, p.id, p.network, p.reference, p.address, a.script, p.quantity, p.block_hash, ${WHOLE_PROOF} AS proof
    FROM payments p JOIN deposit_addresses a ON a.address = p.address
    WHERE p.seq > ${after} AND p.state IN ('final', 'credited') ORDER BY p.seq LIMIT ${limit}`)
}

/** Whether a stored proof still shows its payment: this output or log, this address, this quantity, in this block. */
export function isProofValid(env: Env, payment: StoredProof): boolean {
  try {
    const shown =
      payment.network === 'btc' ? checkBitcoinProof(env, payment) : checkEthereumProof(env, payment)
    return (
      shown.reference === payment.reference &&
      shown.quantity.toString() === payment.quantity &&
      shown.blockHash === payment.block_hash
    )
  } catch (error) {
    if (error instanceof ChainError || error instanceof SyntaxError) return false
    throw error
  }
}

const bitcoinProof = z.object({
  transaction: z.string(),
  output: z.number(),
  height: z.number(),
  header: z.string(),
  position: z.number(),
  path: z.array(z.string()),
  following: z.array(z.string()),
})

interface ShownPayment {
  readonly reference: string
  readonly quantity: bigint
  readonly blockHash: string
}

function checkBitcoinProof(env: Env, { script, proof }: StoredProof): ShownPayment {
  const network = getBitcoinConfiguration(env)?.network ?? 'mainnet'
  const { data: parsed } = bitcoinProof.safeParse(JSON.parse(proof))
  if (parsed === undefined)
    throw new ChainError('malformed', 'This is not the proof of a payment on Bitcoin.')
  const shown = checkBitcoinPayment(parsed, { script, network, minimumDifficulty: 0n })
  if (shown.confirmations < CONFIRMATIONS_NEEDED.bitcoin)
    throw new ChainError('too_few_confirmations', 'The proof has too few block headers.')
  return { reference: `${shown.txid}:${parsed.output}`, quantity: shown.value, blockHash: shown.blockHash }
}

function checkEthereumProof(env: Env, { network, address, proof }: StoredProof): ShownPayment {
  const parsed: unknown = JSON.parse(proof)
  if (network === 'eth') {
    const { transactionHash, quantity, blockHash } = checkNativePayment(parsed, { to: address })
    return { reference: transactionHash.slice(2), quantity, blockHash }
  }
  const shown = checkTokenPayment(parsed, { contract: findTokenContract(env, network) ?? '', to: address })
  const reference = `${(shown.transactionHash ?? '0x').slice(2)}:${shown.receiptLogIndex}`
  return { reference, quantity: shown.quantity, blockHash: shown.blockHash }
}
