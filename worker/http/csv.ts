import { site } from '../../src/site.ts'
import { streamText } from '../lib/streamText.ts'
import type { ActorCall } from './call.ts'
import { type Position, toIso } from './paging.ts'

/** A list that is exported as a file, newest first. */
export interface ListFile<Row> {
  readonly columns: Columns<Row>
  /** Reads this many rows before a position; fewer only at the end of the list. */
  read(below: Position | null, rows: number): Promise<readonly Row[]>
  positionOf(row: Row): Position
}

/** Columns in order: heading and field. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string>>

const PAGE = 1000
/** Tells spreadsheets that a file is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Streams a list of any length as CSV (RFC 4180), read page by page. The file name has the date. */
export function listFile<Row>(call: ActorCall, what: string, file: ListFile<Row>): Response {
  const name = `${site.slug}-${what}-${toIso(call.nowMs).slice(0, 10)}`
  return createCsvResponse(call, name, writeListLines(file))
}

async function* writeListLines<Row>({ columns, read, positionOf }: ListFile<Row>): AsyncGenerator<string> {
  const fields = Object.values(columns)
  yield BYTE_ORDER_MARK + formatCsvLine(Object.keys(columns))
  for (let below: Position | null = null; ; ) {
    const rows: readonly Row[] = await read(below, PAGE)
    yield rows.map((row) => formatCsvLine(fields.map((of) => of(row)))).join('')
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    below = positionOf(last)
  }
}

/** A CSV download, streamed while it is written. */
export function createCsvResponse(
  { requestId }: Pick<ActorCall, 'requestId'>,
  name: string,
  pieces: AsyncGenerator<string>,
): Response {
  return new Response(streamText(pieces, requestId), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
      'Cache-Control': 'no-store',
    },
  })
}

/** Integer cents as a plain decimal: `-12.05`. */
export function formatDecimal(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export function formatCsvLine(fields: readonly string[]): string {
  return `${fields.map(formatCsvField).join(',')}\r\n`
}

// Only `formatDecimal` writes a minus sign.
const NUMBER = /^(?:\d+(?:\.\d+)?|-\d+\.\d\d)$/

/**
 * The places where a spreadsheet could see a formula: at the start of a text, or after a separator inside it, because a
 * spreadsheet may split at other separators than ours. Spaces, invisible characters and quotes may precede the formula.
 */
const BEFORE_FORMULA =
  /((?:^|[,;|\n])(?:(?!\n)[\s\p{C}\p{Default_Ignorable_Code_Point}"])*)(?=[=+\-@−＝＋－＠﹦﹢﹣﹫])/gu

/** Marks that change the direction of the text after them, also in the next cells of the line. */
const DIRECTION = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/**
 * A field of a CSV file. Numbers stay as they are, texts are quoted. An apostrophe before a possible formula prevents CSV
 * injection (OWASP); for the same reason tabs become spaces and carriage returns become line feeds. Direction
 * marks are dropped.
 */
export function formatCsvField(text: string): string {
  if (text === '' || NUMBER.test(text)) return text
  const harmless = text
    .replace(DIRECTION, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .replace(BEFORE_FORMULA, "$1'")
  return `"${harmless.replaceAll('"', '""')}"`
}
