import type { DayValue } from '../../contract/money/statements.ts'
import { Skeleton } from '../../design/Skeleton.tsx'
import type { Fresh, Resource } from '../lib/resource.ts'
import { dayText } from './balanceScale.ts'
import styles from './Overview.module.css'
import { type AccountReturns, accountReturns } from './returns.ts'

/** Both returns of all the investor's money, cash included. */
export function Returns({ course }: { course: Resource<Fresh<DayValue[]>> }) {
  const returns = course.state === 'ready' ? accountReturns(course.data.data) : undefined
  const isLoading = course.state === 'loading'
  return (
    <>
      <Return label="Your return" share={returns?.moneyWeighted} isLoading={isLoading}>
        money-weighted
      </Return>
      <Return label="Return" share={returns?.timeWeighted} isLoading={isLoading}>
        {returns ? `time-weighted, ${periodWords(returns)}` : 'time-weighted'}
      </Return>
    </>
  )
}

interface ReturnProps {
  label: string
  share: number | null | undefined
  isLoading: boolean
  children: string
}

function Return({ label, share, isLoading, children }: ReturnProps) {
  return (
    <div>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.result}>
        {isLoading ? (
          <Skeleton width="short" />
        ) : share === null || share === undefined ? (
          '–'
        ) : (
          percentText(share)
        )}
      </dd>
      <dd className={styles.note}>{children}</dd>
    </div>
  )
}

function periodWords({ from, isCut }: AccountReturns): string {
  return isCut ? 'last 365 days' : `since ${dayText(from)}`
}

/** +3.21%, with a real minus. */
function percentText(share: number): string {
  const percent = Math.round(share * 10_000) / 100
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent).toFixed(2)}%`
}
