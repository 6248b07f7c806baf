import type { OperatorDeposit } from '../../../contract/console/deposits.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { formatCents, formatUsd, parseUsd } from '../../../contract/money.ts'

/** The form's initial values: the requested amount, or the first operator's approval. */
export function prefilled({ asked, firstApproval }: Pick<OperatorDeposit, 'asked' | 'firstApproval'>) {
  return {
    reference: firstApproval?.reference ?? '',
    amount: (firstApproval?.amount ?? asked).toFixed(2),
  }
}

/** The typed amount in USD as it will be credited. A blank amount means the requested one. */
export function typedUsd(typed: unknown, { asked }: Pick<OperatorDeposit, 'asked'>): string {
  const cents = centsOf(typed)
  return cents === null ? formatUsd(asked) : formatCents(cents)
}

/** Sentences that say why this credit needs two operators; empty if one is enough. The server decides. */
export function whyTwo(
  { amount, quantity }: { readonly amount?: unknown; readonly quantity?: unknown },
  { asked, alone, priceNow }: Pick<OperatorDeposit, 'asked' | 'alone' | 'priceNow'>,
  settings: Pick<Settings, 'twoPersonLimit'> | null,
): string[] {
  const cents = centsOf(amount) ?? toCents(asked)
  const limit = alone?.limit ?? settings?.twoPersonLimit
  const reasons: string[] = []
  if (cents > toCents(asked)) reasons.push('It is more than the investor asked for.')
  if (limit !== undefined && cents + toCents(alone?.used ?? 0) > toCents(limit))
    reasons.push(
      alone === undefined || alone.used === 0
        ? `It is above ${formatUsd(limit)}, which one operator credits alone.`
        : `You credited this investor ${formatUsd(alone.used)} in the last 24 hours, of ${formatUsd(limit)} that one operator credits alone.`,
    )
  if (alone !== undefined && cents + toCents(alone.day.used) > toCents(alone.day.limit))
    reasons.push(
      `You credited ${formatUsd(alone.day.used)} alone in the last 24 hours, to all investors together. Your daily ceiling is ${formatUsd(alone.day.limit)}.`,
    )
  if (priceNow === null) reasons.push('There is no market price to compare the quantity with.')
  else if (priceNow !== undefined && isFarFrom(quantity, cents, priceNow))
    reasons.push(
      `The quantity differs by more than 2 % from the amount at the market price, ${formatUsd(priceNow)} for one coin.`,
    )
  return reasons
}

/** The quantity is required if there is no market price, or if the first operator gave one. */
export function isQuantityNeeded({
  priceNow,
  firstApproval,
}: Pick<OperatorDeposit, 'priceNow' | 'firstApproval'>): boolean {
  return priceNow === null || firstApproval?.hasQuantity === true
}

/** Whether a quantity is more than 2 % off the market price. A blank quantity is computed from the price. */
function isFarFrom(typed: unknown, cents: number, price: number): boolean {
  const text = String(typed ?? '').trim()
  const quantity = Number(text)
  if (text === '' || !Number.isFinite(quantity)) return false
  const worth = quantity * price * 100
  return Math.abs(worth - cents) > cents * 0.02
}

function centsOf(typed: unknown): number | null {
  return parseUsd(typeof typed === 'string' ? typed.trim() : typed)
}

/** USD in the API are exact to the cent. */
function toCents(usd: number): number {
  return Math.round(usd * 100)
}
