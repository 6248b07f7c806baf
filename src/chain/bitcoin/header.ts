import { ChainError } from '../chainError.ts'
import { hash256, hashText, parseHex, Reader } from './bytes.ts'
import { decodeTarget } from './difficulty.ts'
import type { BitcoinNetwork } from './network.ts'

export interface BlockHeader {
  /** As explorers write it: it begins with zeros. */
  hash: string
  version: number
  previousHash: string
  merkleRoot: string
  /** Seconds since 1970, as the miner said. */
  time: number
  /** The difficulty target in compact form. */
  bits: number
  nonce: number
}

/** Parses the 80 bytes of a block header in hex. Does not check the proof of work: `checkProofOfWork` does. */
export function parseHeader(raw: string): BlockHeader {
  const bytes = parseHex(raw, 'The block header')
  if (bytes.length !== 80) throw new ChainError('malformed', 'A block header has 80 bytes.')
  const reader = new Reader(bytes, 'The block header')
  return {
    version: reader.int32(),
    previousHash: hashText(reader.take(32)),
    merkleRoot: hashText(reader.take(32)),
    time: reader.uint32(),
    bits: reader.uint32(),
    nonce: reader.uint32(),
    hash: hashText(hash256(bytes)),
  }
}

/** Refuses a header whose hash misses its own target, or whose target is easier than the network allows. Returns the target. */
export function checkProofOfWork({ hash, bits }: BlockHeader, network: BitcoinNetwork): bigint {
  const target = decodeTarget(bits)
  if (target > decodeTarget(network.limitBits)) {
    throw new ChainError(
      'bad_target',
      'The difficulty target of the block header is easier than the network allows.',
    )
  }
  if (BigInt(`0x${hash}`) > target) {
    throw new ChainError(
      'no_proof_of_work',
      'The hash of the block header does not reach its difficulty target.',
    )
  }
  return target
}
