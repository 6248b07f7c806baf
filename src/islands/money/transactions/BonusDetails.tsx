import { ENTRY_WORDS, type LedgerEntry } from '../../../contract/money/statements.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Money } from '../../../design/Money.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status } from '../../../design/Status.tsx'
import { toIsoDay } from '../../lib/days.ts'
import { getStatus } from './rows.ts'
import styles from './Transactions.module.css'

interface BonusDetailsProps {
  /** Undefined if it is not in the list. */
  bonus: LedgerEntry | undefined
  isLoading: boolean
  onClose: () => void
}

export function BonusDetails({ bonus, isLoading, onClose }: BonusDetailsProps) {
  return (
    <Modal open onClose={onClose} title={bonus ? ENTRY_WORDS[bonus.code] : 'Bonus'}>
      {bonus ? (
        <>
          <div className={styles.amount}>
            <Money value={bonus.change} sign="always" />
            <Status status={getStatus(bonus)} />
          </div>
          <Facts facts={[{ label: 'Date', value: <DateTime at={bonus.at} /> }]} />
          <p className="small">
            <a href={`/dashboard/statement?from=${toIsoDay(bonus.at)}&to=${toIsoDay(bonus.at)}`}>
              See the statement with this entry
            </a>
          </p>
        </>
      ) : isLoading ? (
        <Skeleton width="long" />
      ) : (
        <p>This bonus is not in the list. Your statement shows all of them.</p>
      )}
    </Modal>
  )
}
