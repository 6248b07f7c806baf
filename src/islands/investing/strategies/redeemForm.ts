import * as z from 'zod/mini'
import { codeField } from '../../../contract/fields.ts'
import type { Position } from '../../../contract/investing/allocations.ts'
import { cryptoWithdrawal } from '../../../contract/money/withdrawals.ts'
import { parseUsd } from '../../../contract/money.ts'
import { cryptoWithdrawalForm } from '../../money/withdrawals/address.ts'
import { bankFormFields, bankWithdrawalForm, pickBankFields } from '../../money/withdrawals/bankAccount.ts'

const createTextField = () => z.optional(z.string())

/** An amount or "all", and the destination if the proceeds are to be withdrawn. */
export const redeemForm = z
  .object({
    all: z.optional(z.boolean()),
    withdraws: z.optional(z.boolean()),
    ...makeOptional(cryptoWithdrawal.shape),
    ...makeOptional(bankFormFields),
    isFull: z.optional(z.boolean()),
    code: codeField(),
  })
  .check(({ value, issues }) => {
    const refuse = (name: string, message: string) =>
      issues.push({ code: 'custom', message, path: [name], input: value })
    if (!value.all && parseUsd(value.amount ?? '') === null)
      refuse('amount', 'Please input the amount to redeem in USD, or choose all')
    if (!value.withdraws) return
    const destination = toBank(value) ? bankWithdrawalForm : cryptoWithdrawalForm
    // The withdrawal amount is the proceeds, which are not known yet, so it is not checked.
    const found = destination.safeParse({ ...value, address: value.address ?? '', amount: '1' })
    for (const { path, message } of found.error?.issues ?? []) refuse(String(path[0]), message)
  })

type RedeemInput = z.input<typeof redeemForm>

export function buildRedemption(values: RedeemInput) {
  const { all, amount, withdraws, type, network, address, code, passkey, ...bank } = values
  return {
    amount: all ? 'all' : (amount ?? ''),
    ...(withdraws && {
      thenWithdraw: toBank(values)
        ? pickBankFields(bank)
        : { type, network, address: (address ?? '').trim() },
    }),
    ...(withdraws && code && { code }),
    ...(withdraws && passkey && { passkey }),
  }
}

function toBank({ withdrawalMethod }: Pick<RedeemInput, 'withdrawalMethod'>): boolean {
  return withdrawalMethod === 'bank'
}

/** What can still be redeemed, in cents: the value less pending redemptions. */
export function computeRedeemableCents({
  value,
  pendingOut,
}: Pick<Position, 'value' | 'pendingOut'>): number {
  return Math.max(0, Math.round((value - pendingOut) * 100))
}

/** Makes all fields optional, because the check above knows which are needed. */
function makeOptional<Shape extends object>(shape: Shape) {
  const fields = Object.keys(shape).map((name) => [name, createTextField()])
  return Object.fromEntries(fields) as { [Name in keyof Shape]: ReturnType<typeof createTextField> }
}
