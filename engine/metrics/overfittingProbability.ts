import { at } from '../at.ts'

/** Half of the blocks are one group, so that the sums of each subset of a group are computed only once. */
const GROUP = 8
const SUBSETS = 2 ** GROUP
/** Days are cut into this many blocks: 12,870 ways to choose half of them. */
const OVERFITTING_BLOCKS = 2 * GROUP
/** Two returns a block give a spread. */
const FEWEST_DAYS = 2 * OVERFITTING_BLOCKS
/** Smaller differences of daily Sharpe ratios are rounding and must not decide. */
const ROUNDING = 1e-10

/**
 * The probability of backtest overfitting (PBO) by combinatorially symmetric cross-validation: D. H. Bailey, J. M. Borwein, M. López
 * de Prado and Q. J. Zhu, The Probability of Backtest Overfitting, Journal of Computational Finance 20(4), 2017, section 3. The days
 * are cut into S = 16 blocks. For each of the S-choose-S/2 ways to take half of the blocks, the trial with the highest Sharpe ratio
 * there is ranked among all trials in the other half. With ω = rank / (N + 1) and the logit λ = ln(ω / (1 − ω)), the result is the
 * share of splits with λ ≤ 0: the best of one half was not above the middle of the other.
 *
 * `trials` are daily returns, equally long and in the order of time. Equal ratios share their mean rank, and the first of several best
 * trials counts. Returns without a spread have the ratio 0. Null with fewer than two trials or 32 days.
 */
export function computeOverfittingProbability(trials: readonly Float64Array[]): number | null {
  const days = trials[0]?.length ?? 0
  if (trials.length < 2 || days < FEWEST_DAYS) return null
  const groups = [0, 1].map((group) => sumSubsets(trials, group))
  const [first, second] = groups as [SubsetSums, SubsetSums]
  const one = new Float64Array(trials.length)
  const other = new Float64Array(trials.length)
  let splits = 0
  let overfitted = 0
  // The two halves change roles: only those with the first block are listed, and both ways counted.
  for (let left = 1; left < SUBSETS; left += 2) {
    for (const right of SUBSETS_BY_SIZE[GROUP - countBits(left)] ?? []) {
      fillRatios(one, first, left, second, right)
      fillRatios(other, first, SUBSETS - 1 - left, second, SUBSETS - 1 - right)
      if (isOverfitted(one, other)) overfitted++
      if (isOverfitted(other, one)) overfitted++
      splits += 2
    }
  }
  return overfitted / splits
}

/** For each subset of a group's blocks: its days, and each trial's sum of returns and of their squares. */
interface SubsetSums {
  readonly days: Float64Array
  readonly sums: readonly Float64Array[]
  readonly squares: readonly Float64Array[]
}

function sumSubsets(trials: readonly Float64Array[], group: number): SubsetSums {
  const length = trials[0]?.length ?? 0
  const createColumn = () => new Float64Array(trials.length)
  const days = new Float64Array(SUBSETS)
  const sums = Array.from({ length: SUBSETS }, createColumn)
  const squares = Array.from({ length: SUBSETS }, createColumn)
  for (let subset = 1; subset < SUBSETS; subset++) {
    const newest = 31 - Math.clz32(subset)
    const others = subset - 2 ** newest
    const block = group * GROUP + newest
    const from = Math.floor((block * length) / OVERFITTING_BLOCKS)
    const before = Math.floor(((block + 1) * length) / OVERFITTING_BLOCKS)
    days[subset] = at(days, others) + before - from
    const [ownSums, ownSquares] = [sums[subset], squares[subset]] as [Float64Array, Float64Array]
    for (const [trial, returns] of trials.entries()) {
      let sum = 0
      let square = 0
      // The sums of a single block are known once its own subset was visited.
      if (others === 0) {
        for (let day = from; day < before; day++) {
          sum += at(returns, day)
          square += at(returns, day) ** 2
        }
      } else {
        sum = at(sums[2 ** newest] as Float64Array, trial) + at(sums[others] as Float64Array, trial)
        square = at(squares[2 ** newest] as Float64Array, trial) + at(squares[others] as Float64Array, trial)
      }
      ownSums[trial] = sum
      ownSquares[trial] = square
    }
  }
  return { days, sums, squares }
}

/** The daily Sharpe ratio of each trial over the blocks of two subsets. */
function fillRatios(
  ratios: Float64Array,
  first: SubsetSums,
  left: number,
  second: SubsetSums,
  right: number,
): void {
  const days = at(first.days, left) + at(second.days, right)
  const [leftSums, rightSums] = [first.sums[left], second.sums[right]] as [Float64Array, Float64Array]
  const [leftSquares, rightSquares] = [first.squares[left], second.squares[right]] as [
    Float64Array,
    Float64Array,
  ]
  for (let trial = 0; trial < ratios.length; trial++) {
    const sum = at(leftSums, trial) + at(rightSums, trial)
    const mean = sum / days
    const variance = (at(leftSquares, trial) + at(rightSquares, trial) - sum * mean) / (days - 1)
    ratios[trial] = variance > 1e-18 ? mean / Math.sqrt(variance) : 0
  }
}

/** Whether the best trial of one half is not above the middle of the other half. */
function isOverfitted(chosenOn: Float64Array, followedOn: Float64Array): boolean {
  const trials = chosenOn.length
  let highest = Number.NEGATIVE_INFINITY
  for (let trial = 0; trial < trials; trial++) highest = Math.max(highest, at(chosenOn, trial))
  let best = 0
  while (highest - at(chosenOn, best) >= ROUNDING) best++
  const ratio = at(followedOn, best)
  let lower = 0
  let equal = 0
  for (let trial = 0; trial < trials; trial++) {
    const ahead = ratio - at(followedOn, trial)
    if (ahead > ROUNDING) lower++
    else if (ahead >= -ROUNDING) equal++
  }
  // λ ≤ 0 where ω ≤ ½.
  return (lower + (equal + 1) / 2) / (trials + 1) <= 0.5
}

function countBits(subset: number): number {
  let count = 0
  for (let rest = subset; rest > 0; rest >>= 1) count += rest & 1
  return count
}

/** The subsets of a group, by the number of their blocks. */
const SUBSETS_BY_SIZE = Array.from({ length: GROUP + 1 }, (_, size) =>
  Array.from({ length: SUBSETS }, (_, subset) => subset).filter((subset) => countBits(subset) === size),
)
