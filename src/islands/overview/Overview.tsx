import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { UserInfo } from '../../contract/identity/userInfo.ts'
import type { Position } from '../../contract/investing/allocations.ts'
import { ButtonLink } from '../../design/Button.tsx'
import { joinClasses } from '../../design/classes.ts'
import { DateTime } from '../../design/DateTime.tsx'
import { withErrorBoundary } from '../../design/ErrorBoundary.tsx'
import { Modal } from '../../design/Modal.tsx'
import { formatMoney, Money } from '../../design/Money.tsx'
import { LoadFailure, Notice } from '../../design/Notice.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { Tile, Tiles } from '../../design/Tiles.tsx'
import { listShownPositions, MarketTables, POSITION_COLUMNS } from '../investing/strategies/positions.tsx'
import { call } from '../lib/api.ts'
import { type Fresh, useFresh } from '../lib/resource.ts'
import { isDue, NotificationWindow } from '../outreach/notifications/NotificationWindow.tsx'
import { Allocation } from './Allocation.tsx'
import { BalanceCourse, loadCourse } from './BalanceCourse.tsx'
import { FigureExplained } from './FigureExplained.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { FIGURE_TITLES, type Figures, loadStanding, type TileFigure } from './figures.ts'
import market from './Market.module.css'
import styles from './Overview.module.css'
import { Returns } from './Returns.tsx'

export const Overview = withErrorBoundary(Screen, '/dashboard/overview')

const AVAILABLE = ' available to withdraw'

/** Less cash than this is not called idle: the smallest allocation, in USD. */
const IDLE = 10

function Screen() {
  const resource = useFresh('standing', loadStanding)
  const course = useFresh('course', loadCourse)
  const fresh = resource.state === 'ready' ? resource.data : undefined
  const figures = fresh?.data.figures
  const positions = fresh?.data.positions
  const isFailed = resource.state === 'failed'
  const progress = fresh?.data.progress ?? null
  const isIdle = figures !== undefined && figures.owed === 0 && figures.available >= IDLE
  return (
    <div className={styles.screen}>
      <section className={styles.head} aria-labelledby="total-profit">
        <div>
          <p className={styles.label}>Value</p>
          <p className={joinClasses(styles.value, figures && isLong(figures.totalBalance) && styles.long)}>
            {figures ? (
              <Money value={figures.totalBalance} />
            ) : isFailed ? (
              '–'
            ) : (
              <Skeleton width="long" height="figure" early="totalBalance" />
            )}
          </p>
          <p className={styles.note}>
            {fresh ? (
              <Available figures={fresh.data.figures} fresh={fresh} />
            ) : (
              !isFailed && (
                <>
                  <Skeleton width="medium" early="available" />
                  <span className={styles.words}>{AVAILABLE}</span>
                </>
              )
            )}
          </p>
        </div>
        <div className={styles.actions}>
          <ButtonLink href="/dashboard/withdrawal">Withdraw</ButtonLink>
          <ButtonLink
            href="/dashboard/deposit"
            variant={figures && !isIdle && progress === null ? 'primary' : 'secondary'}
          >
            Deposit
          </ButtonLink>
          <ButtonLink href="/dashboard/strategies" variant={isIdle ? 'primary' : 'secondary'}>
            Invest
          </ButtonLink>
        </div>
        <div className={styles.returns}>
          {figures && progress ? (
            <p className={styles.note}>
              <span id="total-profit">Total Profit</span> <Money value={figures.profits} />
            </p>
          ) : (
            <Returns profits={figures?.profits} isFailed={isFailed} course={course} />
          )}
        </div>
      </section>
      {resource.state === 'failed' && <LoadFailure msg={resource.msg} onRetry={resource.reload} />}
      {figures && figures.owed > 0 && <Owed owed={figures.owed} />}
      {figures && progress ? (
        <>
          <FirstSteps progress={progress} pendingDeposits={figures.pendingDeposits} />
          {/* A key of its own: moved, the other one would count as a layout shift. */}
          <Balance key="new" figures={figures} onExplain={resource.reload} />
        </>
      ) : (
        <>
          <BalanceCourse course={course} />
          {!isFailed && <Allocation figures={figures} positions={positions} />}
          {!isFailed && <Invested positions={positions} />}
          {!isFailed && <Balance figures={figures} onExplain={resource.reload} />}
        </>
      )}
      {/* Before, it is not known what is above it, and it would be seen to move. */}
      <Market isShown={figures !== undefined || isFailed} />
      {figures?.notification && isDue(figures.notification) && (
        // The key opens a new dialog for a new notification.
        <NotificationDialog
          key={figures.notification.title + figures.notification.content}
          notification={figures.notification}
        />
      )}
    </div>
  )
}

/** Whether the amount is too long for a phone in the large size. */
function isLong(usd: number): boolean {
  return formatMoney(usd, 'always').length > 12
}

