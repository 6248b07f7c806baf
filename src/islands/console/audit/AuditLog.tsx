import { Download } from 'lucide-react'
import { type AuditEntry, listAuditLog } from '../../../contract/console/audit.ts'
import { Button } from '../../../design/Button.tsx'
import type { Column } from '../../../design/Table.tsx'
import { Pagination } from '../../../design/Table.tsx'
import { useAction } from '../../lib/action.ts'
import { callBlob } from '../../lib/api.ts'
import { isoDay } from '../../lib/days.ts'
import { usePages } from '../../lib/pages.ts'
import { saveFile } from '../../lib/saveFile.ts'
import { NoWrap, NoWrapDate } from '../cases/columns.tsx'
import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { TablePanel } from '../cases/TablePanel.tsx'
import { FilterBar, type Filters, useFilters } from './Filters.tsx'
import { Verify } from './Verify.tsx'
import { sentenceOf } from './words.ts'

/** /operator/audit-log: who did what, when, to whom; and a check that the log is unaltered. */
export function AuditLog() {
  return (
    <OperatorScreen scope="operator:audit.read" waiting={<TablePanel {...LINES} />}>
      {AuditLogScreen}
    </OperatorScreen>
  )
}

function AuditLogScreen() {
  const [filters, setFilters] = useFilters()
  const { data, reload, ...more } = usePages(listAuditLog, filters)
  return (
    <>
      <FilterBar filters={filters} onChange={setFilters} />
      <TablePanel
        {...LINES}
        data={data}
        onRetry={reload}
        footer={<Pagination {...more} />}
        actions={<SaveLog filters={filters} />}
      />
      <Verify />
    </>
  )
}

function SaveLog({ filters }: { filters: Filters }) {
  const { busy, start } = useAction(async () => {
    const file = await callBlob(listAuditLog, { query: { ...filters, format: 'csv' }, quiet: false })
    saveFile(`audit-log-${isoDay(Date.now())}.csv`, file)
  })
  return (
    <Button size="small" busy={busy} onClick={start} icon={<Download aria-hidden="true" size={16} />}>
      Save as CSV
    </Button>
  )
}

const columns: readonly Column<AuditEntry>[] = [
  { key: 'at', header: 'When', narrow: 'line', cell: ({ at }) => <NoWrapDate at={at} /> },
  { key: 'what', header: 'What', narrow: 'line', cell: (entry) => <Sentence entry={entry} /> },
  {
    key: 'act',
    header: 'Act',
    narrow: 'start',
    cell: ({ action }) => (
      <NoWrap>
        <code>{action}</code>
      </NoWrap>
    ),
  },
  {
    key: 'line',
    header: 'Line',
    align: 'end',
    narrow: 'end',
    label: true,
    cell: ({ line }) => line.toLocaleString('en-US'),
  },
]

const LINES = {
  title: 'Lines, newest first',
  caption: 'Audit log',
  columns,
  rowKey: ({ _id }: AuditEntry) => _id,
  emptyText: 'No line fits. Nothing on this log is ever deleted: try another filter.',
  skeletonRows: 10,
}

function Sentence({ entry }: { entry: AuditEntry }) {
  const { before, subject, href, after } = sentenceOf(entry)
  return (
    <>
      {before}
      {href === null ? subject : <a href={href}>{subject}</a>}
      {after}
    </>
  )
}
