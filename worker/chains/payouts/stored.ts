import * as z from 'zod/mini'

/** An integer of any size in stored JSON: a decimal. */
export const storedInteger = z.pipe(
  z.string(),
  z.transform((decimal: string) => BigInt(decimal)),
)

/** JSON whose integers of any size are decimals, as `storedInteger` reads them. */
export function encodeStored(value: object): string {
  return JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? part.toString() : part))
}
