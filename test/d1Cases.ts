/** One use of D1. In the simulated D1 and in workerd's it must have the same result. */
interface Case {
  readonly name: string
  readonly play: (database: D1Database) => Promise<unknown>
  /** The result, or the message of the error. */
  readonly expected: unknown
}

/** Plays all cases one after the other, on an empty database. Returns their results by name. */
export async function playCases(database: D1Database): Promise<Record<string, unknown>> {
  await database.batch(SCHEMA.map((sql) => database.prepare(sql)))
  const results: Record<string, unknown> = {}
  for (const { name, play } of CASES) {
    results[name] = await play(database).catch((error: Error) =>
      // Node does not tell at which character SQLite found the error.
      error.message.replace(/ at offset \d+/, ''),
    )
  }
  return results
}

/** The results that the cases must have, by name. */
export function expectedResults(): Record<string, unknown> {
  return Object.fromEntries(CASES.map(({ name, expected }) => [name, expected]))
}

const SCHEMA = [
  `CREATE TABLE entries (
    id INTEGER PRIMARY KEY, cents INTEGER NOT NULL CHECK (cents >= 0), value ANY, words TEXT UNIQUE
  ) STRICT`,
  'CREATE TABLE parts (id INTEGER PRIMARY KEY, entry INTEGER REFERENCES entries (id)) STRICT',
  `CREATE TRIGGER refuse_13 BEFORE INSERT ON entries WHEN NEW.id = 13
    BEGIN SELECT raise(ABORT, 'refused_by_trigger'); END`,
  `CREATE TRIGGER ignore_14 BEFORE INSERT ON entries WHEN NEW.id = 14 BEGIN SELECT raise(IGNORE); END`,
  `CREATE TRIGGER multiply_20 AFTER INSERT ON entries WHEN NEW.id = 20
    BEGIN INSERT INTO entries (id, cents) VALUES (21, 1), (22, 1); END`,
]

const INSERT = 'INSERT INTO entries (id, cents) VALUES'
const WRONG_NUMBER = 'D1_ERROR: Wrong number of parameter bindings for SQL query.'
const TOO_LONG = 'D1_ERROR: statement too long: SQLITE_TOOBIG'
const EMPTY = 'D1_ERROR: No SQL statements detected.'

