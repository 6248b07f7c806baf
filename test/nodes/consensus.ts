import Module from 'node:module'
import { schnorr } from '@noble/curves/secp256k1.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { Transaction } from '@scure/btc-signer'
import { requireTestPackage } from '../packages/packages.ts'
import type { ScriptCheck } from '../simulator/chains/bitcoin.ts'

/** The parts of bcoin 1.0.2 in use. */
interface Bcoin {
  readonly Block: {
    fromRaw(bytes: Buffer): {
      rhash(): string
      verify(): boolean
      readonly txs: readonly { txid(): string }[]
    }
  }
  readonly CoinView: new () => { addOutput(prevout: unknown, output: unknown): void }
  readonly Output: { fromOptions(options: { value: number; script: unknown }): unknown }
  readonly Script: { fromRaw(hex: string, encoding: 'hex'): unknown; readonly flags: Record<string, number> }
  readonly TX: {
    fromRaw(
      hex: string,
      encoding: 'hex',
    ): { readonly inputs: readonly { prevout: unknown }[]; verify(view: unknown, flags: number): boolean }
  }
}

/** Loads bcoin without native modules, which are not compiled here. */
function loadBcoin(): Bcoin {
  process.env.NODE_BACKEND = 'js'
  // Its database loads LevelDB even if none is opened.
  const path = requireTestPackage.resolve('leveldown')
  const unused = new Module(path)
  unused.loaded = true
  requireTestPackage.cache[path] = unused
  return requireTestPackage('bcoin') as Bcoin
}

let loaded: Bcoin | null = null
const bcoin = (): Bcoin => (loaded ??= loadBcoin())

/** Checks a block's work, Merkle root and transactions by bcoin's rules. Returns its hash and the ids of its transactions. */
export function checkBlock(raw: Uint8Array): { readonly hash: string; readonly txids: readonly string[] } {
  const block = bcoin().Block.fromRaw(Buffer.from(raw))
  if (!block.verify()) throw new Error(`bcoin refuses the block ${block.rhash()}.`)
  return { hash: block.rhash(), txids: block.txs.map((transaction) => transaction.txid()) }
}

/** Runs the scripts with bcoin, and checks signatures of taproot, which bcoin does not know. */
export const allowsScripts: ScriptCheck = (raw, spends) => {
  const { CoinView, Output, Script, TX } = bcoin()
  const transaction = TX.fromRaw(raw, 'hex')
  const view = new CoinView()
  for (const [at, { script, value }] of spends.entries())
    view.addOutput(
      transaction.inputs[at]?.prevout,
      Output.fromOptions({ value: Number(value), script: Script.fromRaw(script, 'hex') }),
    )
  const { STANDARD_VERIFY_FLAGS = 0, VERIFY_DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM = 0 } = Script.flags
  return (
    transaction.verify(view, STANDARD_VERIFY_FLAGS & ~VERIFY_DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM) &&
    hasTaprootSignatures(raw, spends)
  )
}

/** Whether each taproot output is spent with a signature of its key (BIP 341, key path). A spend by a script is not supported. */
const hasTaprootSignatures: ScriptCheck = (raw, spends) => {
  const transaction = Transaction.fromRaw(hexToBytes(raw), {
    allowUnknownInputs: true,
    allowUnknownOutputs: true,
  })
  const scripts = spends.map(({ script }) => hexToBytes(script))
  const amounts = spends.map(({ value }) => value)
  return spends.every(({ script }, at) => {
    const key = /^5120([0-9a-f]{64})$/.exec(script)?.[1]
    if (key === undefined) return true
    const [signature = new Uint8Array(), ...others] = transaction.getInput(at).finalScriptWitness ?? []
    // A 65th byte names what is signed. Without it, everything is.
    if (others.length > 0 || ![64, 65].includes(signature.length)) return false
    const hash = transaction.preimageWitnessV1(at, scripts, signature[64] ?? 0, amounts)
    return schnorr.verify(signature.slice(0, 64), hash, hexToBytes(key))
  })
}
