import type { ReactNode } from 'react'
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
  /** The same for everybody, such as a price or a minimum: stays visible while a person hides their amounts. */
  isPublic?: boolean
}

/** An amount of USD: tabular digits, always with cents, a real minus sign, announced as "minus $3.00". */
export function Money({ value, sign = 'negative', tone = 'plain', isPublic = false }: MoneyProps) {
  const text = formatMoney(value, sign)
  const colour = tone === 'plain' || value === 0 ? undefined : value > 0 ? styles.gain : 'loss'
  const amount = (
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
  return isPublic ? amount : <OwnAmount>{amount}</OwnAmount>
}

/** An amount of the person who reads it, such as of units or coins. It becomes dots on the screen while they hide their amounts. */
export function OwnAmount({ children }: { children: ReactNode }) {
  return (
    <span className={styles.own}>
      <span>{children}</span>
    </span>
  )
}

const WRITTEN_AMOUNT = /[+−]?\$[\d,]+(?:\.\d+)?|\d[\d,.]*(?= (?:BTC|ETH|USDT|USDC|units)\b)/

/** A text about the account of the person who reads it, such as a notification: its amounts are theirs. */
export function OwnAmounts({ text }: { text: string }) {
  const amount = WRITTEN_AMOUNT.exec(text)
  if (amount === null) return <span>{text}</span>
  return (
    <>
      <span>{text.slice(0, amount.index)}</span>
      <OwnAmount>{amount[0]}</OwnAmount>
      <OwnAmounts text={text.slice(amount.index + amount[0].length)} />
    </>
  )
}

export function formatMoney(value: number, sign: 'negative' | 'always' = 'negative'): string {
  return sign === 'always' && value > 0 ? `+${formatUsd(value)}` : formatUsd(value)
}
