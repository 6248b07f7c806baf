import { Keyboard, RefreshCw, Search } from 'lucide-react'
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useId, useRef, useState } from 'react'
import { MOST_JUDGED } from '../../../contract/console/risk.ts'
import { Button } from '../../../design/Button.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { type Column, Pagination, Table } from '../../../design/Table.tsx'
import { SaveCsv } from '../../lib/SaveCsv.tsx'
import { getServerNow } from '../../lib/serverTime.ts'
import { describeAssignment } from './assignedWords.ts'
import { BulkBar } from './BulkBar.tsx'
import { CaseLoading } from './Case.tsx'
import styles from './cases.module.css'
import { NeedsRole } from './OperatorScreen.tsx'
import { FiltersButton } from './PhoneFilters.tsx'
import { formatCount, usePendingCounts } from './pendingCounts.ts'
import {
  buildFileName,
  type Filter,
  hasRisk,
  isEverything,
  isFirstList,
  isWaiting,
  listFilterNames,
  listFilters,
  nameRow,
  type QueueKind,
  type QueueRow,
  takesField,
} from './queueKind.ts'
import { riskColumn } from './RiskPanel.tsx'
import { KeyHint } from './shortcuts.tsx'
import { useOperator } from './useOperator.ts'
import type { Queue } from './useQueue.ts'

// Has the countries.
const FilterForm = lazy(async () => ({ default: (await import('./FilterForm.tsx')).FilterForm }))

/** The rows that a bulk act is about, by their ids. */
interface Selection {
  selected: ReadonlySet<string>
  toggle: (id: string) => void
  reset: (ids: readonly string[]) => void
}

interface QueueViewProps<Row extends QueueRow> {
  kind: QueueKind<Row>
  /** Undefined during the build, which shows the loading state. */
  queue?: Queue<Row>
  onHelp?: () => void
  selection?: Selection
  onCreate?: () => void
  searchField?: RefObject<HTMLInputElement | null>
  onSearched?: () => void
}

/** Filter, search, export and table of a queue. */
export function QueueView<Row extends QueueRow>({ kind, queue, ...props }: QueueViewProps<Row>) {
  const { plural, searchedBy, columns, create, hrefOf, table: Rows = Table } = kind
  const filters = listFilters(kind)
  const filterNames = listFilterNames(kind)
  const shown = filters.find(({ value }) => value === queue?.status)
  const takesRisk = takesField(kind, 'risk')
  const withAssigned = useAssigned(takesRisk ? insertRisk(kind) : columns)
  const { can } = useOperator()
  const filter = shown ?? filters[0]
  const rows = queue?.data.state === 'ready' ? queue.data.rows : []
  const selection = canSelect(kind, filter) ? props.selection : undefined
  const picked = rows.filter((row) => selection?.selected.has(row._id))
  const [isOpen, setOpen] = useState(false)
  const tools = useId()
  const isRisky = hasRisk(kind, filter)
  return (
    <Panel
      {...(kind.title !== undefined && { title: kind.title })}
      actions={
        create &&
        can(create.scope) && (
          <Button variant={create.variant ?? 'secondary'} size="small" onClick={props.onCreate}>
            {create.label}
          </Button>
        )
      }
    >
      {isFirstList(kind) && (
        <div className={styles.bar} data-open={isOpen || undefined}>
          {filters.length > 1 && (
            <StatusFilter
              label={`Which ${plural} to show`}
              filters={filters}
              value={queue?.status ?? filters[0].value}
              onChange={(status) => queue?.show(status)}
              areCounted={!isNarrowed(queue)}
            />
          )}
          {searchedBy !== undefined && (
            <SearchField
              plural={plural}
              by={searchedBy}
              query={queue?.query ?? ''}
              onFind={(query) => queue?.search(query)}
              field={props.searchField}
              onDone={() => props.onSearched?.()}
            />
          )}
          {/* On a phone it shows and hides the tools, too. */}
          <FiltersButton
            {...(filterNames.length === 0 && { text: 'Tools' })}
            count={countFilters(queue)}
            isPhoneOnly={filterNames.length === 0}
            isOpen={isOpen}
            controls={tools}
            onToggle={() => setOpen(!isOpen)}
          />
          <Refresh plural={plural} queue={queue} />
          <div id={tools} className={styles.tools}>
            {kind.workOf && isWaiting(filter) && <AssignedFilter plural={plural} queue={queue} />}
            {isRisky && <RiskFilter plural={plural} queue={queue} />}
            {takesField(kind, 'order') && (
              <OrderSelect plural={plural} queue={queue} orders={kind.orders ?? listOrders(isRisky, kind)} />
            )}
            {takesField(kind, 'format') && <Export kind={kind} queue={queue} />}
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
            {isOpen && queue && filterNames.length > 0 && (
              <Suspense fallback={<CaseLoading what="filters" />}>
                <FilterForm names={filterNames} filters={queue.filters} onChange={queue.narrow} />
              </Suspense>
            )}
          </div>
        </div>
      )}
      {queue && selection && picked.length > 0 && (
        <BulkBar kind={kind} queue={queue} rows={picked} onDone={selection.reset} />
      )}
      <Rows
        caption={`${shown && !isEverything(shown) ? shown.label : 'All'} ${plural}`}
        columns={selection ? addCheckboxes(kind, withAssigned, selection) : withAssigned}
        data={queue?.data ?? { state: 'loading' }}
        rowKey={({ _id }) => _id}
        emptyText={describeEmptyList(kind, shown, queue)}
        {...(queue && { onRetry: queue.reload, ...(hrefOf ? { hrefOf } : { onOpen: queue.open }) })}
        {...(kind.skeletonRows !== undefined && { skeletonRows: kind.skeletonRows })}
        footer={queue && <Pagination {...queue.more} />}
      />
      {kind.note}
      {create && <NeedsRole scope={create.scope} />}
    </Panel>
  )
}

