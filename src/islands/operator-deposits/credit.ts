import { formatCents, formatUsd, parseUsd } from '../../contract/money.ts'
import type { OperatorDeposit } from '../../contract/operator/deposits.ts'
import type { Settings } from '../../contract/operator/settings.ts'

/** The form as it opens: the amount that was asked; for the second operator what the first one approved. */
export function prefilled({ asked, firstApproval }: Pick<OperatorDeposit, 'asked' | 'firstApproval'>) {
  return {
    reference: firstApproval?.reference ?? '',
    amount: (firstApproval?.amount ?? asked).toFixed(2),
  }
}

/** An amount as typed, as it will be counted: an empty one is what was asked. */
export function typedUsd(typed: unknown, { asked }: Pick<OperatorDeposit, 'asked'>): string {
  const cents = centsOf(typed)
  return cents === null ? formatUsd(asked) : formatCents(cents)
}

/**
 * Whether this credit is known to need two: above what was asked, or above the limit. The server also counts what the
 * same operator credited within a day, and has the last word.
 */
export function needsSecondOperator(
  typed: unknown,
  { asked }: Pick<OperatorDeposit, 'asked'>,
  settings: Pick<Settings, 'twoPersonLimit'> | null,
): boolean {
  const cents = centsOf(typed) ?? toCents(asked)
  return cents > toCents(asked) || (settings !== null && cents > toCents(settings.twoPersonLimit))
}

function centsOf(typed: unknown): number | null {
  return parseUsd(typeof typed === 'string' ? typed.trim() : typed)
}

/** The API's USD are exact to the cent. */
function toCents(usd: number): number {
  return Math.round(usd * 100)
}
