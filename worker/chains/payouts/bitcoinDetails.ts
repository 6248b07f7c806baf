import * as z from 'zod/mini'
import { parseDescriptor } from '../../../src/chain/bitcoin/descriptor.ts'
import type { BitcoinNetworkName } from '../../../src/chain/bitcoin/network.ts'
import type { UnsignedPayout } from '../../../src/chain/bitcoin/payout.ts'
import type { PayoutOutput } from '../../../src/chain/bitcoin/psbt.ts'
import { parseStored } from '../../lib/database.ts'
import { encodeStored, storedInteger } from './stored.ts'

/** The stored form of an unsigned Bitcoin transaction: `payout_transactions.details`. */
const storedDetails = z.object({
  inputs: z.array(
    z.object({
      txid: z.string(),
      vout: z.number(),
      value: storedInteger,
      branch: z.enum(['receive', 'change']),
      index: z.number(),
      rawTransaction: z.exactOptional(z.string()),
    }),
  ),
  outputs: z.array(
    z.object({
      kind: z.enum(['payment', 'change']),
      address: z.string(),
      script: z.string(),
      value: storedInteger,
    }),
  ),
  changeIndex: z.number(),
  fee: storedInteger,
  virtualSize: z.number(),
  /** It is known before the transaction is signed. Triggers read it. */
  txid: z.string(),
})

/** The built transaction as JSON. */
export function encodeBitcoinPayout(payout: UnsignedPayout): string {
  const { inputs, outputs, changeIndex, fee, virtualSize, txid } = payout
  return encodeStored({ inputs, outputs, changeIndex, fee, virtualSize, txid })
}

/** The built transaction again, decoded from its stored details. Its PSBT is stored beside them. */
export function decodeBitcoinPayout(
  stored: { readonly details: string; readonly unsigned: string },
  descriptor: string,
  network: BitcoinNetworkName,
): UnsignedPayout {
  return {
    ...parseStored(storedDetails, stored.details),
    descriptor: parseDescriptor(descriptor, network),
    psbt: { base64: stored.unsigned, hex: '' },
  }
}

/** What returns to the wallet; null without change. */
export function findChange({ outputs }: Pick<UnsignedPayout, 'outputs'>): PayoutOutput | null {
  return outputs.find(({ kind }) => kind === 'change') ?? null
}
