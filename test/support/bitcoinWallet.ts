import { createHash } from 'node:crypto'
import { base64 } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { Transaction } from '@scure/btc-signer'
import { encodeAddress } from '../../src/chain/bitcoin/addresses.ts'
import { type Branch, deriveOutput } from '../../src/chain/bitcoin/derive.ts'
import {
  type BitcoinDescriptor,
  type DescriptorKind,
  parseDescriptor,
} from '../../src/chain/bitcoin/descriptor.ts'
import { type BitcoinNetworkName, getBitcoinNetwork } from '../../src/chain/bitcoin/network.ts'
import type { Coin } from '../../src/chain/bitcoin/psbt.ts'
import { parseTransaction, serializeTransaction } from '../../src/chain/bitcoin/transaction.ts'

/** A wallet, of regtest unless a network is given, whose private keys exist only in tests: what a person with a hardware wallet does. */
export interface TestWallet {
  descriptor: BitcoinDescriptor
  /** One signing device for each key. */
  devices: HDKey[]
  address: (index: number, branch?: Branch) => string
  /** A coin at an address of the wallet, with the transaction that created it. */
  coin: (value: bigint, index: number, branch?: Branch) => Coin
}

const ACCOUNTS: Record<DescriptorKind, string> = {
  wpkh: "84'/1'/0'",
  tr: "86'/1'/0'",
  'wsh-sortedmulti': "48'/1'/0'/2'",
}

export function testWallet(
  kind: DescriptorKind,
  { name = 'wallet', threshold = 2, keys = 3, network = 'regtest' as BitcoinNetworkName } = {},
): TestWallet {
  const versions = getBitcoinNetwork(network).extendedKeyVersions
  const count = kind === 'wsh-sortedmulti' ? keys : 1
  const devices = Array.from({ length: count }, (_, i) =>
    HDKey.fromMasterSeed(createHash('sha256').update(`${name} ${i}`).digest(), versions),
  )
  const texts = devices.map((device) => {
    const account = device.derive(`m/${ACCOUNTS[kind]}`)
    const fingerprint = device.fingerprint.toString(16).padStart(8, '0')
    return `[${fingerprint}/${ACCOUNTS[kind]}]${account.publicExtendedKey}/<0;1>/*`
  })
  const text =
    kind === 'wsh-sortedmulti' ? `wsh(sortedmulti(${threshold},${texts.join(',')}))` : `${kind}(${texts[0]})`
  const descriptor = parseDescriptor(text, network)
  return {
    descriptor,
    devices,
    address: (index, branch = 'receive') =>
      encodeAddress(deriveOutput(descriptor, branch, index).script, network) ?? '',
    coin: (value, index, branch = 'receive') => {
      const { script } = deriveOutput(descriptor, branch, index)
      const rawTransaction = serializeTransaction({
        version: 2,
        lockTime: index,
        inputs: [
          {
            txid: createHash('sha256').update(script).digest('hex'),
            vout: 0,
            script: '',
            sequence: 0,
            witness: ['00'],
          },
        ],
        outputs: [
          { script: '6a', value: 0n },
          { script, value },
        ],
      })
      return { txid: parseTransaction(rawTransaction).txid, vout: 1, value, branch, index, rawTransaction }
    },
  }
}

/** Lets devices sign a PSBT one after another, and returns the PSBT in base64. */
export function signPsbt(psbt: string, devices: readonly HDKey[], allowedSighash?: number[]): string {
  const transaction = Transaction.fromPSBT(base64.decode(psbt))
  for (const device of devices) {
    for (let i = 0; i < transaction.inputsLength; i++) {
      const { bip32Derivation = [], tapBip32Derivation = [] } = transaction.getInput(i)
      const origins = [
        ...bip32Derivation.map(([, der]) => der),
        ...tapBip32Derivation.map(([, { der }]) => der),
      ]
      const path = origins.find(({ fingerprint }) => fingerprint === device.fingerprint)?.path
      if (path !== undefined) transaction.signIdx(privateKeyAt(device, path), i, allowedSighash)
    }
  }
  return base64.encode(transaction.toPSBT())
}

/** Completes a signed PSBT as wallet software does, and returns the raw transaction in hex. */
export function finalizePsbt(psbt: string): string {
  const transaction = Transaction.fromPSBT(base64.decode(psbt))
  transaction.finalize()
  return transaction.hex
}

/** Accounts are the expensive part of a path. */
const accounts = new Map<string, HDKey>()

function privateKeyAt(device: HDKey, path: readonly number[]): Uint8Array {
  const steps = path.slice(0, -2)
  const name = [device.fingerprint, ...steps].join('/')
  const account = accounts.get(name) ?? steps.reduce((node, step) => node.deriveChild(step), device)
  accounts.set(name, account)
  const key = path.slice(-2).reduce((node, step) => node.deriveChild(step), account)
  if (key.privateKey === null) throw new Error('A device without a private key cannot sign.')
  return key.privateKey
}
