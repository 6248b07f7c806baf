import { createHash } from 'node:crypto'

/** A source of chance that depends on nothing but its name: the same name gives the same values on every machine. */
export interface Chance {
  /** Fills the bytes. */
  fill(bytes: Uint8Array): void
  /** A number in [0, 1). */
  share(): number
  /** A whole number from `least` to `most`, each equally likely. */
  whole(least: number, most: number): number
  /** True with this probability. */
  is(probability: number): boolean
  /** One of these. */
  pick<const T extends readonly [unknown, ...unknown[]]>(from: T): T[number]
}

/** The generator sfc32 of PractRand (https://pracrand.sourceforge.net/), seeded with the SHA-256 of the name. */
export function chanceOf(...name: readonly (string | number)[]): Chance {
  const seed = createHash('sha256').update(name.join('/')).digest()
  let a = seed.readInt32LE(0)
  let b = seed.readInt32LE(4)
  let c = seed.readInt32LE(8)
  let counter = seed.readInt32LE(12)
  /** 32 random bits, as a signed number. */
  const next = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum
  }
  // The seed is mixed before it is used.
  for (let round = 0; round < 12; round++) next()
  const share = (): number => ((next() >>> 0) * 2 ** 4 + (next() >>> 28)) / 2 ** 36
  return {
    fill: (bytes) => {
      for (let index = 0; index < bytes.length; index += 4) {
        const bits = next()
        bytes[index] = bits
        bytes[index + 1] = bits >>> 8
        bytes[index + 2] = bits >>> 16
        bytes[index + 3] = bits >>> 24
      }
    },
    share,
    whole: (least, most) => least + Math.floor(share() * (most - least + 1)),
    is: (probability) => share() < probability,
    pick: (from) => from[Math.floor(share() * from.length)] ?? from[0],
  }
}
