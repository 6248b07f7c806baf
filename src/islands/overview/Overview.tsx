import { useState } from 'react'
import { ButtonLink } from '../../design/ButtonLink.tsx'
import { ErrorBoundary } from '../../design/ErrorBoundary.tsx'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { Modal } from '../../design/Modal.tsx'
import { Money } from '../../design/Money.tsx'
import { Notice } from '../../design/Notice.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { Tile, Tiles } from '../../design/Tiles.tsx'
import { OnDemand } from '../lib/OnDemand.tsx'
import { useResource } from '../lib/resource.ts'
import { isDue } from '../notification/isDue.ts'
import type { Notification } from '../notification/NotificationDialog.tsx'
import { BalanceCourse } from './BalanceCourse.tsx'
import { type Explained, FIGURE_TITLES } from './explained.ts'
import { type Figures, loadFigures } from './figures.ts'
import { Market } from './Market.tsx'
import styles from './Overview.module.css'

/** Where an investor stands: profit, balance, and the two ways on. */
export function Overview() {
  return (
    <ErrorBoundary home="/dashboard/overview">
      <Screen />
    </ErrorBoundary>
  )
}

function Screen() {
  const resource = useResource('figures', loadFigures)
  const figures = resource.state === 'ready' ? resource.data : undefined
  return (
    <div className={styles.screen}>
      <section className={styles.head} aria-labelledby="total-profit">
        <div>
          <h2 id="total-profit" className={styles.label}>
            Total Profit
          </h2>
          <p className={styles.profit}>
            {figures ? (
              <Money value={figures.profits} sign="always" />
            ) : (
              <Skeleton width="long" height="figure" />
            )}
          </p>
          <p className={styles.note}>
            <Available figures={figures} />
          </p>
        </div>
        <div className={styles.actions}>
          <ButtonLink href="/dashboard/withdrawal">Withdraw</ButtonLink>
          <ButtonLink href="/dashboard/deposit" variant="primary">
            Deposit
          </ButtonLink>
        </div>
      </section>
      {resource.state === 'failed' && <LoadFailure msg={resource.msg} onRetry={resource.reload} />}
      {figures && figures.owed > 0 && <Owed owed={figures.owed} />}
      {resource.state !== 'failed' && <Balance figures={figures} />}
      <BalanceCourse />
      <Market />
      {figures?.notification && isDue(figures.notification) && (
        <Notified notification={figures.notification} />
      )}
    </div>
  )
}

// Fetched only where there is something to show.
function Notified({ notification }: { notification: Notification }) {
  const part = useResource('notification', () => import('../notification/NotificationDialog.tsx'))
  return part.state === 'ready' && <part.data.NotificationDialog notification={notification} />
}

function Available({ figures }: { figures: Figures | undefined }) {
  if (figures === undefined) return <Skeleton width="long" />
  return (
    <>
      <Money value={figures.available} /> available to withdraw
    </>
  )
}

function Owed({ owed }: { owed: number }) {
  return (
    <Notice tone="caution" title="Owed">
      <Money value={owed} /> is owed: a credit was taken back after a part of it was spent. The next credits
      repay it first.
    </Notice>
  )
}

function Balance({ figures }: { figures: Figures | undefined }) {
  const [explained, setExplained] = useState<Explained | null>(null)
  const tile = (figure: Explained) => ({
    label: FIGURE_TITLES[figure],
    amount: figures?.[figure],
    onExplain: figures && (() => setExplained(figure)),
  })
  return (
    <section aria-labelledby="balance-summary" aria-busy={figures === undefined}>
      <h2 id="balance-summary" className={styles.heading}>
        Balance Summary
      </h2>
      <Tiles>
        <Tile {...tile('totalBalance')} hint="profits + deposits + bonus − withdrawals" />
        <Tile {...tile('deposits')} hint="credited so far" />
        <Tile {...tile('pendingDeposits')} hint="awaiting approval" />
        <Tile {...tile('withdrawals')} hint="paid out so far" />
        <Tile {...tile('pendingWithdrawals')} hint="held until paid or given back" />
        <Tile {...tile('bonus')} hint="granted so far" />
      </Tiles>
      <Modal
        open={explained !== null}
        onClose={() => setExplained(null)}
        title={explained ? FIGURE_TITLES[explained] : ''}
        size="large"
      >
        {explained && figures && (
          <OnDemand name="figure explained" load={() => import('./FigureExplained.tsx')}>
            {({ FigureExplained }) => <FigureExplained figure={explained} figures={figures} />}
          </OnDemand>
        )}
      </Modal>
    </section>
  )
}
