import type { ReactNode } from 'react'
import { Panel } from '../../../design/Panel.tsx'
import { Table, type TableProps } from '../../../design/Table.tsx'
import { FoldPanel, type FoldPanelProps } from './Fold.tsx'

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
  /** Folds the panel while all is in order. */
  fold?: Pick<FoldPanelProps, 'gist' | 'isInOrder'>
}

/** A panel with one table. */
export function TablePanel<Row>(props: TablePanelProps<Row>) {
  const { title, caption = title, actions, rows, lead, children, fold, ...table } = props
  const data = table.data ?? (rows ? { state: 'ready', rows } : { state: 'loading' })
  const content = (
    <>
      {lead}
      <Table {...table} caption={caption} data={data} />
      {children}
    </>
  )
  if (fold)
    return (
      <FoldPanel title={title} {...fold}>
        {content}
      </FoldPanel>
    )
  return (
    <Panel title={title} actions={actions}>
      {content}
    </Panel>
  )
}