function Available({ figures, fresh }: { figures: Figures; fresh: Fresh<unknown> }) {
  return (
    <span>
      <Money value={figures.available} />
      {AVAILABLE}
      {fresh.isOld && (
        <span role="status">
          {' '}
          · as of <DateTime at={new Date(fresh.atMs).toISOString()} />: newer figures could not be loaded
        </span>
      )}
    </span>
  )
}

function Owed({ owed }: { owed: number }) {
  return (
    <Notice tone="caution" title="Amount owed">
      You owe <Money value={owed} />, because a credit was reversed after you had used part of it. Any money
      that comes in repays it first. Until then you cannot withdraw or invest.
    </Notice>
  )
}

interface BalanceProps {
  figures: Figures | undefined
  /** Reloads the figures, so that they match the entries that explain them. */
  onExplain: () => void
}

function Balance({ figures, onExplain }: BalanceProps) {
  const [explained, setExplained] = useState<TileFigure | null>(null)
  const buildTile = (figure: TileFigure) => ({
    label: FIGURE_TITLES[figure],
    amount: figures?.[figure],
    early: figure,
    onExplain:
      figures &&
      (() => {
        setExplained(figure)
        onExplain()
      }),
  })
  return (
    <section aria-labelledby="balance-summary" aria-busy={figures === undefined}>
      <h2 id="balance-summary" className={styles.heading}>
        Balance Summary
      </h2>
      <Tiles isStrip>
        <Tile {...buildTile('totalBalance')} />
        <Tile {...buildTile('deposits')} />
        <Tile {...buildTile('pendingDeposits')} />
        <Tile {...buildTile('withdrawals')} />
        <Tile {...buildTile('pendingWithdrawals')} />
        <Tile {...buildTile('bonus')} />
      </Tiles>
      <Modal
        open={explained !== null}
        onClose={() => setExplained(null)}
        title={explained ? FIGURE_TITLES[explained] : ''}
        size="large"
      >
        {explained && figures && <FigureExplained figure={explained} figures={figures} />}
      </Modal>
    </section>
  )
}

type Notification = NonNullable<UserInfo['notification']>

/** Shown until dismissed. A persistent notification returns on each visit. */
function NotificationDialog({ notification }: { notification: Notification }) {
  const { title, content, persistent } = notification
  const [isOpen, setOpen] = useState(true)
  const dismiss = () => {
    setOpen(false)
    // If this fails, the notification is shown again on the next visit.
    if (!persistent) markSeen({ title, content }).catch(() => {})
  }
  return <NotificationWindow title={title} content={content} open={isOpen} onClose={dismiss} />
}

/** Loads the profile's contract when it is needed, because it carries the list of countries. */
async function markSeen(notification: { title: string; content: string }): Promise<void> {
  const { patchUserInfo } = await import('../../contract/identity/profile.ts')
  await call(patchUserInfo, { body: { seen: true, notification }, quiet: true })
}

const MarketLists = lazy(() =>
  import('./MarketLists.tsx').then(({ MarketLists }) => ({ default: MarketLists })),
)

/** Loads when it is about to be seen. */
function Market({ isShown }: { isShown: boolean }) {
  const place = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (place.current === null) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setSeen(true)
      },
      { rootMargin: '200px' },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <section
      ref={place}
      className={joinClasses(market.frame, !isShown && market.unseen)}
      aria-labelledby="market"
    >
      <h2 id="market" className={styles.heading}>
        Market
      </h2>
      <div className={market.market}>
        {isSeen ? (
          <Suspense fallback={<MarketWaits />}>
            <MarketLists />
          </Suspense>
        ) : (
          <MarketWaits />
        )}
      </div>
    </section>
  )
}

/** As tall as the lists at first. It is quiet: the lists announce their own loading. */
function MarketWaits() {
  return (
    <div className={market.waits} aria-hidden="true">
      {MARKET_ROWS.map((row) => (
        <Skeleton key={row} />
      ))}
    </div>
  )
}

const MARKET_ROWS = [1, 2, 3, 4, 5, 6, 7, 8]

function Invested({ positions }: { positions: readonly Position[] | undefined }) {
  return (
    <section aria-labelledby="invested">
      <h2 id="invested" className={styles.heading}>
        Invested
      </h2>
      <MarketTables
        caption="What is invested, by strategy"
        columns={POSITION_COLUMNS}
        data={positions ? { state: 'ready', rows: listShownPositions(positions) } : { state: 'loading' }}
        rowKey={({ _id }) => _id}
        skeletonRows={3}
        emptyText={
          <span>
            Nothing is invested. Choose one of the <a href="/dashboard/strategies">strategies</a>.
          </span>
        }
        hrefOf={({ strategy }) => `/dashboard/strategies?strategy=${strategy}`}
      />
    </section>
  )
}
