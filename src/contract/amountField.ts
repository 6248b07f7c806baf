import * as z from 'zod/mini'
import { parseUsd } from './money.ts'

/** An amount field: parsed to integer cents. `empty` is the specification's sentence for a missing one. */
/* @__NO_SIDE_EFFECTS__ */
export function amountField(empty: string) {
  return z.pipe(
    z.union([z.string(), z.number()], { error: empty }),
    z.transform((value, context) =>
      value === ''
        ? refused(value, context, empty)
        : centsOf(
            value,
            context,
            'Please give an amount in USD above zero, with at most two decimals, like 1500.50',
          ),
    ),
  )
}

/** An amount field that may be left out, parsed to integer cents. `wrong` is the sentence for what is no amount. */
/* @__NO_SIDE_EFFECTS__ */
export function optionalAmountField(empty: string, wrong: string) {
  return z.pipe(
    z.optional(z.nullable(z.union([z.string(), z.number()], { error: empty }))),
    z.transform((value, context) =>
      value === undefined || value === null || value === '' ? undefined : centsOf(value, context, wrong),
    ),
  )
}

/** What was typed, in cents. What is no amount above zero with at most two decimals is refused with the sentence `wrong`. */
export function centsOf(value: string | number, context: z.core.ParsePayload, wrong: string): number {
  return parseUsd(value) ?? refused(value, context, wrong)
}

function refused(input: unknown, context: z.core.ParsePayload, message: string): never {
  context.issues.push({ code: 'custom', message, input })
  return z.NEVER
}
