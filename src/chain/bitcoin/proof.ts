import { ChainError } from '../chainError.ts'
import { computeWork, hasDifficulty, isPossibleChange } from './difficulty.ts'
import { type BlockHeader, checkProofOfWork, parseHeader } from './header.ts'
import { computeRootOfPath } from './merkle.ts'
import { type BitcoinNetwork, type BitcoinNetworkName, getBitcoinNetwork } from './network.ts'
import { parseTransaction } from './transaction.ts'

/** Proves that a block contains a payment. Plain JSON; hex and hashes as explorers write them. */
export interface BitcoinPaymentProof {
  /** The transaction without its witnesses, to which the txid commits. */
  transaction: string
  /** The position of the output in the transaction, from 0. */
  output: number
  /** The height of the block. It is a claim: only a followed chain of headers proves it. */
  height: number
  /** The header of the block. */
  header: string
  /** The position of the transaction in the block, and the hashes beside its way up to the Merkle root. */
  position: number
  path: string[]
  /** The headers of the blocks after it, in order. */
  following: string[]
}

/** The payment that the proof has to show. */
export interface ExpectedPayment {
  /** scriptPubKey of the address, hex. */
  script: string
  network: BitcoinNetworkName
  /** Refuses blocks that were easier to find, relative to difficulty 1. Without it a forged block is cheap. 0 on regtest. */
  minimumDifficulty: bigint
}

export interface ProvenPayment {
  txid: string
  /** Satoshi. */
  value: bigint
  blockHash: string
  /** When the block says it was found, in seconds. */
  blockTime: number
  height: number
  /** Blocks that confirm the payment: its own and those after it. */
  confirmations: number
  /** The hash of the last of these blocks. */
  tipHash: string
  /** The hashes that finding these blocks took on average. */
  work: bigint
}

/** The Merkle proof of a transaction, as Esplora's `GET /tx/:txid/merkle-proof` returns it. */
export interface MerkleProof {
  block_height: number
  merkle: string[]
  pos: number
}

/** Puts a proof together from what servers answer. Drops the witnesses. Does not check the proof: `checkBitcoinPayment` does. */
export function buildPaymentProof(parts: {
  rawTransaction: string
  output: number
  merkleProof: MerkleProof
  header: string
  following: readonly string[]
}): BitcoinPaymentProof {
  const { merkleProof, header, output, following } = parts
  return {
    transaction: parseTransaction(parts.rawTransaction).stripped,
    output,
    height: merkleProof.block_height,
    header,
    position: merkleProof.pos,
    path: [...merkleProof.merkle],
    following: [...following],
  }
}

/**
 * Checks a proof without any server: the output pays the script, the block contains the transaction, and the headers have the work
 * they claim and follow each other. Does not know whether this chain is the one that the network follows: compare `hashBlock` with
 * followed headers for that.
 */
export function checkBitcoinPayment(proof: BitcoinPaymentProof, expected: ExpectedPayment): ProvenPayment {
  return readBitcoinPayment(checkBitcoinTransaction(proof, expected), proof.output, expected.script)
}

/** A proven transaction with all its outputs. */
export interface ProvenTransaction extends Omit<ProvenPayment, 'value'> {
  readonly outputs: readonly { readonly script: string; readonly value: bigint }[]
}

/** Checks the part of the proof that all payments of one transaction share, once for all of them. */
export function checkBitcoinTransaction(
  proof: Omit<BitcoinPaymentProof, 'output'>,
  expected: Omit<ExpectedPayment, 'script'>,
): ProvenTransaction {
  const network = getBitcoinNetwork(expected.network)
  if (proof.following.length > MAXIMUM_FOLLOWING) {
    throw new ChainError('proof_too_long', 'The proof has more block headers than necessary.')
  }
  const transaction = parseTransaction(proof.transaction)
  const header = parseHeader(proof.header)
  if (computeRootOfPath(transaction.txid, proof.position, proof.path) !== header.merkleRoot) {
    throw new ChainError('not_in_block', 'The Merkle path does not lead to the block.')
  }
  const headers = [header, ...proof.following.map(parseHeader)]
  const work = checkHeaders(headers, proof.height, network, expected.minimumDifficulty)
  if (transaction.isCoinbase && headers.length < COINBASE_MATURITY) {
    throw new ChainError('not_spendable_yet', `New coins count after ${COINBASE_MATURITY} confirmations.`)
  }
  return {
    txid: transaction.txid,
    outputs: transaction.outputs,
    blockHash: header.hash,
    blockTime: header.time,
    height: proof.height,
    confirmations: headers.length,
    tipHash: headers.at(-1)?.hash ?? header.hash,
    work,
  }
}

/** The payment of an output of a proven transaction to this script. */
export function readBitcoinPayment(
  { outputs, ...proven }: ProvenTransaction,
  position: number,
  script: string,
): ProvenPayment {
  const output = outputs[position]
  if (output === undefined)
    throw new ChainError('no_such_output', 'The transaction has no output with this number.')
  if (output.script !== script) throw new ChainError('wrong_script', 'The output pays another address.')
  return { ...proven, value: output.value }
}

const MAXIMUM_FOLLOWING = 2016
/** Nodes let new coins be spent in the hundredth block after theirs. */
const COINBASE_MATURITY = 100

/** Checks linkage and difficulty, and returns the work of all headers together. */
function checkHeaders(
  headers: readonly BlockHeader[],
  height: number,
  network: BitcoinNetwork,
  minimumDifficulty: bigint,
): bigint {
  if (!Number.isSafeInteger(height) || height < 0) {
    throw new ChainError('bad_height', 'The height of the block must be a whole number.')
  }
  return headers.reduce((work, header, i) => {
    const previous = headers[i - 1]
    const target = checkProofOfWork(header, network)
    if (previous !== undefined && header.previousHash !== previous.hash) {
      throw new ChainError('not_linked', 'A block header does not follow the one before it.')
    }
    if (previous !== undefined && !isPossibleChange(network, height + i, previous.bits, header.bits)) {
      throw new ChainError('wrong_difficulty', 'The difficulty changes where it must not, or too much.')
    }
    if (!hasDifficulty(target, minimumDifficulty)) {
      throw new ChainError('too_easy', 'A block of the proof was easier to find than is accepted.')
    }
    return work + computeWork(target)
  }, 0n)
}
