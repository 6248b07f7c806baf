import { createContext, useContext } from 'react'
import { formatUsd } from '../contract/money.ts'
import { joinClasses } from './classes.ts'
import styles from './Money.module.css'

export interface MoneyProps {
  /** USD. */
  value: number
  /** `always` also shows a plus. */
  sign?: 'negative' | 'always'
  /** `result` colours by sign. */
  tone?: 'plain' | 'result'
}

/** Whether each `Money` inside shows dots instead of its amount. */
export const AmountsHidden = createContext(false)

/** An amount of USD: tabular digits, always with cents, a real minus sign, announced as "minus $3.00". */
export function Money({ value, sign = 'negative', tone = 'plain' }: MoneyProps) {
  if (useContext(AmountsHidden)) {
    return (
      <span className={styles.money}>
        <span aria-hidden="true">•••••</span>
        <span className="visually-hidden">amount hidden</span>
      </span>
    )
  }
  const text = formatMoney(value, sign)
  const colour = tone === 'plain' || value === 0 ? undefined : value > 0 ? styles.gain : 'loss'
  return (
    <span className={joinClasses(styles.money, colour)}>
      {value < 0 ? (
        <>
          <span aria-hidden="true">{text}</span>
          <span className="visually-hidden">{`minus ${formatMoney(-value, 'negative')}`}</span>
        </>
      ) : (
        text
      )}
    </span>
  )
}

export function formatMoney(value: number, sign: 'negative' | 'always' = 'negative'): string {
  return sign === 'always' && value > 0 ? `+${formatUsd(value)}` : formatUsd(value)
}