/** Whether there is something to do with several rows: a bulk act for open ones, or an export. */
function canSelect<Row extends QueueRow>(kind: QueueKind<Row>, filter: Filter): boolean {
  return takesField(kind, 'format') || (kind.workOf !== undefined && isWaiting(filter))
}

/** Adds a checkbox to the first column, outside of the button that opens the row. */
function addCheckboxes<Row extends QueueRow>(
  kind: QueueKind<Row>,
  [first, ...others]: readonly Column<Row>[],
  { selected, toggle }: Selection,
): readonly Column<Row>[] {
  if (first === undefined) return []
  const below = (row: Row) => (
    <>
      <div>{first.below?.(row)}</div>
      <label className={styles.select}>
        <input
          type="checkbox"
          aria-label={`Select ${nameRow(kind, row)}`}
          checked={selected.has(row._id)}
          onChange={() => toggle(row._id)}
        />
      </label>
    </>
  )
  return [{ ...first, below }, ...others]
}

function replaceStatusCell<Row>(
  columns: readonly Column<Row>[],
  cell: (row: Row, status: ReactNode) => ReactNode,
): readonly Column<Row>[] {
  return columns.map((column) =>
    column.key === 'status' ? { ...column, cell: (row) => cell(row, column.cell(row)) } : column,
  )
}

interface ToolProps<Row> {
  plural: string
  queue: Queue<Row> | undefined
}

/** Reloads the list. Its label counts the rows that arrived since it was loaded. */
function Refresh<Row>({ plural, queue }: ToolProps<Row>) {
  const arrived = queue?.arrived ?? 0
  return (
    <>
      <Button
        size="small"
        {...(arrived === 0 && { variant: 'quiet', className: styles.refresh })}
        icon={<RefreshCw aria-hidden="true" size={16} />}
        onClick={queue?.reload}
      >
        {arrived > 0 ? `${arrived} new: show them` : 'Refresh'}
      </Button>
      <span role="status" className="visually-hidden">
        {arrived > 0 && `${arrived} new ${plural}`}
      </span>
    </>
  )
}

/** Adds to the status who has the case. */
function useAssigned<Row extends QueueRow>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const { me } = useOperator()
  return replaceStatusCell(columns, (row, status) => (
    <>
      <div>{status}</div>
      {row.assigned && (
        <div className={styles.assigned}>{describeAssignment(row.assigned, me, getServerNow())}</div>
      )}
      {row.hold?.answeredAt === null && <div className={styles.assigned}>Waiting for the investor</div>}
    </>
  ))
}

/** Whose open cases to show. */
function AssignedFilter<Row>({ plural, queue }: ToolProps<Row>) {
  return (
    <select
      className={styles.assignedFilter}
      aria-label={`Whose ${plural} to show`}
      value={queue?.assigned ?? ''}
      onChange={({ target }) => queue?.showAssigned(target.value)}
    >
      <option value="">All cases</option>
      <option value="me">Mine</option>
      <option value="nobody">Unassigned</option>
    </select>
  )
}

/** The columns with the risk before the status. */
function insertRisk<Row extends QueueRow>(kind: QueueKind<Row>): readonly Column<Row>[] {
  const risk = { ...riskColumn, header: kind.riskHeader ?? riskColumn.header }
  return kind.columns.flatMap((column) => (column.key === 'status' ? [risk, column] : [column]))
}

/** The least risk of the open cases to show. */
function RiskFilter<Row>({ plural, queue }: ToolProps<Row>) {
  return (
    <select
      className={styles.assignedFilter}
      aria-label={`The risk of the ${plural} to show`}
      value={queue?.risk ?? ''}
      onChange={({ target }) => queue?.showRisk(target.value)}
    >
      <option value="">Any risk</option>
      <option value="high">High risk</option>
      <option value="medium">Medium or high risk</option>
    </select>
  )
}

