import { schnorr } from '@noble/curves/secp256k1.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { Transaction } from '@scure/btc-signer'
import type { Output, Tx } from './transactions.ts'

/**
 * Whether each input that spends a taproot output has a valid signature of its key (BIP 341, key path). bcoin 1.0.2 knows no
 * taproot: by the rules that it knows, anybody may spend such an output. A spend by a script is not supported and not valid here.
 *
 * @param spent the outputs that the inputs spend, in their order
 */
export function hasValidTaprootSpends(tx: Tx, spent: readonly (Output | undefined)[]): boolean {
  const scripts = spent.map((output) => hexToBytes(output?.script ?? ''))
  const amounts = spent.map((output) => BigInt(output?.satoshi ?? 0))
  const parsed = Transaction.fromRaw(hexToBytes(tx.hex), {
    allowUnknownInputs: true,
    allowUnknownOutputs: true,
  })
  return spent.every((output, index) => {
    const key = /^5120([0-9a-f]{64})$/.exec(output?.script ?? '')?.[1]
    if (key === undefined) return true
    const [signature = '', ...others] = tx.inputs[index]?.witness ?? []
    // A 65th byte names what is signed; without it, everything is.
    if (others.length > 0 || ![128, 130].includes(signature.length)) return false
    const hashType = Number.parseInt(signature.slice(128) || '0', 16)
    const hash = parsed.preimageWitnessV1(index, scripts, hashType, amounts)
    return schnorr.verify(hexToBytes(signature.slice(0, 128)), hash, hexToBytes(key))
  })
}
