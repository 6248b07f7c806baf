const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\w+|[\s\S]/g

/**
 * Splits a text of SQL at least as strictly as D1's server does. It knows triggers only by their words: a `BEGIN` in capitals
 * starts a body, and the first `END` before a space or a semicolon ends it, even that of a `CASE`. The end of a `CASE` in
 * parentheses stands before `)`. Cloudflare documents none of this: workers-sdk issues 4727, 10998 and 15314 do.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = []
  let statement = ''
  let isInBody = false
  let previous = ' '
  for (const { 0: text, index } of sql.matchAll(TOKEN)) {
    const next = sql[index + text.length] ?? ' '
    if (text === 'BEGIN' && /\s/.test(previous) && /\s/.test(next)) isInBody = true
    else if (/^end$/i.test(text) && /[\s;]/.test(next)) isInBody = false
    if (text === ';' && !isInBody) {
      statements.push(statement.trim())
      statement = ''
    } else if (!/^(?:--|\/\*)/.test(text)) statement += text
    previous = text.at(-1) ?? ' '
  }
  return [...statements, statement.trim()].filter((text) => text !== '')
}
