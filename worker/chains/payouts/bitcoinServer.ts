import * as z from 'zod/mini'
import { type CallBudget, fetchFromServer, parseJson, ServerFault } from '../servers/server.ts'

/** What payouts ask an Esplora server (https://github.com/Blockstream/esplora/blob/master/API.md). Each method is one call. */
export interface PayoutEsplora {
  readonly server: string
  /** Whether an output is spent, also by a transaction that is in no block yet. Null if the server does not know its transaction. */
  isSpent(txid: string, output: number): Promise<boolean | null>
  /** Fees in satoshi per virtual byte, by the number of blocks until the transaction is mined. */
  feeEstimates(): Promise<Readonly<Record<string, number>>>
  /** Whether the server knows a transaction, and whether it is in a block. Null if it does not. */
  statusOf(txid: string): Promise<{ readonly isConfirmed: boolean } | null>
  /** The block of a transaction and its path to the Merkle root; null if it is in no block. */
  merkleProof(txid: string): Promise<BlockPath | null>
  /** Sends a signed transaction (hex). Throws a `ServerFault` if the server does not take it. */
  broadcast(raw: string): Promise<void>
}

export interface BlockPath {
  readonly block_height: number
  readonly pos: number
  readonly merkle: readonly string[]
}

const HASH = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const whole = z.number().check(z.int(), z.minimum(0))
const outspends = z.array(z.object({ spent: z.boolean() }))
const estimates = z.record(z.string(), z.number())
const status = z.object({ txid: HASH, status: z.object({ confirmed: z.boolean() }) })
const path = z.object({ block_height: whole, pos: whole, merkle: z.array(HASH) })

/** A standard transaction has some 3,000 outputs at most, and each takes up to 300 characters. */
const MAX_BYTES = 1024 * 1024

export function createPayoutEsplora(server: string, budget: CallBudget): PayoutEsplora {
  async function fetchJson<T>(where: string, schema: z.ZodMiniType<T>): Promise<T | null> {
    const bytes = await fetchFromServer(`${server}${where}`, { budget, maxBytes: MAX_BYTES })
    if (bytes === null) return null
    const parsed = schema.safeParse(parseJson(bytes))
    if (!parsed.success) throw new ServerFault('answers in another form than Esplora')
    return parsed.data
  }
  return {
    server,
    // Not /tx/:txid/outspend/:output, which calls an output of an unknown transaction unspent.
    isSpent: async (txid, output) => {
      const outputs = await fetchJson(`/tx/${txid}/outspends`, outspends)
      return outputs?.[output]?.spent ?? null
    },
    feeEstimates: async () => (await fetchJson('/fee-estimates', estimates)) ?? {},
    // Not /tx/:txid/status, which answers for unknown transactions too.
    statusOf: async (txid) => {
      const found = await fetchJson(`/tx/${txid}`, status)
      return found === null ? null : { isConfirmed: found.status.confirmed }
    },
    merkleProof: (txid) => fetchJson(`/tx/${txid}/merkle-proof`, path),
    broadcast: async (raw) => {
      const answer = await fetchFromServer(`${server}/tx`, {
        budget,
        maxBytes: 1_000,
        method: 'POST',
        body: raw,
      })
      if (answer === null) throw new ServerFault('takes no transactions')
    },
  }
}
