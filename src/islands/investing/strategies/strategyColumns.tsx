import type { Strategy } from '../../../contract/investing/strategies.ts'
import { joinClasses } from '../../../design/classes.ts'
import type { Column } from '../../../design/Table.tsx'
import styles from './Strategies.module.css'
import { formatSignedPercent, formatWholeDollars, formatWorstFall } from './words.ts'

type FigureRow = Pick<Strategy, 'backtest' | 'live'>

/** The figures of strategies in lists, with the labels of the public pages. */
export const FIGURE_COLUMNS: readonly Column<FigureRow>[] = [
  buildColumn('fall', 'Worst fall', 'short-start', (row) =>
    row.backtest === null ? NONE : { text: formatWorstFall(row), isLoss: true },
  ),
  buildColumn('became', '$1,000 became', 'wide-end', ({ backtest }) => describeOutcome(backtest?.became)),
  buildColumn('held', 'Holding made', 'wide-end', ({ backtest }) => describeOutcome(backtest?.heldBecame)),
  buildColumn('live', 'Since start', 'short-start', ({ live: { totalReturn } }) => {
    const text = totalReturn === null ? '–' : formatSignedPercent(totalReturn)
    return { text, isLoss: text.startsWith('−') }
  }),
]

const NONE = { text: '–' }

/** What 1,000 USD became. */
function describeOutcome(usd: number | undefined) {
  return usd === undefined ? NONE : { text: formatWholeDollars(usd), isLoss: usd < 1000 }
}

function buildColumn(
  key: string,
  header: string,
  narrow: Column<FigureRow>['narrow'],
  describe: (row: FigureRow) => { text: string; isLoss?: boolean },
): Column<FigureRow> {
  return {
    key,
    header,
    align: 'end',
    narrow,
    label: true,
    cell: (row) => {
      const { text, isLoss } = describe(row)
      return <span className={joinClasses(styles.figure, isLoss && 'loss')}>{text}</span>
    },
  }
}
