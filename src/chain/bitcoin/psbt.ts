import { base64, hex } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js'
import { type Branch, type DerivedOutput, deriveOutput, toXOnly } from './derive.ts'
import { type BitcoinDescriptor, parseExtendedKey } from './descriptor.ts'
import { isOriginConsistent, type KeyOrigin } from './descriptorKey.ts'
import { getBitcoinNetwork } from './network.ts'

/** A partially signed transaction (BIP-174) in the two forms in which wallets read it from a file. */
export interface Psbt {
  base64: string
  hex: string
}

/** A coin of the wallet. */
export interface Coin {
  txid: string
  vout: number
  /** Satoshi. */
  value: bigint
  /** The address that received it. */
  branch: Branch
  index: number
  /** The transaction that created it, hex. Some hardware wallets want it for wpkh and wsh, to check the value. */
  rawTransaction?: string
}

export interface PayoutOutput {
  kind: 'payment' | 'change'
  address: string
  script: string
  /** Satoshi. */
  value: bigint
}

/** The inputs and outputs of a payout. */
export interface PayoutContents {
  descriptor: BitcoinDescriptor
  inputs: Coin[]
  /** The payments in the order given, then the change if there is any. */
  outputs: PayoutOutput[]
  changeIndex: number
}

/** Transactions may be replaced by ones with a higher fee (BIP-125). */
export const REPLACEABLE_SEQUENCE = 0xfffffffd
export const PAYOUT_VERSION = 2

/** Writes the unsigned transaction, with all that devices need to recognise their keys, the amounts and the change. */
export function buildUnsignedTransaction({
  descriptor,
  inputs,
  outputs,
  changeIndex,
}: PayoutContents): Transaction {
  const transaction = new Transaction({ version: PAYOUT_VERSION, lockTime: 0, allowUnknownOutputs: true })
  for (const coin of inputs) {
    const derived = deriveOutput(descriptor, coin.branch, coin.index)
    const previous =
      coin.rawTransaction === undefined || descriptor.kind === 'tr'
        ? {}
        : { nonWitnessUtxo: hex.decode(coin.rawTransaction) }
    transaction.addInput({
      txid: hex.decode(coin.txid),
      index: coin.vout,
      sequence: REPLACEABLE_SEQUENCE,
      witnessUtxo: { script: hex.decode(derived.script), amount: coin.value },
      ...previous,
      ...buildKeyFields(descriptor, derived),
    })
  }
  for (const { kind, script, value } of outputs) {
    const fields =
      kind === 'payment' ? {} : buildKeyFields(descriptor, deriveOutput(descriptor, 'change', changeIndex))
    transaction.addOutput({ script: hex.decode(script), amount: value, ...fields })
  }
  return transaction
}

export function encodePsbt(transaction: Transaction, descriptor: BitcoinDescriptor): Psbt {
  const psbt = RawPSBTV0.decode(transaction.toPSBT(0))
  if (descriptor.kind === 'wsh-sortedmulti') psbt.global.xpub = listExtendedKeys(descriptor)
  const bytes = RawPSBTV0.encode(psbt)
  return { base64: base64.encode(bytes), hex: hex.encode(bytes) }
}

/** PSBT_GLOBAL_XPUB of every cosigner. Hardware needs them to recognise the other keys of a multisignature wallet, and its change. */
function listExtendedKeys({ keys, network }: BitcoinDescriptor) {
  const version = getBitcoinNetwork(network).extendedKeyVersions.public
  return keys.flatMap((key): [ExtendedKey, ReturnType<typeof toPsbtOrigin>][] => {
    if (key.origin === null || !isOriginConsistent(key.origin, key.extendedKey)) return []
    const { depth, parentFingerprint, index, chainCode, publicKey } = parseExtendedKey(key, network)
    if (chainCode === null || publicKey === null) return []
    const extended = {
      ...{ version, depth, parentFingerprint, childNumber: index },
      chainCode: Uint8Array.from(chainCode),
      publicKey: Uint8Array.from(publicKey),
    }
    return [[extended, toPsbtOrigin(key.origin)]]
  })
}

interface ExtendedKey {
  version: number
  depth: number
  parentFingerprint: number
  childNumber: number
  chainCode: Uint8Array<ArrayBuffer>
  publicKey: Uint8Array<ArrayBuffer>
}

function toPsbtOrigin({ fingerprint, path }: KeyOrigin) {
  return { fingerprint: Number.parseInt(fingerprint, 16), path }
}

function buildKeyFields({ kind }: BitcoinDescriptor, { keys, witnessScript }: DerivedOutput) {
  const derivations = keys.map(({ publicKey, ...origin }) => ({ publicKey, der: toPsbtOrigin(origin) }))
  if (kind === 'tr') {
    return {
      tapInternalKey: hex.decode(toXOnly(keys[0]?.publicKey ?? '')),
      tapBip32Derivation: derivations.map(
        ({ publicKey, der }): [Uint8Array, { hashes: Uint8Array[]; der: typeof der }] => [
          hex.decode(toXOnly(publicKey)),
          { hashes: [], der },
        ],
      ),
    }
  }
  return {
    ...(witnessScript === null ? {} : { witnessScript: hex.decode(witnessScript) }),
    bip32Derivation: derivations.map(({ publicKey, der }): [Uint8Array, typeof der] => [
      hex.decode(publicKey),
      der,
    ]),
  }
}
