import type { DayValue } from '../../contract/statements.ts'
import { Money } from '../../design/Money.tsx'
import { Table } from '../../design/Table.tsx'
import { dayText } from './balanceScale.ts'

/** The course as its numbers: the newest day first, and of days without a change only the first. */
export function BalanceTable({ course }: { course: readonly DayValue[] }) {
  const changes = course.filter(({ balance }, index) => balance !== course[index - 1]?.balance).reverse()
  return (
    <Table
      caption="Balance at the end of each day on which it changed, and of the first"
      columns={[
        { key: 'day', header: 'Day (UTC)', cell: ({ day }: DayValue) => dayText(day) },
        { key: 'balance', header: 'Balance', align: 'end', cell: ({ balance }) => <Money value={balance} /> },
      ]}
      data={{ state: 'ready', rows: changes }}
      rowKey={({ day }) => day}
      emptyText="No day yet"
    />
  )
}
