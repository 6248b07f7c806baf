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

/** SHA-256 of the name and a counter, block after block. */
export function chanceOf(...name: readonly (string | number)[]): Chance {
  const prefix = name.join('/')
  let counter = 0
  let block: Uint8Array = new Uint8Array()
  let used = 0
  const byte = (): number => {
    if (used === block.length) {
      block = createHash('sha256').update(`${prefix}/${counter}`).digest()
      counter += 1
      used = 0
    }
    used += 1
    return block[used - 1] ?? 0
  }
  const share = (): number =>
    (byte() + byte() * 2 ** 8 + byte() * 2 ** 16 + byte() * 2 ** 24 + (byte() & 0x0f) * 2 ** 32) / 2 ** 36
  return {
    fill: (bytes) => {
      for (let index = 0; index < bytes.length; index++) bytes[index] = byte()
    },
    share,
    whole: (least, most) => least + Math.floor(share() * (most - least + 1)),
    is: (probability) => share() < probability,
    pick: (from) => from[Math.floor(share() * from.length)] ?? from[0],
  }
}
