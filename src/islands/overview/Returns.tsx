import { formatDay } from '../../contract/dates.ts'
import type { DayValue } from '../../contract/money/statements.ts'
import { joinClasses } from '../../design/classes.ts'
import { Skeleton } from '../../design/Skeleton.tsx'
import type { Fresh, Resource } from '../lib/resource.ts'
import styles from './Overview.module.css'
import { computeAccountReturns } from './returns.ts'

type Course = Resource<Fresh<DayValue[]>>

/** Both returns of all the investor's money, cash included. */
export function Returns({ course }: { course: Course }) {
  const returns = course.state === 'ready' ? computeAccountReturns(course.data.data) : null
  const renderFigure = (label: string, share: number | null | undefined) => (
    <div>
      <dt className={styles.label}>{label}</dt>
      <dd className={joinClasses(styles.result, (share ?? 0) < 0 && 'loss')}>
        {course.state === 'loading' ? <Skeleton width="short" /> : formatPercent(share ?? null)}
      </dd>
    </div>
  )
  return (
    <>
      {renderFigure('Money-weighted', returns?.moneyWeighted)}
      {renderFigure('Time-weighted', returns?.timeWeighted)}
    </>
  )
}

/** The period of the returns. */
export function ReturnPeriod({ course }: { course: Course }) {
  if (course.state === 'loading') return <Skeleton width="medium" />
  const returns = course.state === 'ready' ? computeAccountReturns(course.data.data) : null
  if (returns === null) return 'No return before the first whole day'
  return `Returns ${returns.isCut ? 'of the last 365 days' : `since ${formatDay(returns.from)}`}, cash included`
}

/** +3.21%, with a real minus. */
function formatPercent(share: number | null): string {
  if (share === null) return '–'
  const percent = Math.round(share * 10_000) / 100
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent).toFixed(2)}%`
}
