/** What a button of the composer puts around the selection, or in place of it where nothing is selected. */
export const MARKS = {
  Bold: { before: '<b>', after: '</b>', blank: 'bold' },
  List: { before: '<ul>\n<li>', after: '</li>\n</ul>', blank: 'first point' },
  Link: { before: '<a href="/dashboard/overview">', after: '</a>', blank: 'the words to press' },
} as const
export type Mark = keyof typeof MARKS

/** The text with a mark around its part from `start` to `end`, and what is selected then. Lines of a list become its points. */
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
