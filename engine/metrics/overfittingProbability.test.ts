import { describe, expect, it } from 'vitest'
import { drawBell, mulberry32 } from '../random.ts'
import { computeOverfittingProbability } from './overfittingProbability.ts'

/** Later trials do better in the first 50 days and worse afterwards. */
function createTrial(trial: number, days: number): Float64Array {
  return Float64Array.from(
    { length: days },
    (_, day) =>
      Math.sin(day * (trial + 1) * 1.7 + trial) / 100 + (day < 50 ? 0.0004 * trial : -0.0003 * trial),
  )
}

function createNoise(seed: number, mean = 0, days = 320): Float64Array {
  const random = mulberry32(seed)
  return Float64Array.from({ length: days }, () => mean + 0.01 * drawBell(random))
}

describe('the probability of backtest overfitting', () => {
  it('equals a separate count over all 12,870 splits, also where the blocks differ by a day', () => {
    // Counted once in Python with itertools.combinations, lists and the formula of the paper.
    const count = (trials: number, days: number) =>
      (computeOverfittingProbability(
        Array.from({ length: trials }, (_, trial) => createTrial(trial, days)),
      ) ?? 0) * 12_870
    expect(count(5, 80)).toBeCloseTo(10_640, 6)
    expect(count(4, 85)).toBeCloseTo(11_297, 6)
  })

  it('is 0 if the same trial is always the best, and 1 if the best of one half is the worst of the other', () => {
    expect(computeOverfittingProbability([createNoise(1), createNoise(2), createNoise(3, 0.02)])).toBe(0)
    const opposite = (trial: number) =>
      Float64Array.from(
        { length: 320 },
        (_, day) => 0.001 * Math.cos(day) + (Math.floor(day / 20) === trial ? 0.1 : 0),
      )
    // The mean of both halves is fixed, so what is gained in one is missing in the other.
    const pair = [createNoise(1), createNoise(1).map((value, day) => createNoise(1)[319 - day] ?? value)]
    expect(computeOverfittingProbability([opposite(0), opposite(15)])).toBeGreaterThan(0.5)
    expect(computeOverfittingProbability(pair)).toBeGreaterThan(0.9)
  })

  it('is about a half for trials without skill', () => {
    const found = Array.from({ length: 30 }, (_, seed) =>
      computeOverfittingProbability(Array.from({ length: 8 }, (_, trial) => createNoise(100 * seed + trial))),
    )
    const mean = found.reduce<number>((sum, value) => sum + (value ?? 0), 0) / found.length
    expect(mean).toBeGreaterThan(0.4)
    expect(mean).toBeLessThan(0.65)
  })

  it('is 1 for equal trials, since the chosen one is never above the middle', () => {
    expect(computeOverfittingProbability([createNoise(1), createNoise(1), createNoise(1)])).toBe(1)
    expect(computeOverfittingProbability([new Float64Array(100), new Float64Array(100)])).toBe(1)
  })

  it('is unknown without a choice or enough days', () => {
    expect(computeOverfittingProbability([])).toBeNull()
    expect(computeOverfittingProbability([createNoise(1)])).toBeNull()
    expect(computeOverfittingProbability([createTrial(0, 31), createTrial(1, 31)])).toBeNull()
    expect(computeOverfittingProbability([createTrial(0, 32), createTrial(1, 32)])).not.toBeNull()
  })
})