/** The number of filters in the address. */
function countFilters<Row>({ filters, assigned, risk }: Partial<Queue<Row>> = {}): number {
  return Object.keys(filters ?? {}).length + [assigned, risk].filter(Boolean).length
}

/** Whether filters besides the status, or a search, leave rows out. */
function isNarrowed<Row>(queue: Queue<Row> | undefined): boolean {
  return countFilters(queue) > 0 || Boolean(queue?.query)
}

/** The order of the list. */
function OrderSelect<Row>({
  plural,
  queue,
  orders,
}: ToolProps<Row> & { orders: ReturnType<typeof listOrders> }) {
  return (
    <select
      className={styles.assignedFilter}
      aria-label={`The order of the ${plural}`}
      value={queue?.order ?? orders[0]?.[0]}
      onChange={({ target }) => queue?.sort(target.value)}
    >
      {orders.map(([order, label]) => (
        <option key={order} value={order}>
          {label}
        </option>
      ))}
    </select>
  )
}

function listOrders(
  isRisky: boolean,
  { oldestLabel = 'Oldest first' }: Pick<QueueKind<QueueRow>, 'oldestLabel'>,
): NonNullable<QueueKind<QueueRow>['orders']> {
  return [
    ['oldest', oldestLabel],
    ['newest', 'Newest first'],
    ...(isRisky ? ([['risk', 'Highest risk first']] as const) : []),
  ]
}

/** Downloads all rows that filter and search find. The server audits the export. */
function Export<Row extends QueueRow>({ kind, queue }: QueueViewProps<Row>) {
  return (
    <SaveCsv
      label="Export as CSV"
      variant="quiet"
      size="small"
      buildName={() => buildFileName(kind)}
      isList
      load={() => queue?.exportRows()}
    />
  )
}

function describeEmptyList<Row extends QueueRow>(
  { plural, emptyText = `There are no ${plural} yet.` }: Pick<QueueKind<Row>, 'plural' | 'emptyText'>,
  shown: Filter | undefined,
  queue?: Queue<Row>,
): string {
  const { query = '', assigned, risk = '', filters = {} } = queue ?? {}
  if (Object.keys(filters).length > 0) return `No ${plural} match these filters. Change or clear them above.`
  if (query !== '') return `No ${plural} match “${query}”. Try another part of the text, or another filter.`
  if (risk !== '') return `No ${plural} have that risk. At most ${MOST_JUDGED} are judged.`
  if (assigned === 'me') return `No ${plural} are assigned to you.`
  if (assigned === 'nobody') return `No unassigned ${plural}.`
  return shown === undefined || isEverything(shown) ? emptyText : `No ${plural} under “${shown.label}”.`
}

interface SearchFieldProps {
  plural: string
  by: string
  query: string
  onFind: (query: string) => void
  field: RefObject<HTMLInputElement | null> | undefined
  /** Runs after a search: moves the focus to the list. */
  onDone: () => void
}

/** Searches within the current filter. An empty search shows all rows. */
function SearchField({ plural, by, query, onFind, field, onDone }: SearchFieldProps) {
  const shown = useRef(query)
  // The back button and links also change the query.
  useEffect(() => {
    if (field?.current && shown.current !== query) field.current.value = query
    shown.current = query
  }, [field, query])
  const find = (text: string) => {
    shown.current = text.trim()
    onFind(text.trim())
  }
  return (
    <search>
      <form
        className={styles.search}
        onSubmit={(event) => {
          event.preventDefault()
          find(field?.current?.value ?? '')
          onDone()
        }}
      >
        <Search aria-hidden="true" size={16} />
        <input
          ref={field}
          type="search"
          name="query"
          aria-label={`Find ${plural}: ${by.toLowerCase()}`}
          aria-keyshortcuts="f"
          placeholder={by}
          autoComplete="off"
          spellCheck={false}
          maxLength={120}
          defaultValue={query}
          enterKeyHint="search"
          onChange={({ target }) => {
            if (target.value === '') find('')
          }}
        />
        <KeyHint of="F" />
      </form>
    </search>
  )
}

interface StatusFilterProps {
  /** For screen readers: "Which deposits to show". */
  label: string
  filters: readonly Filter[]
  value: string
  onChange: (value: string) => void
  /** Whether the numbers of rows are shown. They count all rows, whatever the other filters are. */
  areCounted?: boolean
}

/** Radio buttons that filter a list. */
export function StatusFilter({ label, filters, value, onChange, areCounted = true }: StatusFilterProps) {
  const name = useId()
  const counts = usePendingCounts()
  return (
    <fieldset className={styles.filter}>
      <legend className="visually-hidden">{label}</legend>
      {filters.map((filter) => (
        <label key={filter.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            value={filter.value}
            checked={filter.value === value}
            onChange={() => onChange(filter.value)}
          />
          {filter.label}
          {areCounted && filter.counted && counts && (
            <span className={styles.count}>{formatCount(counts, filter.counted)}</span>
          )}
        </label>
      ))}
    </fieldset>
  )
}
