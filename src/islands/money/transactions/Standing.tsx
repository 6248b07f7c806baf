import { useEffect, useState } from 'react'
import type { Transaction } from '../../../contract/money/transactions.ts'
import { Button } from '../../../design/Button.tsx'
import type { TableRows } from '../../../design/Table.tsx'
import styles from './Transactions.module.css'

interface StandingProps {
  data: TableRows<Transaction>
  hasMore: boolean
  filtered: boolean
  onClear: () => void
}

/** How many are shown, in which order and time, and the way back to all of them. */
export function Standing({ data, hasMore, filtered, onClear }: StandingProps) {
  const [zone, setZone] = useState('')
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone), [])
  const count = data.state === 'ready' ? data.rows.length : 0
  const isOld = data.state === 'ready' && data.isOld === true
  return (
    <div className={styles.standing}>
      <p>
        Days and times are yours
        {zone && ` (${zone.replaceAll('_', ' ')})`}.{' '}
        <span role="status">{isOld ? 'Loading…' : count > 0 && countWords(count, hasMore, filtered)}</span>
      </p>
      {filtered && count > 0 && (
        <Button size="small" variant="quiet" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </div>
  )
}

function countWords(count: number, hasMore: boolean, filtered: boolean): string {
  const what = `${count.toLocaleString('en-US')} ${count === 1 ? 'transaction' : 'transactions'}`
  if (hasMore) return `The newest ${what}${filtered ? ' that match' : ''}; there are more.`
  return `${what}${filtered ? (count === 1 ? ' matches' : ' match') : ''}, newest first.`
}
