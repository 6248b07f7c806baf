import * as z from 'zod/mini'
import { centsOf } from '../amountField.ts'
import { requiredText } from '../text.ts'

/** An amount of a setting: USD, zero allowed. To cents. */
const settingAmount = z.pipe(
  z.union([z.string(), z.number()], { error: 'Please give an amount in USD' }),
  z.transform((value, context) =>
    value === 0 || value === '0'
      ? 0
      : centsOf(value, context, 'Please give an amount in USD, like 5000 or 0'),
  ),
)

/** A share in basis points: hundredths of a per cent. */
const basisPoints = z

  .number({ error: 'Please give basis points, a whole number from 0 to 10,000' })
  .check(
    z.refine(
      (value: number) => Number.isInteger(value) && value >= 0 && value <= 10_000,
      'Please give basis points, a whole number from 0 to 10,000',
    ),
  )

const DAYS_PROBLEM = 'Please give days, a whole number from 1 to 10,950'

/** How long something is kept. */
const days = z
  .number({ error: DAYS_PROBLEM })
  .check(z.refine((value: number) => Number.isInteger(value) && value >= 1 && value <= 10_950, DAYS_PROBLEM))

const INVESTORS_PROBLEM = 'Please give a whole number from 20 to 100,000'

/** Settings that one operator changes at once. */
export const openSettings = z.object({
  messagingNumber: z.optional(
    z.nullable(
      z
        .string()
        .check(
          z.refine(
            (value: string) => value === '' || /^\+(?:\d ?){6,14}\d$/.test(value),
            'Please give a number like +41 79 123 45 67, or leave it empty',
          ),
        ),
    ),
  ),
  supportAddress: z.optional(
    z.nullable(
      z.string().check(
        z.refine(
          (value: string) => /^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/.test(value) || value === '',
          'Provide a valid email',
        ),
        z.maxLength(254, 'Provide a valid email'),
      ),
    ),
  ),
  reasons: z.optional(
    z.array(requiredText('A reason cannot be empty', 300)).check(z.maxLength(50, 'At most 50 reasons')),
  ),
})

export type OpenSettings = z.output<typeof openSettings>

/** Settings that need two operators. Amounts in USD. */
export const guardedSettings = z.object({
  twoPersonLimit: z.optional(settingAmount),
  kycRequired: z.optional(z.boolean({ error: 'kycRequired is true or false' })),
  referralBonus: z.optional(settingAmount),
  // Fewer than that could be told apart by their sums.
  liabilitiesFrom: z.optional(
    z
      .number({ error: INVESTORS_PROBLEM })
      .check(
        z.refine(
          (value: number) => Number.isInteger(value) && value >= 20 && value <= 100_000,
          INVESTORS_PROBLEM,
        ),
      ),
  ),
  minimums: z.optional(
    z.object({ deposit: z.optional(settingAmount), withdrawal: z.optional(settingAmount) }),
  ),
  fees: z.optional(
    z.object({
      performanceBasisPoints: z.optional(basisPoints),
      subscriptionMonthly: z.optional(settingAmount),
    }),
  ),
  retention: z.optional(
    z.object({
      documentDays: z.optional(days),
      personDays: z.optional(days),
      rejectedDocumentDays: z.optional(days),
    }),
  ),
})

export type GuardedSettings = z.output<typeof guardedSettings>
