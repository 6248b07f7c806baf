import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { checkBitcoinPayment } from '../../../src/chain/bitcoin/proof.ts'
import { ChainError } from '../../../src/chain/chainError.ts'
import { checkNativePayment, checkTokenPayment } from '../../../src/chain/ethereum/proof.ts'
import { CONFIRMATIONS_NEEDED } from '../../../src/contract/money/payments.ts'
import { type RowOf, selectRows } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { depositAddresses, payments } from '../../lib/tables/payments.ts'
import { WHOLE_PROOF } from '../payments/wholeProof.ts'
import { findTokenContract, getBitcoinConfiguration } from '../servers/configuration.ts'

const p = alias(payments, 'p')

/** The next final and credited payments after a number, in order, with their proofs and the facts that these must show. */
export function readStoredProofs(after: number, limit: number) {
  const { seq, id, network, reference, address, quantity, blockHash } = p
  const { script } = depositAddresses
  return selectRows({ seq, id, network, reference, address, script, quantity, blockHash, proof: WHOLE_PROOF })
    .from(p)
    .innerJoin(depositAddresses, eq(depositAddresses.address, address))
    .where(sql`p.seq > ${after} AND p.state IN ('final', 'credited')`)
    .orderBy(seq)
    .limit(limit)
}

type StoredProof = RowOf<typeof readStoredProofs>

/** Whether a stored proof still shows its payment: this output or log, this address, this quantity, in this block. */
export function isProofValid(env: Env, payment: StoredProof): boolean {
  try {
    const shown =
      payment.network === 'btc' ? checkBitcoinProof(env, payment) : checkEthereumProof(env, payment)
    return (
      shown.reference === payment.reference &&
      shown.quantity.toString() === payment.quantity &&
      shown.blockHash === payment.blockHash
    )
  } catch (error) {
    if (error instanceof ChainError || error instanceof SyntaxError) return false
    throw error
  }
}

/** A Bitcoin payment's proof as it is stored: that of its transaction, and its own `output` and `following`. */
export const bitcoinProof = z.object({
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
