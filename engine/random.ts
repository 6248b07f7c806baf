/** Signed 32-bit integers, reproducible by seed: Tommy Ettinger's mulberry32 (public domain). */
export function mulberry32(seed: number): () => number {
  // Signed, because engines store such integers without allocating.
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return mixed ^ (mixed >>> 14)
  }
}

/** A number in [0, 1). */
export function drawUniform(random: () => number): number {
  return (random() >>> 0) / 2 ** 32
}

/**
 * An approximately normal number with mean 0 and deviation 1: the sum of four uniform ones (Irwin–Hall), never beyond ±3.5. It
 * needs no logarithm, so it is the same to the bit in every engine.
 */
export function drawBell(random: () => number): number {
  const first = random()
  const second = random()
  const sum = (first >>> 16) + (first & 0xffff) + (second >>> 16) + (second & 0xffff)
  return (sum - 2 * 0xffff) * DEVIATIONS
}

const DEVIATIONS = Math.sqrt(3) / 2 ** 16
