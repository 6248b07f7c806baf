import { encodeAddress } from '../../../src/chain/bitcoin/addresses.ts'
import { deriveOutput } from '../../../src/chain/bitcoin/derive.ts'
import { listDescriptorWarnings, parseDescriptor } from '../../../src/chain/bitcoin/descriptor.ts'
import { ChainError } from '../../../src/chain/chainError.ts'
import { depositAddress, parseAccountKey } from '../../../src/chain/ethereum/account.ts'
import { toHex } from '../../../src/contract/bytes.ts'
import type { WatchSigner } from '../../../src/contract/console/watchWallets.ts'
import type { Chain } from '../../../src/contract/money/payments.ts'
import type { Env } from '../../lib/env.ts'
import { refuseField } from '../../lib/errors.ts'
import { deriveAddress } from '../addresses/derive.ts'
import { isSignedByAccount } from '../ownership/accountSignature.ts'
import { isLegacySigned } from '../ownership/bip137.ts'
import { isGenericSigned } from '../ownership/bip322.ts'
import { type BitcoinScript, decodeHex, hash160 } from '../ownership/bytes.ts'
import { getBitcoinConfiguration } from '../servers/configuration.ts'

/** A watch-only wallet in its canonical form, with the keys that must sign. */
export interface ReadWallet {
  readonly descriptor: string
  readonly signers: readonly WatchSigner[]
  /** The first three addresses. */
  readonly addresses: readonly string[]
}

/** Reads a descriptor or an account's public key. Refuses the field with a message that names the problem and never repeats a secret. */
export function readWallet(env: Env, chain: Chain, typed: string): ReadWallet {
  try {
    const { descriptor, signers } =
      chain === 'ethereum' ? parseAccountWallet(typed) : parseDescriptorWallet(env, typed)
    const addresses = [0, 1, 2].map((position) => deriveAddress(env, chain, descriptor, position).address)
    return { descriptor, signers, addresses }
  } catch (error) {
    if (error instanceof ChainError) return refuseField('descriptor', error.message)
    throw error
  }
}

/** What may keep hardware from signing payouts of a wallet. Hardware for Ethereum needs no origin. */
export function listWalletWarnings({
  chain,
  descriptor,
}: {
  readonly chain: Chain
  readonly descriptor: string
}): string[] {
  return chain === 'bitcoin' ? listDescriptorWarnings(descriptor) : []
}

/** The first signer whose signature does not sign the message; null if all do. */
export function findWrongSigner(
  env: Env,
  chain: Chain,
  { descriptor, signers }: ReadWallet,
  { message, signatures }: { readonly message: string; readonly signatures: readonly string[] },
): WatchSigner | null {
  return (
    signers.find((signer, i) => {
      const signed = { message, signature: (signatures[i] ?? '').trim() }
      if (chain === 'ethereum') return !isSignedByAccount('ethereum', signer.address, signed)
      const script = deriveSignerScript(env, descriptor, signer.key)
      return !isGenericSigned(script, signed) && !isLegacySigned(script, signed)
    }) ?? null
  )
}

function parseAccountWallet(typed: string) {
  const account = parseAccountKey(typed)
  const origin = /^\[([^\]]*)\]/.exec(account.canonical)?.[1] ?? ''
  const signer: WatchSigner = { key: 0, origin, address: depositAddress(account, 0), methods: ['eip191'] }
  return { descriptor: account.canonical, signers: [signer] }
}

function parseDescriptorWallet(env: Env, typed: string) {
  const network = getBitcoinNetwork(env)
  const { text, kind, keys } = parseDescriptor(typed, network)
  const signers = keys.map(({ text: key }, number): WatchSigner => {
    const address = encodeAddress(toHex(deriveSignerScript(env, text, number).script), network) ?? ''
    const origin = /^\[([^\]]*)\]/.exec(key)?.[1] ?? ''
    // Only BIP 322 can sign with a tweaked key.
    return { key: number, origin, address, methods: kind === 'tr' ? ['bip322'] : ['bip322', 'bip137'] }
  })
  return { descriptor: text, signers }
}

/**
 * The script with which a key signs. A single key signs for the first receiving address. A key of several signs for the P2WPKH address of
 * its own first receiving key, because no single key can sign for an address of all of them.
 */
function deriveSignerScript(env: Env, descriptor: string, number: number): BitcoinScript {
  const parsed = parseDescriptor(descriptor, getBitcoinNetwork(env))
  const { script, keys } = deriveOutput(parsed, 'receive', 0)
  const own =
    parsed.kind === 'wsh-sortedmulti'
      ? `0014${toHex(hash160(toBytes(keys[number]?.publicKey ?? '')))}`
      : script
  const program = toBytes(own.slice(4))
  return { kind: own.startsWith('5120') ? 'p2tr' : 'p2wpkh', program, script: toBytes(own) }
}

function getBitcoinNetwork(env: Env) {
  return getBitcoinConfiguration(env)?.network ?? 'mainnet'
}

function toBytes(hex: string): Uint8Array {
  return decodeHex(hex) ?? new Uint8Array(0)
}
