import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { Address, OutScript, RawTx } from '@scure/btc-signer'
import { RawOldTx } from '@scure/btc-signer/script.js'

/** The parameters of bitcoin's regtest network. */
export const REGTEST = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }

export interface Output {
  readonly script: string
  readonly satoshi: number
}

export interface Input {
  readonly txid: string
  readonly vout: number
  readonly scriptSig: string
  readonly sequence: number
  readonly witness: readonly string[]
}

/** A decoded transaction. All bytes are lowercase hex, hashes in the order in which they are displayed. */
export interface Tx {
  readonly txid: string
  readonly hex: string
  readonly version: number
  readonly lockTime: number
  readonly inputs: readonly Input[]
  readonly outputs: readonly Output[]
  readonly isCoinbase: boolean
  readonly size: number
  readonly weight: number
}

const NO_TXID = '0'.repeat(64)

/** Throws if the bytes are not one whole transaction. */
export function decodeTx(raw: Uint8Array): Tx {
  const decoded = RawTx.decode(raw)
  const base = RawOldTx.encode(decoded)
  const inputs = decoded.inputs.map((input, index) => ({
    txid: bytesToHex(input.txid),
    vout: input.index,
    scriptSig: bytesToHex(input.finalScriptSig),
    sequence: input.sequence,
    witness: (decoded.witnesses?.[index] ?? []).map((item) => bytesToHex(item)),
  }))
  return {
    txid: doubleSha(base),
    hex: bytesToHex(raw),
    version: decoded.version,
    lockTime: decoded.lockTime,
    inputs,
    outputs: decoded.outputs.map(({ amount, script }) => ({
      script: bytesToHex(script),
      satoshi: Number(amount),
    })),
    isCoinbase: inputs[0]?.txid === NO_TXID,
    size: raw.length,
    weight: base.length * 3 + raw.length,
  }
}

/** The hash of transactions and block headers, as displayed. */
export const doubleSha = (bytes: Uint8Array) => displayed(sha256(sha256(bytes)))

/** Bitcoin displays hashes with their bytes reversed. */
const displayed = (hash: Uint8Array) => bytesToHex(hash.toReversed())

/** The output script of a regtest address. Throws if it is none. */
export function scriptOf(address: string): string {
  try {
    return bytesToHex(OutScript.encode(Address(REGTEST).decode(address)))
  } catch {
    throw new Error(`This is no address on regtest: ${address}`)
  }
}

/** The address of an output script, or undefined if it has none. */
export function addressOf(script: string): string | undefined {
  try {
    const parts = OutScript.decode(hexToBytes(script))
    return parts.type === 'pkh' ||
      parts.type === 'sh' ||
      parts.type === 'wpkh' ||
      parts.type === 'wsh' ||
      parts.type === 'tr'
      ? Address(REGTEST).encode(parts)
      : undefined
  } catch {
    return undefined
  }
}

/** Electrum's and Esplora's key of an output script: its SHA-256, displayed reversed. */
export const scriptHashOf = (script: string) => displayed(sha256(hexToBytes(script)))
