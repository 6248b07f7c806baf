import { useState } from 'react'
import type { Limits } from '../../../contract/money/limits.ts'
import { Button } from '../../../design/Button.tsx'
import { MoneyField } from '../../../design/Field.tsx'
import { Money } from '../../../design/Money.tsx'
import type { FieldAttributes } from '../../lib/form.ts'
import type { FieldValue } from '../../lib/formControls.ts'
import { amountProblem, isBeyond, limitWords } from '../requests/limits.ts'

interface AmountFieldProps {
  limits: Limits
  field: FieldAttributes
  form: {
    watch: (name: 'amount') => FieldValue
    setValue: (name: 'amount', value: string) => void
    clearErrors: (name: 'amount') => void
    trigger: (name: 'amount') => void
  }
}

export function AmountField({ limits, field, form }: AmountFieldProps) {
  const [isLeft, setLeft] = useState(false)
  const { available } = limits
  const typed = form.watch('amount')
  const takeAll = () => {
    form.setValue('amount', available.toFixed(2))
    form.clearErrors('amount')
  }
  // Too large an amount is reported while typing; too small a one only after the field lost focus.
  const problem = isLeft || isBeyond(limits, typed) ? amountProblem(limits, 'withdrawals', typed) : null
  return (
    <MoneyField
      label="Amount in USD"
      hint={
        <>
          <span className="row">
            <span>
              Available: <Money value={available} />
            </span>
            <Button size="small" onClick={takeAll} disabled={available <= 0}>
              Withdraw all
            </Button>
          </span>
          {limitWords(limits, 'withdrawals').join(' ')}
        </>
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
