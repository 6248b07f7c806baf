import { type AuditEntry, type AuditSubject, listAuditLog } from '../../../contract/console/audit.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { TableDate } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import type { Column } from '../../../design/Table.tsx'
import { Pagination } from '../../../design/Table.tsx'
import { callBlob } from '../../lib/api.ts'
import { toIsoDay } from '../../lib/days.ts'
import { usePages } from '../../lib/pages.ts'
import { SaveCsv } from '../../lib/SaveCsv.tsx'
import { toLowerFirst } from '../../money/transactions/words.ts'
import { Unbroken } from '../cases/columns.tsx'
import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { TablePanel } from '../cases/TablePanel.tsx'
import styles from './AuditLog.module.css'
import { FilterBar, type Filters, NO_FILTERS, useFilters } from './Filters.tsx'
import { Verify } from './Verify.tsx'
import { buildLinkHref, listDetails } from './words.ts'

/** /operator/audit-log: who did what, when, to whom; and a check that the log was not changed. */
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
      <FilterBar filters={filters} entries={data.state === 'ready' ? data.rows : []} onChange={setFilters} />
      <TablePanel
        {...LINES}
        data={data}
        onRetry={reload}
        footer={<Pagination {...more} />}
        actions={<SaveLog filters={filters} />}
      />
      <Verify onChosen={(line) => setFilters({ ...NO_FILTERS, line })} />
    </>
  )
}

function SaveLog({ filters }: { filters: Filters }) {
  return (
    <SaveCsv
      label="Export as CSV"
      size="small"
      buildName={() => `audit-log-${toIsoDay(Date.now())}`}
      isList
      load={() => callBlob(listAuditLog, { query: { ...filters, format: 'csv' }, quiet: false })}
    />
  )
}

const columns: readonly Column<AuditEntry>[] = [
  { key: 'at', header: 'When', narrow: 'start', cell: ({ at }) => <TableDate at={at} /> },
  {
    key: 'line',
    header: 'Line',
    narrow: 'end',
    label: true,
    cell: ({ line }) => formatNumber(line),
  },
  {
    key: 'what',
    header: 'What happened',
    narrow: 'line',
    lines: 2,
    usually: 'long',
    cell: (entry) => <What entry={entry} />,
  },
]

const LINES = {
  title: 'Lines, newest first',
  caption: 'Audit log',
  columns,
  rowKey: ({ _id }: AuditEntry) => _id,
  emptyText: 'No line matches these filters.',
  skeletonRows: 10,
}

/** A line: its actor, the action, its subject and the subject's owner. Each person is named once. */
function What({ entry }: { entry: AuditEntry }) {
  const { actor, actorName, actorRole, label, subject, about } = entry
  // The words of a proposal name its person.
  const owner = about?.kind === 'proposal' ? null : about?.person
  return (
    <>
      <Linked kind={actorRole} id={actor} text={actorName} />
      <span> {toLowerFirst(label)}</span>
      {about !== null && subject !== actor && (
        <>
          <span>{' · '}</span>
          <Linked kind={about.kind} id={subject} text={about.label} />
        </>
      )}
      {owner && owner._id !== subject && owner._id !== actor && (
        <>
          <span>{' · '}</span>
          <Linked kind={owner.role} id={owner._id} text={owner.name} />
        </>
      )}
      {entry.reason !== null && (
        <div className="small">
          “<bdi>{entry.reason}</bdi>”
        </div>
      )}
      {entry.facts.length > 0 ? (
        <details className={styles.details}>
          <summary>Details</summary>
          <Facts
            facts={entry.facts.map(({ label, value, subject }) => ({
              label,
              value: <Linked kind={subject?.kind ?? null} id={subject?._id ?? ''} text={value} />,
            }))}
          />
          <Recorded entry={entry} />
        </details>
      ) : (
        <Recorded entry={entry} />
      )}
    </>
  )
}

/** The values against which the seal of a line is checked. */
function Recorded({ entry }: { entry: AuditEntry }) {
  return (
    <details className={styles.details}>
      <summary>As recorded</summary>
      <Facts
        facts={listDetails(entry).map(({ label, value }) => ({
          label,
          value: <code translate="no">{value}</code>,
        }))}
      />
    </details>
  )
}

interface LinkedProps {
  kind: AuditSubject | null
  id: string
  text: string
}

function Linked({ kind, id, text }: LinkedProps) {
  const href = kind === null ? null : buildLinkHref(kind, id)
  const words = (
    <bdi>
      <Unbroken text={text} />
    </bdi>
  )
  return href === null ? <span>{words}</span> : <a href={href}>{words}</a>
}
