import { expect, test } from 'vitest'
import { HOSTILE_MARKUP } from '../../../test/support/markup.ts'
import { toSafeHtml } from './safeHtml.ts'

test('text, emphasis, lists, headings and links stay', async () => {
  const html =
    '<h3>News</h3><p>One <strong>two</strong> <em>three</em> <u>u</u> <code>c</code><br />x</p><ul><li>a</li></ul><ol><li>b</li></ol><blockquote>q</blockquote>'
  expect(await toSafeHtml(html)).toBe(html)
  expect(await toSafeHtml('<a href="https://example.com/a?b=c&amp;d" target="_blank" title="t">x</a>')).toBe(
    '<a href="https://example.com/a?b=c&amp;d" rel="noopener noreferrer">x</a>',
  )
  expect(await toSafeHtml('<a href="mailto:a@example.com">x</a>')).toContain('href="mailto:a@example.com"')
})

test.each(HOSTILE_MARKUP)('nothing runs in %j', async (attack) => {
  const safe = await toSafeHtml(attack)
  const tags = safe.match(/<[^>]*>/g) ?? []
  for (const tag of tags) {
    expect(tag).toMatch(
      /^<(?:\/?(?:p|b|h3|code)|a(?: href="(?:https?:|mailto:)[^"<>]*")? rel="noopener noreferrer"|\/a)>$/,
    )
  }
  // Anything but a tag is text. A bare "<" would begin a tag.
  expect(safe.replace(/<[^>]*>/g, '')).not.toMatch(/[<>]/)
})
