import { DOUBTS, type DoubtfulLine } from './rows.ts'

const HEADER = 'time,open,high,low,close,volume,reason'

/** The name of the file with a pair's lines that are kept apart. */
export const getDoubtfulFileName = (pair: string) => `${pair}.doubtful.csv`

/** Lines that are kept apart as CSV, with the reason in the last column. */
export function formatDoubtfulLines(lines: readonly DoubtfulLine[]): string {
  const rows = lines.map(({ cells, reason }) => [...cells, reason].map(quoteCell).join(','))
  return `${[HEADER, ...rows].join('\n')}\n`
}

/** Reads what `formatDoubtfulLines` wrote. Throws for anything else. */
export function parseDoubtful(text: string): DoubtfulLine[] {
  const [header, ...lines] = text.split('\n').slice(0, -1)
  if (header !== HEADER) throw new Error(`the header must be ${HEADER}`)
  return lines.map((line, index) => {
    const cells = parseCells(line)
    const reason = DOUBTS.find((doubt) => doubt === cells.at(-1))
    if (reason === undefined || cells.length !== 7) throw new Error(`line ${index + 2} has no known reason`)
    return { cells: cells.slice(0, -1), reason }
  })
}

function quoteCell(cell: string): string {
  return /[",\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

function parseCells(line: string): string[] {
  return [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, inQuotes, plain]) => inQuotes?.replaceAll('""', '"') ?? plain ?? '',
  )
}
