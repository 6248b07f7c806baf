import { useState } from 'react'
import { formatUsd } from '../contract/money.ts'
import styles from './Chart.module.css'
import { type ChartCourse, type ChartRow, chartRows, dayText, underOf } from './chartCourse.ts'
import { type Column, Table } from './Table.tsx'

/** The numbers of a chart, built once they are asked for. */
export function ChartTable({ title, course }: { title: string; course: ChartCourse }) {
  const [isOpen, setOpen] = useState(false)
  const { header, text } = underOf(course)
  const columns: Column<ChartRow>[] = [
    { key: 'time', header: 'Until', cell: ({ time }) => dayText(time) },
    { key: 'under', header, align: 'end', cell: ({ under }) => text(under) },
    { key: 'worth', header: course.label, align: 'end', cell: ({ worth }) => formatUsd(worth) },
    ...(course.beside ?? []).map(
      ({ label }, index): Column<ChartRow> => ({
        key: label,
        header: label,
        align: 'end',
        cell: ({ beside }) => {
          const value = beside[index]
          return value === null || value === undefined ? '–' : formatUsd(value)
        },
      }),
    ),
  ]
  return (
    <details className={styles.table} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && (
        <Table
          caption={title}
          columns={columns}
          data={{ state: 'ready', rows: chartRows(course) }}
          rowKey={({ time }) => time}
          emptyText="No day has closed yet."
        />
      )}
    </details>
  )
}
