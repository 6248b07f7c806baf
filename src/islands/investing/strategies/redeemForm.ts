import * as z from 'zod/mini'
import { codeField } from '../../../contract/fields.ts'
import type { Position } from '../../../contract/investing/allocations.ts'
import { bankWithdrawal, cryptoWithdrawal } from '../../../contract/money/withdrawals.ts'
import { parseUsd } from '../../../contract/money.ts'
import { cryptoWithdrawalForm } from '../../money/withdrawals/address.ts'

const typed = () => z.optional(z.string())

/** What the form for a redemption asks: an amount or all, and, where it is to be withdrawn, how and where to. */
export const redeemForm = z
  .object({
    all: z.optional(z.boolean()),
    withdraws: z.optional(z.boolean()),
    ...asTyped(cryptoWithdrawal.shape),
    ...asTyped(bankWithdrawal.shape),
    code: codeField(),
  })
  .check(({ value, issues }) => {
    const refuse = (name: string, message: string) =>
      issues.push({ code: 'custom', message, path: [name], input: value })
    if (!value.all && parseUsd(value.amount ?? '') === null)
      refuse('amount', 'Please input the amount to redeem in USD, or choose all')
    if (!value.withdraws) return
    const destination = toBank(value) ? bankWithdrawal : cryptoWithdrawalForm
    // Of a withdrawal all but the amount, which is what the units bring.
    const found = destination.safeParse({ ...value, address: value.address ?? '', amount: '1' })
    for (const { path, message } of found.error?.issues ?? []) refuse(String(path[0]), message)
  })

type Typed = z.input<typeof redeemForm>

/** What is sent of it. */
export function redemptionOf(values: Typed) {
  const { all, amount, withdraws, type, network, address, code, passkey, ...bank } = values
  return {
    amount: all ? 'all' : (amount ?? ''),
    ...(withdraws && {
      thenWithdraw: toBank(values) ? bank : { type, network, address: (address ?? '').trim() },
    }),
    ...(withdraws && code && { code }),
    ...(withdraws && passkey && { passkey }),
  }
}

/** Whether the proceeds go to a bank; otherwise they go to a wallet. */
function toBank({ withdrawalMethod }: Pick<Typed, 'withdrawalMethod'>): boolean {
  return withdrawalMethod === 'bank'
}

/** What can be redeemed still, in cents: what is asked back already is spoken for. */
export function leftCents({ value, pendingOut }: Pick<Position, 'value' | 'pendingOut'>): number {
  return Math.max(0, Math.round((value - pendingOut) * 100))
}

/** Fields as they are typed: each is checked only where it is asked for. */
function asTyped<Shape extends object>(shape: Shape) {
  const fields = Object.keys(shape).map((name) => [name, typed()])
  return Object.fromEntries(fields) as { [Name in keyof Shape]: ReturnType<typeof typed> }
}
