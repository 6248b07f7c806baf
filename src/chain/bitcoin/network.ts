import { ChainError } from '../chainError.ts'

export type BitcoinNetworkName = 'mainnet' | 'regtest'

/** A block from which headers are followed. On mainnet it is the first of a period of 2,016 blocks. */
export interface Checkpoint {
  height: number
  /** 80 bytes, hex. */
  header: string
}

/** The parameters of a network, as Bitcoin Core has them. */
export interface BitcoinNetwork {
  readonly name: BitcoinNetworkName
  /** Prefix of segwit addresses. */
  readonly bech32: string
  /** Version bytes of base58 addresses. */
  readonly pubKeyHash: number
  readonly scriptHash: number
  /** Version bytes of private keys in wallet import format. Only there to recognise and refuse them. */
  readonly wif: number
  /** How extended public keys begin, and the BIP-32 version bytes behind it. */
  readonly extendedKeyPrefix: string
  readonly extendedKeyVersions: { readonly public: number; readonly private: number }
  /** The easiest allowed target, in the compact form of block headers. */
  readonly limitBits: number
  /** Whether difficulty changes every 2,016 blocks. */
  readonly isRetargeting: boolean
  /** In ascending order of height; the first is the genesis block. */
  readonly checkpoints: readonly Checkpoint[]
}

export const BITCOIN_NETWORKS: Readonly<Record<BitcoinNetworkName, BitcoinNetwork>> = {
  mainnet: {
    name: 'mainnet',
    bech32: 'bc',
    pubKeyHash: 0x00,
    scriptHash: 0x05,
    wif: 0x80,
    extendedKeyPrefix: 'xpub',
    extendedKeyVersions: { public: 0x0488b21e, private: 0x0488ade4 },
    limitBits: 0x1d00ffff,
    isRetargeting: true,
    checkpoints: [
      {
        height: 0,
        header:
          '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c',
      },
      {
        height: 878_976,
        header:
          '0080cb2a84fa5fcdb3c448a0dc7f38c6a7e55f1261fcec2f0b6d00000000000000000000a2282f81592e007e389fa35ed4a9f5559c2ebf12fa76b54f0316668dcba6d961af1f8467618c02178c74d981',
      },
    ],
  },
  regtest: {
    name: 'regtest',
    bech32: 'bcrt',
    pubKeyHash: 0x6f,
    scriptHash: 0xc4,
    wif: 0xef,
    extendedKeyPrefix: 'tpub',
    extendedKeyVersions: { public: 0x043587cf, private: 0x04358394 },
    limitBits: 0x207fffff,
    isRetargeting: false,
    checkpoints: [
      {
        height: 0,
        header:
          '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4adae5494dffff7f2002000000',
      },
    ],
  },
}

export function getBitcoinNetwork(name: string): BitcoinNetwork {
  const network = Object.hasOwn(BITCOIN_NETWORKS, name) ? BITCOIN_NETWORKS[name as BitcoinNetworkName] : null
  if (network === null)
    throw new ChainError('unknown_network', 'The Bitcoin network must be mainnet or regtest.')
  return network
}
