import type { ComponentType, ReactNode } from 'react'
import * as z from 'zod/mini'
import type { Assignment, CaseStep, Hold, noBody } from '../../../contract/console/cases.ts'
import type { Risk } from '../../../contract/console/risk.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import type { WorkKind } from '../../../contract/console/work.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import type { OperatorScope } from '../../../contract/roles.ts'
import type { ButtonLook } from '../../../design/Button.tsx'
import type { Column, TableProps } from '../../../design/Table.tsx'
import { toIsoDay } from '../../lib/days.ts'
import type { OutcomeWords } from './Case.tsx'
import type { DecisionProps } from './ConfirmedForm.tsx'
import type { Choice } from './Decide.tsx'
import type { FilterName } from './useFilters.ts'
import type { Operator } from './useOperator.ts'
import type { Order, Queue } from './useQueue.ts'

/** A row of a list. Without a status, decisions by other operators are not noticed. */
export interface QueueRow {
  _id: string
  /** Required in a queue, whose rows wait. */
  createdAt?: string
  status?: string
  /** Who decided it, for its history. */
  steps?: readonly CaseStep[]
  /** The operator who has the open case. */
  assigned?: Assignment | null | undefined
  /** The last question to the investor. */
  hold?: Hold | null | undefined
  /** When the open case should be done. */
  dueAt?: string | null | undefined
  /** While the case is open; in a loaded case always. */
  risk?: Risk | undefined
}

export interface Filter {
  /** Its name in the URL; blank for all. */
  value: string
  label: string
  /** Its query to the API; by default, `status` with its `value`. */
  query?: Readonly<Record<string, string>>
  /** Its rows wait for an operator. Their number is shown beside it. */
  counted?: readonly WorkKind[]
  /** Rows that wait for something else. */
  waits?: boolean
}

export function buildFilterQuery({ value, query }: Filter): Readonly<Record<string, string>> {
  return query ?? { status: value }
}

/** The only filter of a list that has no others. */
const EVERYTHING: Filter = { value: '', label: 'All' }

export function listFilters<Row extends QueueRow>({
  filters = [EVERYTHING],
}: Pick<QueueKind<Row>, 'filters'>): readonly [Filter, ...Filter[]] {
  return filters
}

/** Whether it shows every row. */
export function isEverything({ value, query }: Filter): boolean {
  return value === '' && query === undefined
}

/** Whether its rows wait. Such a list begins with the oldest row. */
export function isWaiting({ counted, waits = false }: Filter): boolean {
  return waits || counted !== undefined
}

const FILTER_NAMES = [
  ...['from', 'to', 'amountFrom', 'amountTo', 'coin', 'country', 'kyc', 'anywhere', 'person'],
] as readonly FilterName[]

type QueryOwner = Pick<QueueKind<QueueRow>, 'without'> & { readonly endpoint: { query?: z.ZodMiniType } }

/** Whether the operator may use a field of the list's query, such as a filter. */
export function takesField({ endpoint: { query }, without = [] }: QueryOwner, name: string): boolean {
  return query instanceof z.ZodMiniObject && name in query.shape && !without.includes(name)
}

/** Whether the rows under a filter have a risk, by which they are filtered and sorted. */
export function hasRisk(kind: QueryOwner & Pick<QueueKind<QueueRow>, 'orders'>, filter: Filter): boolean {
  return takesField(kind, 'risk') && (kind.orders !== undefined || isWaiting(filter))
}

/** The further filters of a list: those that its endpoint takes. */
export function listFilterNames(kind: QueryOwner): readonly FilterName[] {
  return FILTER_NAMES.filter((name) => takesField(kind, name))
}

/** Whether it is the first list of its page, which has the keys and the tools. */
export function isFirstList({ openedBy }: { openedBy?: string }): boolean {
  return openedBy === undefined
}

/** The name of a list's file, without its ending: "deposits-2026-11-30". */
export function buildFileName({ plural, fileName = plural }: { plural: string; fileName?: string }): string {
  return `${fileName}-${toIsoDay(Date.now())}`
}

export function nameRow<Row extends QueueRow>(kind: QueueKind<Row>, row: Row): string {
  return (kind.nameOf ?? kind.titleOf)(row)
}

/** Whether it waits for its investor's answer. */
export function isOnHold({ hold }: QueueRow): boolean {
  return hold?.answeredAt === null
}

/** Whether its first decision is closed to this operator, so that it is passed over on the way to the next case. */
export function isForOthers<Row extends QueueRow>(
  { decisions }: Pick<QueueKind<Row>, 'decisions'>,
  row: Row,
  operator: Pick<CaseContext, 'me' | 'settings'>,
): boolean {
  const opened = { isDocumentOpen: true, openDocument: () => undefined, isContinued: false }
  return decisions?.(row, { ...operator, ...opened })[0]?.closed !== undefined
}

/**
 * What differs between the lists of the console. `QueueScreen` does the rest. In a queue, rows wait for a decision; other lists have no
 * `isPending`.
 */