const CASES: readonly Case[] = [
  ...bindings({
    'a whole number': [5, 'real', 5],
    'the largest safe number': [2 ** 53 - 1, 'real', 2 ** 53 - 1],
    'a fraction': [0.1, 'real', 0.1],
    infinity: [Number.POSITIVE_INFINITY, 'null', null],
    'not a number': [Number.NaN, 'null', null],
    null: [null, 'null', null],
    true: [true, 'real', 1],
    false: [false, 'real', 0],
    text: ['é\u{1F600}', 'text', 'é\u{1F600}'],
    bytes: [new Uint8Array([1, 255]), 'blob', [1, 255]],
    'a part of a buffer': [new Uint8Array([1, 2, 3]).subarray(1), 'blob', [2, 3]],
    'a buffer': [new Uint8Array([1, 255]).buffer, 'blob', [1, 255]],
    'no bytes': [new Uint8Array(), 'blob', []],
    'an array of bytes': [[1, 2], 'blob', [1, 2]],
  }),
  ...refusedBindings({ undefined: undefined, bigint: 5n, object: {}, function: Math.abs }),

  asks(
    'divides bound numbers as REAL',
    'SELECT ?1 / ?2, 7 / 2, CAST(?1 AS INTEGER) / 2',
    [7, 2],
    [[3.5, 3, 3]],
  ),
  asks('writes bound numbers with a point', "SELECT ?1 || ''", [7], [['7.0']]),
  asks('compares bound numbers with text as different', "SELECT ?1 = '7', ?1 = 7", [7], [[0, 1]]),
  {
    name: 'stores bound numbers by the type of the column',
    play: async (database) => {
      await database
        .prepare('INSERT INTO entries (id, cents, value, words) VALUES (?1, ?2, ?3, ?4)')
        .bind(1, 2 ** 53 - 1, 5, 5)
        .run()
      return database
        .prepare('SELECT typeof(id), typeof(cents), cents, typeof(value), value, words FROM entries')
        .raw()
    },
    expected: [['integer', 'integer', 2 ** 53 - 1, 'real', 5, '5.0']],
  },
  asks(
    'refuses a fraction of a cent',
    `${INSERT} (2, ?)`,
    [1.5],
    constraint('DATATYPE', 'cannot store REAL value in INTEGER column entries.cents'),
  ),
  asks(
    'refuses text as cents',
    `${INSERT} (2, ?)`,
    ['x'],
    constraint('DATATYPE', 'cannot store TEXT value in INTEGER column entries.cents'),
  ),

  asks('takes 100 parameters', `SELECT json_array(${marks(50)}, json_array(${marks(50)}))->>0`, ones(100), [
    [1],
  ]),
  asks(
    'refuses 101 parameters',
    `SELECT json_array(${marks(50)}, json_array(${marks(51)}))`,
    ones(101),
    'D1_ERROR: too many SQL variables: SQLITE_ERROR',
  ),
  asks(
    'refuses the parameter ?101',
    'SELECT ?101',
    ones(101),
    'D1_ERROR: variable number must be between ?1 and ?100: SQLITE_ERROR',
  ),
  asks('refuses a value too few', 'SELECT ?, ?', [1], WRONG_NUMBER),
  asks('refuses a value too many', 'SELECT ?', [1, 2], WRONG_NUMBER),
  asks('refuses a statement whose values are missing', 'SELECT ?', [], WRONG_NUMBER),
  asks('counts the largest parameter', 'SELECT ?3, ?1', [1, 2, 3], [[3, 1]]),
  asks(
    'counts no question mark in text or comments',
    `SELECT '?', 'it''s ?' AS "?" -- ?\n/* ? */`,
    [],
    [['?', "it's ?"]],
  ),

  asks('takes 100,000 bytes of SQL', padded(100_000), [], [[1]]),
  asks('refuses more bytes of SQL', padded(100_001), [], TOO_LONG),
  asks('counts bytes of SQL, not letters', `SELECT 1 /*${'é'.repeat(50_000)}*/`, [], TOO_LONG),
  asks('takes a value of 2,000,000 bytes', 'SELECT length(?)', ['x'.repeat(2_000_000)], [[2_000_000]]),
  asks('takes 100 columns', `SELECT ${ones(100)}`, [], [ones(100)]),
  asks(
    'refuses 101 columns',
    `SELECT ${ones(101)}`,
    [],
    'D1_ERROR: too many columns in result set: SQLITE_ERROR',
  ),
  asks('takes 5 SELECTs in one', union(5), [], [[1], [1], [1], [1], [1]]),
  asks('refuses 6 SELECTs in one', union(6), [], 'D1_ERROR: too many terms in compound SELECT: SQLITE_ERROR'),
  asks(
    'refuses a term of depth 101',
    `SELECT ${ones(101).join('+')}`,
    [],
    'D1_ERROR: Expression tree is too large (maximum depth 100): SQLITE_ERROR',
  ),
  asks('takes a pattern of 50 bytes', "SELECT 'a' LIKE ?", ['%'.repeat(50)], [[1]]),
  asks(
    'refuses a pattern of 51 bytes',
    "SELECT 'a' LIKE ?",
    ['%'.repeat(51)],
    'D1_ERROR: LIKE or GLOB pattern too complex: SQLITE_ERROR',
  ),

  asks(
    'names a broken UNIQUE',
    `INSERT INTO entries (id, cents, words) VALUES (3, 1, '5.0')`,
    [],
    constraint('UNIQUE', 'UNIQUE constraint failed: entries.words'),
  ),
  asks(
    'names a broken primary key',
    `${INSERT} (1, 1)`,
    [],
    constraint('PRIMARYKEY', 'UNIQUE constraint failed: entries.id'),
  ),
  asks(
    'names a broken NOT NULL',
    'INSERT INTO entries (id) VALUES (3)',
    [],
    constraint('NOTNULL', 'NOT NULL constraint failed: entries.cents'),
  ),
  asks(
    'names a broken CHECK',
    `${INSERT} (3, -1)`,
    [],
    constraint('CHECK', 'CHECK constraint failed: cents >= 0'),
  ),
  asks(
    'names a broken foreign key',
    'INSERT INTO parts (id, entry) VALUES (1, 99)',
    [],
    constraint('FOREIGNKEY', 'FOREIGN KEY constraint failed'),
  ),
  asks("passes on a trigger's words", `${INSERT} (13, 1)`, [], constraint('TRIGGER', 'refused_by_trigger')),
  asks('names an error of syntax', 'SELECT FROM', [], 'D1_ERROR: near "FROM": syntax error: SQLITE_ERROR'),
  asks(
    'names a missing table',
    'SELECT 1 FROM missing',
    [],
    'D1_ERROR: no such table: missing: SQLITE_ERROR',
  ),
  asks('names malformed JSON', "SELECT json('{')", [], 'D1_ERROR: malformed JSON: SQLITE_ERROR'),
  asks(
    'names an overflow',
    'SELECT abs(-9223372036854775808)',
    [],
    'D1_ERROR: integer overflow: SQLITE_ERROR',
  ),
  {
    name: 'gives an error a cause',
    play: (database) =>
      database
        .prepare(`${INSERT} (1, 1)`)
        .run()
        .catch((error: Error) => error.cause instanceof Error && error.cause.message),
    expected: constraint('PRIMARYKEY', 'UNIQUE constraint failed: entries.id').slice('D1_ERROR: '.length),
  },

  {
    name: 'runs a batch completely or not at all',
    play: async (database) => {
      const failed = await database
        .batch(
          [`${INSERT} (4, 1)`, `${INSERT} (1, 1)`, `${INSERT} (5, 1)`].map((sql) => database.prepare(sql)),
        )
        .catch(({ message }: Error) => message)
      return [failed, await database.prepare('SELECT id FROM entries').raw()]
    },
    expected: [constraint('PRIMARYKEY', 'UNIQUE constraint failed: entries.id'), [[1]]],
  },
  {
    name: 'shows a batch its own earlier statements',
    play: async (database) =>
      (
        await database.batch([
          database.prepare(`${INSERT} (?1, 1)`).bind(6),
          database.prepare('SELECT max(id) AS id FROM entries'),
          database.prepare('DELETE FROM entries WHERE id = ?1').bind(6),
          database.prepare('SELECT id FROM entries WHERE id = 6'),
        ])
      ).map(({ results, success }) => [results, success]),
    expected: [
      [[], true],
      [[{ id: 6 }], true],
      [[], true],
      [[], true],
    ],
  },
  { name: 'refuses an empty batch', play: (database) => database.batch([]), expected: EMPTY },

  asks('keeps columns of the same name apart in raw rows', 'SELECT 1 AS a, 2 AS a', [], [[1, 2]]),
  {
    name: 'keeps the last column of the same name in objects',
    play: async (database) => (await database.prepare('SELECT 1 AS a, 2 AS a').all()).results,
    expected: [{ a: 2 }],
  },
  {
    name: 'returns ordinary objects',
    play: async (database) =>
      Object.getPrototypeOf(await database.prepare('SELECT 1 AS a').first()) === Object.prototype,
    expected: true,
  },
  firstOf('returns null without a first row', 'SELECT 1 AS a WHERE 0', undefined, null),
  firstOf('returns null without a first row of a column', 'SELECT 1 AS a WHERE 0', 'a', null),
  firstOf('returns the first row', 'SELECT 1 AS a UNION ALL SELECT 2', undefined, { a: 1 }),
  firstOf('returns a column of the first row', 'SELECT 1 AS a, 2 AS b', 'b', 2),
  firstOf('returns a null of the first row', 'SELECT NULL AS a', 'a', null),
  firstOf(
    'refuses a missing column of the first row',
    'SELECT 1 AS a',
    'b',
    'D1_COLUMN_NOTFOUND: Column not found (b)',
  ),

  changes('counts no change of a read', 'SELECT 1', [0, 6]),
  changes('counts inserted rows', `${INSERT} (7, 1), (8, 1)`, [2, 8]),
  changes('counts inserted rows that are returned', `${INSERT} (9, 1) RETURNING id`, [1, 9]),
  changes('counts updated rows, even if alike', 'UPDATE entries SET cents = 1 WHERE id IN (7, 8)', [2, 9]),
  changes('counts no rows', 'UPDATE entries SET cents = 1 WHERE id = 99', [0, 9]),
  changes('counts no conflict', `${INSERT} (7, 1) ON CONFLICT DO NOTHING`, [0, 9]),
  changes('counts no row that a trigger ignored', `${INSERT} (14, 1)`, [0, 9]),
  changes("counts triggers' rows too", `${INSERT} (20, 1)`, [3, 20]),
  changes('counts deleted rows', 'DELETE FROM entries WHERE id > 6', [6, 20]),
]

