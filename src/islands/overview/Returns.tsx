import { type ReactNode, useState } from 'react'
import { formatDay } from '../../contract/dates.ts'
import type { DayValue } from '../../contract/money/statements.ts'
import { joinClasses } from '../../design/classes.ts'
import { InfoButton } from '../../design/InfoButton.tsx'
import { Modal } from '../../design/Modal.tsx'
import { Money } from '../../design/Money.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import type { Fresh, Resource } from '../lib/resource.ts'
import styles from './Returns.module.css'
import { type AccountReturns, computeAccountReturns, computeGain, formatShare } from './returns.ts'

interface ReturnsProps {
  /** The total profit in USD. Undefined until it is loaded. */
  profits: number | undefined
  /** Whether the total profit could not be loaded. */
  isFailed: boolean
  course: Resource<Fresh<readonly DayValue[]>>
}

/**
 * The gain or loss of today, of 30 days and since the start, each with the money-weighted return of all money, cash included. The
 * course covers a year: an older account has a part for it, and no return beside the profit since its start.
 */
export function Returns({ profits, isFailed, course }: ReturnsProps) {
  const days = course.state === 'ready' ? course.data.data : undefined
  const returns = days && computeAccountReturns(days)
  const renderGain = (usd: number | undefined, hasFailed: boolean, early?: string) =>
    usd !== undefined ? (
      <Money value={usd} sign="always" tone="result" />
    ) : hasFailed ? (
      'Not known right now'
    ) : (
      <Skeleton width="short" early={early} />
    )
  const renderPart = (label: string, count: number, children?: ReactNode) => (
    <Part
      label={label}
      gain={renderGain(days && computeGain(days, count), course.state === 'failed')}
      share={days && computeAccountReturns(days.slice(-count - 1))?.moneyWeighted}
      isLoading={course.state === 'loading'}
    >
      {children}
    </Part>
  )
  return (
    <dl className={styles.parts}>
      {renderPart('Today', 1)}
      {renderPart('30 days', 30)}
      <Part
        label={
          <span>
            <span id="total-profit">Total Profit</span>{' '}
            <span>{returns && !returns.isCut && `since ${formatDay(returns.from, days?.at(-1)?.day)}`}</span>
          </span>
        }
        gain={renderGain(profits, isFailed, '+profits')}
        share={returns?.isCut ? undefined : returns?.moneyWeighted}
        isLoading={course.state === 'loading'}
      >
        {returns && !returns.isCut && <BothReturns returns={returns} />}
      </Part>
      {returns?.isCut && renderPart('365 days', 365, <BothReturns returns={returns} />)}
    </dl>
  )
}

interface PartProps {
  label: ReactNode
  gain: ReactNode
  /** 0.12 is 12 %. */
  share: number | null | undefined
  isLoading: boolean
  children?: ReactNode
}

function Part({ label, gain, share, isLoading, children }: PartProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={styles.gain}>{gain}</dd>
      <dd className={joinClasses(styles.share, getTone(share ?? 0))}>
        <span>{isLoading ? <Skeleton width="short" /> : share !== undefined && formatShare(share)}</span>
        {children}
      </dd>
    </div>
  )
}

function BothReturns({ returns: { from, isCut, moneyWeighted, timeWeighted } }: { returns: AccountReturns }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <InfoButton label="How the return is calculated" onClick={() => setOpen(true)} />
      <Modal open={isOpen} onClose={() => setOpen(false)} title="Your return">
        <p>
          <span>{isCut ? 'Of the last 365 days' : `Since ${formatDay(from)}`}</span>, after costs and fees,
          with the cash in your account. Payments in and out are not gains or losses. There are two ways to
          calculate it:
        </p>
        <dl className={styles.ways}>
          <dt>Money-weighted, which the overview shows</dt>
          <dd className={styles.gain}>{formatShare(moneyWeighted)}</dd>
          <dd>What your money earned. It depends on when you paid in and took out.</dd>
          <dt>Time-weighted</dt>
          <dd className={styles.gain}>{formatShare(timeWeighted)}</dd>
          <dd>
            What each dollar earned that was there all the time. Use it to compare with a fund or another
            account.
          </dd>
        </dl>
      </Modal>
    </>
  )
}

function getTone(share: number): string | undefined {
  return share > 0 ? styles.won : share < 0 ? 'loss' : undefined
}
