import type { ReactNode } from 'react'
import { Panel } from '../../../design/Panel.tsx'
import { Table, type TableProps } from '../../../design/Table.tsx'

export interface TablePanelProps<Row> extends Omit<TableProps<Row>, 'caption' | 'data'> {
  title: string
  /** Defaults to the title. */
  caption?: string
  /** Beside the title. */
  actions?: ReactNode
  /** Pass either `data` or `rows`. Undefined rows are loading. */
  data?: TableProps<Row>['data']
  rows?: readonly Row[] | undefined
  /** Above the table. */
  lead?: ReactNode
  /** Below the table. */
  children?: ReactNode
}

/** A panel with one table. */
export function TablePanel<Row>(props: TablePanelProps<Row>) {
  const { title, caption = title, actions, rows, lead, children, ...table } = props
  const data = table.data ?? (rows ? { state: 'ready', rows } : { state: 'loading' })
  return (
    <Panel title={title} actions={actions}>
      {lead}
      <Table {...table} caption={caption} data={data} />
      {children}
    </Panel>
  )
}