/** Binds each value. The result is its type and itself in SQLite. */
function bindings(values: Record<string, readonly [value: unknown, type: string, read: unknown]>): Case[] {
  return Object.entries(values).map(([name, [value, ...expected]]) =>
    asks(`binds ${name}`, 'SELECT typeof(?1), ?1', [value], [expected]),
  )
}

function refusedBindings(values: Record<string, unknown>): Case[] {
  return Object.entries(values).map(([type, value]) => ({
    name: `binds no ${type}`,
    play: async (database) => database.prepare('SELECT ?').bind(value).raw(),
    expected: `D1_TYPE_ERROR: Type '${type}' not supported for value '${String(value)}'`,
  }))
}

function asks(name: string, sql: string, values: readonly unknown[], expected: unknown): Case {
  return {
    name,
    play: (database) =>
      database
        .prepare(sql)
        .bind(...values)
        .raw(),
    expected,
  }
}

function firstOf(name: string, sql: string, column: string | undefined, expected: unknown): Case {
  return {
    name,
    play: (database) => {
      const statement = database.prepare(sql)
      return column === undefined ? statement.first() : statement.first(column)
    },
    expected,
  }
}

function changes(name: string, sql: string, [count, lastRowId]: readonly [number, number]): Case {
  return {
    name,
    play: async (database) => {
      const { meta } = await database.prepare(sql).run()
      return [meta.changes, meta.last_row_id, meta.changed_db]
    },
    expected: [count, lastRowId, count > 0],
  }
}

function constraint(kind: string, words: string): string {
  return `D1_ERROR: ${words}: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_${kind})`
}

function ones(count: number): number[] {
  return Array.from({ length: count }, () => 1)
}

function marks(count: number): string {
  return ones(count)
    .map(() => '?')
    .join()
}

function union(count: number): string {
  return ones(count)
    .map((one) => `SELECT ${one}`)
    .join(' UNION ALL ')
}

/** A statement of this many bytes. */
function padded(bytes: number): string {
  const [start, end] = ['SELECT 1 /*', '*/']
  return `${start}${' '.repeat(bytes - start.length - end.length)}${end}`
}
