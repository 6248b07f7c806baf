import { Button } from '../../design/Button.tsx'
import { Money } from '../../design/Money.tsx'
import { MoneyField, type MoneyFieldProps } from '../../design/MoneyField.tsx'

interface AmountFieldProps {
  /** What can be withdrawn now, in USD. */
  available: number
  field: Omit<MoneyFieldProps, 'label'>
  onAll: () => void
}

/** The amount, with what is available and a button that takes all of it. */
export function AmountField({ available, field, onAll }: AmountFieldProps) {
  return (
    <MoneyField
      label="Amount in USD"
      hint={
        <span className="row">
          <span>
            Available: <Money value={available} />
          </span>
          <Button size="small" onClick={onAll} disabled={available <= 0}>
            Withdraw all
          </Button>
        </span>
      }
      {...field}
    />
  )
}
