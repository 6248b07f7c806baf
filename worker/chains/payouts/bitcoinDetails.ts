import { parseDescriptor } from '../../../src/chain/bitcoin/descriptor.ts'
import type { BitcoinNetworkName } from '../../../src/chain/bitcoin/network.ts'
import type { UnsignedPayout } from '../../../src/chain/bitcoin/payout.ts'
import type { Coin, PayoutOutput } from '../../../src/chain/bitcoin/psbt.ts'

/** The stored form of an unsigned Bitcoin transaction: `payout_transactions.details`. JSON has no `bigint`, so values are decimals. */
interface StoredDetails {
  readonly inputs: readonly (Omit<Coin, 'value'> & { readonly value: string })[]
  readonly outputs: readonly (Omit<PayoutOutput, 'value'> & { readonly value: string })[]
  readonly changeIndex: number
  readonly fee: string
  readonly virtualSize: number
  /** It is known before the transaction is signed. Triggers read it. */
  readonly txid: string
}

/** The built transaction as JSON. */
export function encodeBitcoinPayout(payout: UnsignedPayout): string {
  const { inputs, outputs, changeIndex, fee, virtualSize, txid } = payout
  const details: StoredDetails = {
    inputs: inputs.map((coin) => ({ ...coin, value: coin.value.toString() })),
    outputs: outputs.map((output) => ({ ...output, value: output.value.toString() })),
    changeIndex,
    fee: fee.toString(),
    virtualSize,
    txid,
  }
  return JSON.stringify(details)
}

/** The built transaction again, decoded from its stored details. Its PSBT is stored beside them. */
export function decodeBitcoinPayout(
  stored: { readonly details: string; readonly unsigned: string },
  descriptor: string,
  network: BitcoinNetworkName,
): UnsignedPayout {
  // Written by `encodeBitcoinPayout`.
  const details = JSON.parse(stored.details) as StoredDetails
  const inputs = details.inputs.map((coin) => ({ ...coin, value: BigInt(coin.value) }))
  const outputs = details.outputs.map((output) => ({ ...output, value: BigInt(output.value) }))
  return {
    descriptor: parseDescriptor(descriptor, network),
    inputs,
    outputs,
    changeIndex: details.changeIndex,
    txid: details.txid,
    fee: BigInt(details.fee),
    virtualSize: details.virtualSize,
    psbt: { base64: stored.unsigned, hex: '' },
  }
}

/** What returns to the wallet; null without change. */
export function findChange({ outputs }: Pick<UnsignedPayout, 'outputs'>): PayoutOutput | null {
  return outputs.find(({ kind }) => kind === 'change') ?? null
}
