import { Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type AuditEntry, listAuditLog } from '../../../contract/console/audit.ts'
import { Button } from '../../../design/Button.tsx'
import { Pagination } from '../../../design/Pagination.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Table, type TableProps } from '../../../design/Table.tsx'
import { toast } from '../../../design/toasts.ts'
import { failureWords } from '../../lib/ApiFailure.ts'
import { callBlob } from '../../lib/api.ts'
import { usePages } from '../../lib/pages.ts'
import { saveFile } from '../../lib/saveFile.ts'
import { NoWrap, NoWrapDate } from '../cases/columns.tsx'
import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { FilterBar } from './Filters.tsx'
import { type Filters, useFilters } from './useFilters.ts'
import { Verify } from './Verify.tsx'
import { sentenceOf } from './words.ts'

/** /operator/audit-log: who did what to whom, when, and whether it is as it was written. */
export function AuditLog() {
  return (
    <OperatorScreen scope="operator:audit.read" waiting={<Lines data={{ state: 'loading' }} />}>
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
      <Lines
        data={data}
        onRetry={reload}
        footer={<Pagination {...more} />}
        actions={<SaveLog filters={filters} />}
      />
      <Verify />
    </>
  )
}

/** Everything that the filter names, as CSV. */
function SaveLog({ filters }: { filters: Filters }) {
  const [isSaving, setSaving] = useState(false)
  const save = async () => {
    setSaving(true)
    try {
      const file = await callBlob(listAuditLog, { query: { ...filters, format: 'csv' } })
      saveFile(`audit-log-${new Date().toISOString().slice(0, 10)}.csv`, file)
    } catch (error) {
      toast.error(failureWords(error))
    } finally {
      setSaving(false)
    }
  }
  return (
    <Button size="small" busy={isSaving} onClick={save} icon={<Download aria-hidden="true" size={16} />}>
      Save as CSV
    </Button>
  )
}

type LinesProps = Pick<TableProps<AuditEntry>, 'data' | 'onRetry' | 'footer'> & {
  actions?: ReactNode
}

function Lines({ actions, ...props }: LinesProps) {
  return (
    <Panel title="Lines, newest first" actions={actions}>
      <Table
        {...props}
        caption="Audit log"
        columns={columns}
        rowKey={({ _id }) => _id}
        emptyText="No line fits. Nothing on this log is ever deleted: try another filter."
        skeletonRows={10}
      />
    </Panel>
  )
}

const columns: TableProps<AuditEntry>['columns'] = [
  {
    key: 'at',
    header: 'When',
    narrow: 'line',
    cell: ({ at }) => <NoWrapDate at={at} />,
  },
  { key: 'what', header: 'What', narrow: 'line', cell: (entry) => <Act entry={entry} /> },
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

function Act({ entry }: { entry: AuditEntry }) {
  const { before, subject, href, after } = sentenceOf(entry)
  return (
    <>
      {before}
      {href === null ? subject : <a href={href}>{subject}</a>}
      {after}
    </>
  )
}
