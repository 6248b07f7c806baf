/** Whether one of these languages writes decimals with a comma. Its spreadsheets then split a CSV file at semicolons. */
export function usesDecimalComma(languages: readonly string[]): boolean {
  return languages.some((language) => {
    const parts = new Intl.NumberFormat(language).formatToParts(0.5)
    return parts.some(({ type, value }) => type === 'decimal' && value === ',')
  })
}

/** A quoted text, a separator, or a number as our files write them: without quotes. */
const FIELD = /"(?:[^"]|"")*"|,|-?\d+\.\d+(?=[,\r\n]|$)/g

/** Rewrites one of our CSV files for spreadsheets with decimal commas: `1234,56;"text"`. Texts stay as they are. */
export function toDecimalCommas(csv: string): string {
  return csv.replace(FIELD, (field) =>
    field === ',' ? ';' : field.startsWith('"') ? field : field.replace('.', ','),
  )
}
