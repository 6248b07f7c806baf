import { useState } from 'react'
import type { Network } from '../../../contract/money/coins.ts'
import type { Limits } from '../../../contract/money/limits.ts'
import { Button } from '../../../design/Button.tsx'
import { Money } from '../../../design/Money.tsx'
import { MoneyField } from '../../../design/MoneyField.tsx'
import type { FieldAttributes } from '../../lib/form.ts'
import type { FieldValue } from '../../lib/formControls.ts'
import { findAmountProblem, isBeyond, limitWords } from '../requests/limits.ts'
import { PendingAmount } from '../requests/PendingAmount.tsx'
import styles from './Withdrawal.module.css'

interface AmountFieldProps {
  limits: Limits
  /** Null if it could not be loaded. */
  money: OtherMoney | null
  /** Null for a bank, and until one is chosen. */
  network: Network | null
  field: FieldAttributes
  form: {
    watch: (name: 'amount') => FieldValue
    setValue: (name: 'amount', value: string) => void
    clearErrors: (name: 'amount') => void
    trigger: (name: 'amount') => void
  }
}

/** Money of the investor that is not available now. USD. */
export interface OtherMoney {
  inStrategies: number
  allocating: number
  owed: number
}

export function AmountField({ limits, money, network, field, form }: AmountFieldProps) {
  const [isLeft, setLeft] = useState(false)
  const { available } = limits
  const typed = form.watch('amount')
  const takeAll = () => {
    form.setValue('amount', available.toFixed(2))
    form.clearErrors('amount')
  }
  // Too large an amount is reported while typing; too small a one only after the field lost focus.
  const problem =
    isLeft || isBeyond(limits, typed) ? findAmountProblem(limits, 'withdrawals', typed, network) : null
  return (
    <MoneyField
      label="Amount in USD"
      hint={
        <span>
          <span className="row">
            <span>
              Available: <Money value={available} />
            </span>
            <Button size="small" onClick={takeAll} disabled={available <= 0}>
              Withdraw all
            </Button>
          </span>
          {money && <Elsewhere money={money} />}
          <PendingAmount limits={limits} queue="withdrawals" />
          <span>{limitWords(limits, 'withdrawals', network).join(' ')}</span>
        </span>
      }
      {...field}
      error={field.error ?? problem ?? undefined}
      onBlur={() => {
        setLeft(true)
        if (typed) form.trigger('amount')
      }}
    />
  )
}

function Elsewhere({ money: { inStrategies, allocating, owed } }: { money: OtherMoney }) {
  return (
    <>
      {inStrategies > 0 && (
        <span className={styles.line}>
          <Money value={inStrategies} /> in strategies: <a href="/dashboard/strategies">redeem</a>
        </span>
      )}
      {allocating > 0 && (
        <span className={styles.line}>
          <Money value={allocating} /> in open orders
        </span>
      )}
      {owed > 0 && (
        <span className={styles.line}>
          You owe <Money value={owed} />.
        </span>
      )}
    </>
  )
}
