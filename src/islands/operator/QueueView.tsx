import { Keyboard, RefreshCw } from 'lucide-react'
import { Button } from '../../design/Button.tsx'
import { Pagination } from '../../design/Pagination.tsx'
import { Panel } from '../../design/Panel.tsx'
import { type Column, Table } from '../../design/Table.tsx'
import styles from './QueueView.module.css'
import { type Filter, StatusFilter } from './StatusFilter.tsx'
import type { Identified } from './useDecided.ts'
import type { Queue } from './useQueue.ts'

export interface QueueViewProps<Row> {
  /** What is listed, in lower case: "deposits". */
  what: string
  filters: readonly Filter[]
  columns: readonly Column<Row>[]
  /** Undefined while the page is built: the same view, waiting. */
  queue?: Queue<Row>
  /** Shows what the keys do. */
  onHelp?: () => void
}

/** Filter, refresh and table of a queue, in all states of the list. */
export function QueueView<Row extends Identified>(props: QueueViewProps<Row>) {
  const { what, filters, columns, queue, onHelp } = props
  const shown = filters.find(({ value }) => value === queue?.status)
  return (
    <Panel>
      <div className={styles.bar}>
        <StatusFilter
          label={`Which ${what} to show`}
          filters={filters}
          value={queue?.status ?? filters[0]?.value ?? ''}
          onChange={(status) => queue?.show(status)}
        />
        <div className={styles.tools}>
          <Button
            variant="quiet"
            size="small"
            icon={<RefreshCw aria-hidden="true" size={16} />}
            onClick={queue?.reload}
          >
            Refresh
          </Button>
          <Button
            variant="quiet"
            size="small"
            icon={<Keyboard aria-hidden="true" size={16} />}
            aria-haspopup="dialog"
            onClick={onHelp}
          >
            Keyboard
          </Button>
        </div>
      </div>
      <Table
        caption={`${shown && shown.value !== '' ? shown.label : 'All'} ${what}`}
        columns={columns}
        data={queue?.data ?? { state: 'loading' }}
        rowKey={({ _id }) => _id}
        emptyText={emptyText(what, shown)}
        {...(queue && { onRetry: queue.reload, onOpen: queue.open })}
        footer={queue && <Pagination {...queue.more} />}
      />
    </Panel>
  )
}

function emptyText(what: string, shown: Filter | undefined): string {
  return shown === undefined || shown.value === ''
    ? `There are no ${what} yet.`
    : `No ${what} here: nothing is ${shown.label.toLowerCase()}.`
}