export interface QueueKind<Row extends QueueRow> {
  /** The fields of its query say which filters and orders the list has. */
  endpoint: Endpoint<z.ZodMiniType<undefined>, z.ZodMiniType, Row[]>
  /** In lower case: "deposits". */
  plural: string
  singular: string
  /** The name of its file, where `plural` does not say what the rows are. */
  fileName?: string
  /** Fields of the query that the operator may not use. */
  without?: readonly string[]
  /** The orders of a list whose rows wait for nothing, all with a risk. The first is the default. Default: by time, and by the risk of rows that wait. */
  orders?: readonly (readonly [order: Order, label: string])[]
  /** Names the order that begins with the oldest, where something else counts before the time. */
  oldestLabel?: string
  /** The heading of the risk column. Default: "Risk". */
  riskHeader?: string
  /** The page of a row, for a list without cases. */
  hrefOf?: (row: Row) => string
  /** The fields that the search covers: "Name, e-mail or reference". Without it there is no search. */
  searchedBy?: string
  /** A decision about several selected rows, which another one takes back. */
  bulk?: {
    label: string
    scope: OperatorScope
    endpoint: Endpoint<typeof noBody, z.ZodMiniType<undefined>, Row>
    /** Whether it includes a row. Operators decide other rows one by one. Default: all rows. */
    takes?: (row: Row) => boolean
  }
  /** The first filter is the default. Without it the list has all rows. */
  filters?: readonly [Filter, ...Filter[]]
  /** The heading above the list. */
  title?: string
  /** On a page with several lists: names the open row in the URL. The first list has `open`, and the keys. */
  openedBy?: string
  columns: readonly Column<Row>[]
  /** Draws the list. Default: one table. */
  table?: (props: TableProps<Row>) => ReactNode
  emptyText?: string
  /** The usual number of rows. */
  skeletonRows?: number
  /** Shown under the rows. */
  note?: ReactNode
  /** The form that adds or proposes a row. */
  create?: NewRowForm<Row>
  /** The kind of work that an open row is; undefined once no operator needs to do it. Without it, cases cannot be assigned. */
  workOf?: (row: Row) => WorkKind | undefined
  /** Whether a row still needs a decision, given the current filter. */
  isPending?: (row: Row, filter: string) => boolean
  /** Shown above and below the list. */
  above?: ComponentType<{ queue: Queue<Row>; settings: Settings | null }>
  below?: ComponentType<{ queue: Queue<Row> }>
  /** The title of an open row, which is undefined until it is loaded. */
  titleOf: (row: Row | undefined) => string
  /** Names a case by reference and person: "DEP-7K2M, Ana Torres". Default: its title. */
  nameOf?: (row: Row) => string
  /** Loads all facts of one row, if the list has only some of them. */
  load?: (id: string) => Promise<Row>
  /** A receipt, a document or a destination, which stays in sight beside facts and decision. */
  evidence?: (row: Row, context: CaseContext) => ReactNode
  /** The facts on which an operator bases a decision. */
  details: (row: Row, context: CaseContext) => ReactNode
  /** The subject of its lines in the audit log, if that is not its own id. */
  auditedAs?: (row: Row) => string
  /** The id of the investor to show below the details. */
  investorOf?: (row: Row) => string | undefined
  /** Shown above the decisions until one is made. */
  notice?: (row: Row, context: CaseContext) => ReactNode
  /** The possible decisions for the row in its current state. */
  decisions?: (row: Row, context: CaseContext) => readonly QueueDecision<Row>[]
  /** The outcome of a decision that answers its row. */
  outcomeOf?: (row: Row) => OutcomeWords
  /** Other decisions may follow a decision. */
  goesOn?: true
  /** Room for more than facts. */
  isWide?: true
}

interface NewRowForm<Row> {
  /** The button that opens it. */
  label: string
  /** The title of its dialog. Default: `label`. */
  title?: string
  scope: OperatorScope
  variant?: ButtonLook['variant']
  form: ComponentType<NewRowProps<Row>>
}

export interface NewRowProps<Row> {
  queue: Queue<Row>
  /** Closes the form and loads the list again. `said` is shown as a toast. */
  onDone: (said?: string) => void
  onCancel: () => void
}

export interface CaseContext {
  me: Operator['me']
  /** Null while they load. */
  settings: Settings | null
  /** Whether the operator has opened the identity document of this case. */
  isDocumentOpen: boolean
  openDocument: () => void
  /** Whether the case opened by itself, after the decision of another one. */
  isContinued: boolean
}

export interface QueueDecision<Row> extends Omit<Choice, 'panel'> {
  panel: (props: QueueDecisionProps<Row>) => ReactNode
}

export interface QueueDecisionProps<Row> extends DecisionProps<Row> {
  /** Null while they load. */
  settings: Settings | null
  /** Called with a row that changed without a decision. */
  onChanged: (row: Row) => void
  /** Called after an act whose answer is not the row, such as a proposal. Loads the list again. */
  onDone: (outcome: OutcomeWords) => void
}
