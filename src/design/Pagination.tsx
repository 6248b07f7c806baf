import { Button } from './Button.tsx'
import styles from './Pagination.module.css'

export interface PaginationProps {
  hasMore: boolean
  pending: boolean
  onMore: () => void
}

/** A further page is added under the last one, so that nothing that was read moves. */
export function Pagination({ hasMore, pending, onMore }: PaginationProps) {
  if (!hasMore) return null
  return (
    <div className={styles.pagination}>
      <Button busy={pending} onClick={onMore}>
        Show more
      </Button>
    </div>
  )
}
