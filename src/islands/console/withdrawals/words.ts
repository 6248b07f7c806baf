import type { SecondOperatorReason, SoloAllowance } from '../../../contract/console/cases.ts'
import { formatCoinOnNetwork, getCoinSymbol } from '../../../contract/console/coinWords.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { FEE_COINS, type OperatorWithdrawal } from '../../../contract/console/withdrawals.ts'
import { isolate } from '../../../contract/isolate.ts'
import type { BankIdentityField } from '../../../contract/money/withdrawals.ts'
import { formatUsd } from '../../../contract/money.ts'
import type { Operator } from '../cases/useOperator.ts'

/** Who is paid: the holder of the bank account, or else the investor. */
export function findPayee({ bank, investor }: Pick<OperatorWithdrawal, 'bank' | 'investor'>): string {
  return bank?.accountHolderName ?? investor.name
}

/** How a withdrawal is paid: a coin on its network, or a bank. */
export function describePayoutMethod({
  type,
  network,
  bank,
}: Pick<OperatorWithdrawal, 'type' | 'network' | 'bank'>) {
  return type === null || network === null
    ? `Bank: ${isolate(bank?.bankName ?? 'not named')}`
    : formatCoinOnNetwork(type, network)
}

/** The English name of a bank's country. Withdrawals that were filed without one have null. */
export function describeCountry(code: string | null): string {
  if (code === null) return 'Not given'
  return new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? code
}

/** Why a payment is delayed by a day. */
export const HOLD_REASON =
  'The destination is new, and was confirmed by e-mail only or within 72 hours of a security change'

export const PAID_BY_CHAIN =
  'A payout pays it: your hardware signs the transaction, and the chain completes the withdrawal.'

/** "0.00012 ETH": the network's fee of a payout by hand; null if none was booked. */
export function formatNetworkFee({
  network,
  sent,
}: Pick<OperatorWithdrawal, 'network' | 'sent'>): string | null {
  const coin = network === null ? undefined : FEE_COINS[network]
  return coin === undefined || !sent?.fee ? null : `${sent.fee} ${getCoinSymbol(coin)}`
}

/** How far the payout of a withdrawal is, as the text of its link. */
export function describePayoutState({
  state,
}: Pick<NonNullable<OperatorWithdrawal['payout']>, 'state'>): string {
  const words: Partial<Record<typeof state, string>> = {
    built: 'Waits to be signed',
    released: 'Sent',
    confirmed: 'Confirmed',
  }
  // A payout that was cancelled or replaced is no longer that of the withdrawal.
  return words[state] ?? 'Failed'
}

export function isOnHold({ heldUntil }: Pick<OperatorWithdrawal, 'heldUntil'>, nowMs: number): boolean {
  return heldUntil !== null && Date.parse(heldUntil) > nowMs
}

/** Changed fields of a bank destination: "account holder name, branch code". */
export function describeChangedFields(fields: readonly BankIdentityField[]): string {
  return fields.map((field) => field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)).join(', ')
}

const SECOND_OPERATOR_WORDS: Record<SecondOperatorReason, (alone: SoloAllowance) => string> = {
  limit: ({ limit, used }) =>
    used === 0
      ? `It is above ${formatUsd(limit)}, the limit for one operator.`
      : `You paid this investor ${formatUsd(used)} alone in the last 24 hours. The limit for one operator is ${formatUsd(limit)}.`,
  daily_ceiling: ({ day }) =>
    `You paid ${formatUsd(day.used)} alone in the last 24 hours, to all investors together. Your daily ceiling is ${formatUsd(day.limit)}.`,
  credited: () => 'You credited this investor.',
  identified: () => 'You approved this investor’s identity.',
  no_price: () => 'There is no market price to compare the quantity with.',
  no_servers: () =>
    'Its network has a watch-only wallet but no servers, so nobody could see a payout: it is paid by hand.',
  proved: () => 'Its payment is proved by the chain and is above what is credited without an operator.',
  risk: () => 'Its risk is high, or was high when it was approved.',
}

/** What this operator may pay alone, or why a second one is needed. */
export function describeSoloAllowance(alone: SoloAllowance): string {
  const { limit, used, day, needsTwo, reasons } = alone
  if (needsTwo) {
    // One reason of a few words is part of the sentence.
    const [reason] = reasons
    return reasons.length === 1 && (reason === 'identified' || reason === 'credited')
      ? SECOND_OPERATOR_WORDS[reason](alone).replace(/\.$/, ', so another operator must pay or approve it.')
      : `${reasons.map((cause) => SECOND_OPERATOR_WORDS[cause](alone)).join(' ')} So one operator approves this withdrawal, and another one pays it.`
  }
  return `You can pay this withdrawal alone. In the last 24 hours you paid this investor ${formatUsd(used)} of ${formatUsd(limit)}, and all investors ${formatUsd(day.used)} of ${formatUsd(day.limit)}.`
}

/**
 * Why an operator who approved a withdrawal may not record its payment; undefined if they may. A row of the list has no
 * allowance, so that only its amount and its risk count there.
 */
export function describeOwnApproval(
  { alone, amount, risk, steps }: Pick<OperatorWithdrawal, 'alone' | 'amount' | 'risk' | 'steps'>,
  me: Operator['me'],
  settings: Pick<Settings, 'twoPersonLimit'> | null,
): string | undefined {
  const needsTwo =
    alone?.needsTwo ??
    (risk?.level === 'high' || amount > (settings?.twoPersonLimit ?? Number.POSITIVE_INFINITY))
  const isOwn = me !== null && steps.findLast(({ step }) => step === 'approved')?.by?._id === me._id
  return needsTwo && isOwn ? 'You approved it, so another operator must record the payment.' : undefined
}
