import { Download, Keyboard, RefreshCw } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { Button } from '../../../design/Button.tsx'
import { Pagination } from '../../../design/Pagination.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { saveFile } from '../../lib/saveFile.ts'
import { QueueSearch } from './QueueSearch.tsx'
import styles from './QueueView.module.css'
import { type Filter, StatusFilter } from './StatusFilter.tsx'
import type { Identified } from './useDecided.ts'
import type { Queue } from './useQueue.ts'

export interface QueueViewProps<Row> {
  /** What is listed, in lower case: "deposits". */
  what: string
  /** A part of which a row is found by: "Name, e-mail or reference". Left out for a list that is neither searched nor saved as a file. */
  searchedBy?: string | undefined
  filters: readonly Filter[]
  columns: readonly Column<Row>[]
  /** Undefined while the page is built: the same view, waiting. */
  queue?: Queue<Row>
  /** Shows what the keys do. */
  onHelp?: () => void
  /** Where the search is typed. */
  searchField: RefObject<HTMLInputElement | null>
  onSearched: () => void
}

/** Filter, search, file and table of a queue, in all states of the list. */
export function QueueView<Row extends Identified>(props: QueueViewProps<Row>) {
  const { what, filters, columns, queue } = props
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
        <Refresh what={what} queue={queue} />
        {props.searchedBy !== undefined && (
          <QueueSearch
            what={what}
            by={props.searchedBy}
            query={queue?.query ?? ''}
            onFind={(query) => queue?.find(query)}
            field={props.searchField}
            onDone={props.onSearched}
          />
        )}
        <div className={styles.tools}>
          {props.searchedBy !== undefined && <Export what={what} queue={queue} />}
          <Button
            variant="quiet"
            size="small"
            className={styles.help}
            icon={<Keyboard aria-hidden="true" size={16} />}
            aria-haspopup="dialog"
            onClick={props.onHelp}
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
        emptyText={emptyText(what, shown, queue?.query ?? '')}
        {...(queue && { onRetry: queue.reload, onOpen: queue.open })}
        footer={queue && <Pagination {...queue.more} />}
      />
    </Panel>
  )
}

interface ToolProps<Row> {
  what: string
  queue: Queue<Row> | undefined
}

/** Loads the list anew; says how many have come in since, in place of its own name, so that nothing moves. */
function Refresh<Row>({ what, queue }: ToolProps<Row>) {
  const arrived = queue?.arrived ?? 0
  return (
    <div className={styles.refresh}>
      <Button
        variant={arrived > 0 ? 'secondary' : 'quiet'}
        size="small"
        icon={<RefreshCw aria-hidden="true" size={16} />}
        onClick={queue?.reload}
      >
        {arrived > 0 ? `${arrived} new: show them` : 'Refresh'}
      </Button>
      <span role="status" className="visually-hidden">
        {arrived > 0 && `${arrived} new ${what}`}
      </span>
    </div>
  )
}

/** Saves all that is found as a file; that somebody did is recorded. */
function Export<Row>({ what, queue }: ToolProps<Row>) {
  const [isSaving, setSaving] = useState(false)
  const save = async () => {
    if (queue === undefined) return
    setSaving(true)
    try {
      saveFile(`${what}-${new Date().toISOString().slice(0, 10)}.csv`, await queue.exported())
    } catch {
      // It was said in a toast.
    } finally {
      setSaving(false)
    }
  }
  return (
    <Button
      variant="quiet"
      size="small"
      icon={<Download aria-hidden="true" size={16} />}
      busy={isSaving}
      onClick={save}
    >
      Export as CSV
    </Button>
  )
}

function emptyText(what: string, shown: Filter | undefined, query: string): string {
  if (query !== '')
    return `No ${what} here are found by “${query}”. Try another part of it, or another filter.`
  return shown === undefined || shown.value === ''
    ? `There are no ${what} yet.`
    : `No ${what} here: nothing is ${shown.label.toLowerCase()}.`
}
