/** The database cost of a piece of work. */
export interface QueryCost {
  /** Round trips to the database, failed ones among them. A batch is one. */
  trips: number
  statements: number
  rowsRead: number
  rowsWritten: number
}

/** A D1 binding that works like the given one and counts its use. */
export function countQueries(binding: D1Database): {
  readonly binding: D1Database
  readonly counted: QueryCost
} {
  const counted: QueryCost = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 }
  const count = (results: readonly D1Result[]) => {
    counted.statements += results.length
    for (const { meta } of results) {
      counted.rowsRead += meta.rows_read
      counted.rowsWritten += meta.rows_written
    }
  }
  const inner = new WeakMap<object, D1PreparedStatement>()
  const wrap = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const all = async <T>() => {
      counted.trips += 1
      const result = await statement.all<T>()
      count([result])
      return result
    }
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), sql),
      all,
      run: all,
      first: async (column?: string) => {
        const [row] = (await all<Record<string, unknown>>()).results
        return row === undefined ? null : column === undefined ? row : row[column]
      },
      // `raw` does not report rows read, so the result is read as objects where column names differ.
      raw: async () => {
        if (hasDistinctColumns(sql))
          return (await all<Record<string, unknown>>()).results.map((row) => Object.values(row))
        counted.trips += 1
        counted.statements += 1
        return statement.raw()
      },
    }
    inner.set(wrapped, statement)
    return wrapped as unknown as D1PreparedStatement
  }
  const counting = {
    prepare: (query: string) => wrap(binding.prepare(query), query),
    batch: async (statements: D1PreparedStatement[]) => {
      counted.trips += 1
      const results = await binding.batch(statements.map((statement) => inner.get(statement) ?? statement))
      count(results)
      return results
    },
    exec: (query: string) => binding.exec(query),
    dump: () => binding.dump(),
    withSession: () => counting,
  }
  return { binding: counting as unknown as D1Database, counted }
}

/** Whether the columns of a SELECT have different names. A batch has rows as objects, where columns of one name are one. */
function hasDistinctColumns(sql: string): boolean {
  const names = new Set<string>()
  for (let at = 'select '.length, start = at, depth = 0; at < sql.length; at++) {
    if (sql[at] === '(') depth++
    else if (sql[at] === ')') depth--
    else if (depth === 0 && (sql[at] === ',' || sql.startsWith(' from ', at))) {
      const column = sql.slice(start, at).trim()
      const name = /"(\w+)"$/.exec(column)?.[1] ?? column
      if (names.has(name)) return false
      names.add(name)
      if (sql[at] !== ',') return true
      start = at + 1
    }
  }
  return false
}
