import { getCoinSymbol } from '../../../contract/console/coinWords.ts'
import type { OperatorDeposit } from '../../../contract/console/deposits.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { formatCents, formatUsd, parseUsd, toCents } from '../../../contract/money.ts'
import { formatNumber } from '../../../contract/numbers.ts'

/** The form's initial values: the requested amount, or the first operator's approval. */
export function buildInitialValues({
  asked,
  firstApproval,
}: Pick<OperatorDeposit, 'asked' | 'firstApproval'>) {
  return {
    reference: firstApproval?.reference ?? '',
    amount: (firstApproval?.amount ?? asked).toFixed(2),
  }
}

/** The amount to credit for a deposit to an own address: its payment's amount, or null until the payment is final. */
export function getProvedAmount({ payment }: Pick<OperatorDeposit, 'payment'>): number | null {
  return payment?.state === 'final' ? payment.amount : null
}

/** The typed amount in USD as it will be credited. A blank amount means the requested one. */
export function formatTypedUsd(typed: unknown, { asked }: Pick<OperatorDeposit, 'asked'>): string {
  const cents = parseTypedCents(typed)
  return cents === null ? formatUsd(asked) : formatCents(cents)
}

/** Sentences that say why this credit needs two operators; empty if one is enough. The server decides. */
export function listSecondOperatorReasons(
  { amount, quantity }: { readonly amount?: unknown; readonly quantity?: unknown },
  { asked, alone, creditPrice }: Pick<OperatorDeposit, 'asked' | 'alone' | 'creditPrice'>,
  settings: Pick<Settings, 'twoPersonLimit'> | null,
): string[] {
  const cents = parseTypedCents(amount) ?? toCents(asked)
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
  if (alone?.reasons.includes('risk')) reasons.push('Its risk is high.')
  if (creditPrice === null) reasons.push('There is no market price to compare the quantity with.')
  else if (creditPrice !== undefined && isFarFrom(quantity, cents, creditPrice))
    reasons.push(
      `The quantity does not fit the amount at ${formatUsd(creditPrice)} for one coin, the lower of the prices at the announcement and now.`,
    )
  return reasons
}

/** The label of the button that sends: "Propose credit of $7,200.00". */
export function confirmWords(
  typed: { readonly amount?: unknown; readonly quantity?: unknown },
  deposit: Pick<OperatorDeposit, 'asked' | 'alone' | 'creditPrice' | 'firstApproval'>,
  settings: Pick<Settings, 'twoPersonLimit'> | null,
): string {
  const sum = formatTypedUsd(typed.amount, deposit)
  if (deposit.firstApproval !== undefined) return `Approve and credit ${sum}`
  return listSecondOperatorReasons(typed, deposit, settings).length > 0
    ? `Propose credit of ${sum}`
    : `Credit ${sum}`
}

/**
 * The value of the typed quantity, and its difference from the announced amount: "0.0102 BTC at $64,200.00 is $654.84: 2% more
 * than announced ($642.00)". Names the amount to credit, too, if it is another one.
 */
export function describeQuantityComparison(
  amount: unknown,
  quantity: unknown,
  { asked, creditPrice, type }: Pick<OperatorDeposit, 'asked' | 'creditPrice' | 'type'>,
): string {
  if (creditPrice === null || creditPrice === undefined)
    return 'There is no market price now. Two operators must enter the quantity.'
  const count = parseQuantity(quantity)
  if (count === null) return 'Enter the quantity as a number.'
  const cents = parseTypedCents(amount) ?? toCents(asked)
  const worth = Math.round(count * creditPrice * 100)
  const toCredit =
    cents === toCents(asked)
      ? ''
      : `, and ${describeDifference(worth, cents)} the credit of ${formatCents(cents)}`
  return `${String(quantity).trim()} ${getCoinSymbol(type)} at ${formatUsd(creditPrice)} is ${formatCents(worth)}: ${describeDifference(worth, toCents(asked))} announced (${formatUsd(asked)})${toCredit}.`
}

/** The typed amount compared with the announced one: "Announced: $642.00. This is 1.8% less". */
export function describeAnnouncedAmount(amount: unknown, { asked }: Pick<OperatorDeposit, 'asked'>): string {
  const cents = parseTypedCents(amount)
  const announced = `Announced: ${formatUsd(asked)}.`
  if (cents === null || cents === toCents(asked)) return announced
  return `${announced} This is ${describeDifference(cents, toCents(asked))} announced.`
}

/** "the same as", "1.8% more than". */
function describeDifference(cents: number, than: number): string {
  const off = ((cents - than) / than) * 100
  if (Math.abs(off) < 0.05) return 'the same as'
  return `${formatNumber(Math.abs(off), 1)}% ${off > 0 ? 'more' : 'less'} than`
}

/** Whether the typed quantity is unusual: worth less than the amount to credit, or more than 2 % more, at the lower price. */
export function isUnusual(
  { amount, quantity }: { readonly amount?: unknown; readonly quantity?: unknown },
  { asked, creditPrice }: Pick<OperatorDeposit, 'asked' | 'creditPrice'>,
): boolean {
  return (
    typeof creditPrice === 'number' &&
    isFarFrom(quantity, parseTypedCents(amount) ?? toCents(asked), creditPrice)
  )
}

/** Whether a quantity is worth less than an amount, or more than 2 % more. A cent is rounding. A blank quantity is not far from it. */
function isFarFrom(typed: unknown, cents: number, price: number): boolean {
  const quantity = parseQuantity(typed)
  if (quantity === null) return false
  const worth = quantity * price * 100
  return worth < cents - 1 || worth - cents > cents * 0.02
}

function parseQuantity(typed: unknown): number | null {
  const text = String(typed ?? '').trim()
  const quantity = Number(text)
  return text === '' || !Number.isFinite(quantity) ? null : quantity
}

function parseTypedCents(typed: unknown): number | null {
  return parseUsd(typeof typed === 'string' ? typed.trim() : typed)
}
