import * as z from 'zod/mini'
import { parseUsd } from './money.ts'

/** An amount field: parsed to integer cents. `empty` is the specification's sentence for a missing one. */
/* @__NO_SIDE_EFFECTS__ */
export function amountField(empty: string) {
  return z.pipe(
    z.union([z.string(), z.number()], { error: empty }),
    z.transform((value, context) => {
      if (value === '') {
        context.issues.push({ code: 'custom', message: empty, input: value })
        return z.NEVER
      }
      const cents = parseUsd(value)
      if (cents === null) {
        context.issues.push({
          code: 'custom',
          message: 'Please give an amount in USD above zero, with at most two decimals, like 1500.50',
          input: value,
        })
        return z.NEVER
      }
      return cents
    }),
  )
}
