import type { ComponentType, ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { Settings } from '../../../contract/console/settingValues.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import type { Column } from '../../../design/Table.tsx'
import type { OutcomeWords } from './Case.tsx'
import type { DecisionProps } from './ConfirmedForm.tsx'
import type { Choice } from './Decide.tsx'
import type { Filter } from './QueueView.tsx'
import type { Operator } from './useOperator.ts'
import type { Queue } from './useQueue.ts'

/** A row of a queue. Lists are newest first. Rows without a status are not followed for decisions of others. */
export interface QueueRow {
  _id: string
  createdAt: string
  status?: string
}

/** What differs between the queues of the console; `QueueScreen` does the rest. */
export interface QueueKind<Row extends QueueRow> {
  endpoint: Endpoint<z.ZodMiniType<undefined>, z.ZodMiniType, Row[]>
  /** What is listed, in lower case: "deposits". */
  plural: string
  singular: string
  /** A part of which finds a row: "Name, e-mail or reference". A list without it is neither searched nor exported. */
  searchedBy?: string
  /** The first one is shown at first. */
  filters: readonly [Filter, ...Filter[]]
  columns: readonly Column<Row>[]
  /** Whether a row still needs a decision, under the filter in force. */
  isPending: (row: Row, filter: string) => boolean
  /** Shown above the list. */
  above?: ComponentType<{ queue: Queue<Row>; settings: Settings | null }>
  /** Heads an open row; undefined until it is loaded. */
  titleOf: (row: Row | undefined) => string
  /** Loads one row with all its facts, where the list has only some of them. */
  load?: (id: string) => Promise<Row>
  /** What a decision is based on. */
  details: (row: Row, context: CaseContext) => ReactNode
  /** The id of the investor whose account is summed up below the details. */
  investorOf?: (row: Row) => string | undefined
  /** Shown above the decisions until one is made. */
  notice?: (row: Row, context: CaseContext) => ReactNode
  /** What can be decided about the row as it is now. */
  decisions: (row: Row, context: CaseContext) => readonly QueueDecision<Row>[]
  outcomeOf: (row: Row) => OutcomeWords
  /** Who decided, by name; null where no operator did. */
  decidedBy: (row: Row) => string | null
}

export interface CaseContext {
  me: Operator['me']
  /** Whether the identity document of this case was opened. */
  isDocumentOpen: boolean
  openDocument: () => void
}

export interface QueueDecision<Row> extends Omit<Choice, 'panel'> {
  panel: (props: QueueDecisionProps<Row>) => ReactNode
}

export interface QueueDecisionProps<Row> extends DecisionProps<Row> {
  /** Null while they load. */
  settings: Settings | null
  /** Called with a row that changed without being decided. */
  onChanged: (row: Row) => void
}
