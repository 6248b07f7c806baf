/** The markup that a button puts around the selection. Without a selection, it inserts `blank`. */
export const MARKS = {
  Bold: { before: '<b>', after: '</b>', blank: 'bold' },
  List: { before: '<ul>\n<li>', after: '</li>\n</ul>', blank: 'first point' },
  Link: { before: '<a href="/dashboard/overview">', after: '</a>', blank: 'the words to press' },
} as const
export type Mark = keyof typeof MARKS

/** Puts a mark around `start` to `end`. Returns the text and the new selection. In a list, each line becomes an item. */
export function withMark(text: string, start: number, end: number, mark: Mark) {
  const { before, after, blank } = MARKS[mark]
  const selected = text.slice(start, end) || blank
  const inner = mark === 'List' ? selected.split(/\n+/).join('</li>\n<li>') : selected
  const from = start + before.length
  return {
    text: `${text.slice(0, start)}${before}${inner}${after}${text.slice(end)}`,
    start: from,
    end: from + inner.length,
  }
}
