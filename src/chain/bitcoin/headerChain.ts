import { ChainError } from '../chainError.ts'
import { computeNextBits, computeWork, PERIOD_BLOCKS } from './difficulty.ts'
import { type BlockHeader, checkProofOfWork, parseHeader } from './header.ts'
import { type BitcoinNetworkName, type Checkpoint, getBitcoinNetwork } from './network.ts'

/** The state after following headers up to a block: enough to check the next one. Plain JSON. */
export interface ChainState {
  network: BitcoinNetworkName
  height: number
  hash: string
  /** The block's target in compact form. */
  bits: number
  /** Time of the first block of the period of 2,016 blocks, in seconds. */
  periodStart: number
  /** Times of up to 11 last blocks in seconds, oldest first. */
  times: number[]
  /** The work since the checkpoint, 64 hexadecimal digits, so that text compares as numbers do. */
  work: string
}

/**
 * The state at a checkpoint. Refuses a header without proof of work and, where difficulty changes, a height that does not begin a
 * period: the rest of the period could not be checked.
 */
export function startAtCheckpoint(checkpoint: Checkpoint, networkName: BitcoinNetworkName): ChainState {
  const network = getBitcoinNetwork(networkName)
  const { height } = checkpoint
  if (!Number.isSafeInteger(height) || height < 0) {
    throw new ChainError('bad_checkpoint', 'The height of a checkpoint must be a whole number.')
  }
  if (network.isRetargeting && height % PERIOD_BLOCKS !== 0) {
    throw new ChainError(
      'bad_checkpoint',
      `The height of a checkpoint must be a multiple of ${PERIOD_BLOCKS}.`,
    )
  }
  const header = parseHeader(checkpoint.header)
  checkProofOfWork(header, network)
  const { hash, bits, time } = header
  return { network: networkName, height, hash, bits, periodStart: time, times: [time], work: encodeWork(0n) }
}

/** The newest built-in checkpoint of the network. */
export function getBuiltInStart(network: BitcoinNetworkName): ChainState {
  const newest = getBitcoinNetwork(network).checkpoints.at(-1)
  if (newest === undefined) throw new ChainError('bad_checkpoint', 'The network has no checkpoint.')
  return startAtCheckpoint(newest, network)
}

export interface ExtendOptions {
  /** Refuses blocks more than two hours ahead of this time, as nodes do. */
  nowSeconds?: number
}

/**
 * Follows the headers after a block (80 bytes each, hex, in order) and returns the state after the last one. Checks linkage, proof of
 * work, the expected difficulty, and that each time is later than the median of the 11 blocks before.
 */
export function extendChain(
  from: ChainState,
  headers: readonly string[],
  options: ExtendOptions = {},
): ChainState {
  return headers.reduce((state, raw) => addHeader(state, parseHeader(raw), options), from)
}

/** Whether nodes would follow `chain` instead of `rival`. Both must count work from the same checkpoint. */
export function hasMoreWork(chain: ChainState, rival: ChainState): boolean {
  return chain.work > rival.work
}

const MEDIAN_BLOCKS = 11
const MAXIMUM_LEAD_SECONDS = 2 * 60 * 60

function addHeader(state: ChainState, header: BlockHeader, { nowSeconds }: ExtendOptions): ChainState {
  const network = getBitcoinNetwork(state.network)
  const { time, bits, hash } = header
  const height = state.height + 1
  if (header.previousHash !== state.hash) {
    throw new ChainError(
      'not_linked',
      `The block header at height ${height} does not follow the one before it.`,
    )
  }
  const target = checkProofOfWork(header, network)
  const beginsPeriod = network.isRetargeting && height % PERIOD_BLOCKS === 0
  const lastTime = state.times.at(-1) ?? state.periodStart
  const expected = beginsPeriod
    ? computeNextBits(network, state.bits, lastTime - state.periodStart)
    : state.bits
  if (bits !== expected) {
    throw new ChainError('wrong_difficulty', `The block header at height ${height} has the wrong difficulty.`)
  }
  // After a checkpoint, the rule can be checked once 11 blocks are known.
  if (state.times.length === Math.min(MEDIAN_BLOCKS, height) && time <= computeMedian(state.times)) {
    throw new ChainError(
      'time_too_early',
      `The block header at height ${height} has a time that is too early.`,
    )
  }
  if (nowSeconds !== undefined && time > nowSeconds + MAXIMUM_LEAD_SECONDS) {
    throw new ChainError('time_too_late', `The block header at height ${height} has a time in the future.`)
  }
  return {
    network: state.network,
    height,
    hash,
    bits,
    periodStart: beginsPeriod ? time : state.periodStart,
    times: [...state.times, time].slice(-MEDIAN_BLOCKS),
    work: encodeWork(BigInt(`0x${state.work}`) + computeWork(target)),
  }
}

function computeMedian(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
}

function encodeWork(work: bigint): string {
  return work.toString(16).padStart(64, '0')
}
