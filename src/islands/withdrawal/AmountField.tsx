import { Button } from '../../design/Button.tsx'
import { Money } from '../../design/Money.tsx'
import { MoneyField, type MoneyFieldProps } from '../../design/MoneyField.tsx'
import styles from './AmountField.module.css'

interface AmountFieldProps {
  /** What can be withdrawn now, in USD. */
  available: number
  field: Omit<MoneyFieldProps, 'label'>
  onAll: () => void
}

/** The amount, with what is available and a button that takes all of it. */
export function AmountField({ available, field, onAll }: AmountFieldProps) {
  return (
    <div className={styles.amount}>
      <MoneyField
        label="Amount in USD"
        hint={
          <>
            Available: <Money value={available} />
          </>
        }
        placeholder="500.00"
        {...field}
      />
      <Button size="small" onClick={onAll} disabled={available <= 0}>
        Withdraw all
      </Button>
    </div>
  )
}
