/**
 * How a column is written: as it is, as a time, in USD (from cents), in ones (from millionths), as true or false, as the JSON that it
 * holds, or only whether it has a value.
 */
const FORMS = ['plain', 'time', 'usd', 'millionths', 'flag', 'json', 'given'] as const
export type Form = (typeof FORMS)[number]

function isForm(text: string): text is Form {
  return (FORMS as readonly string[]).includes(text)
}

export interface Field {
  /** The shown column; null if it counts rows elsewhere. */
  readonly column: string | null
  readonly form: Form
  /** Instead of the column: SQL over the row `alias` and the person `?1`. */
  readonly sql?: (alias: string) => string
}

/** The columns of a table that a person gets, and why not the others. Each column is in one of the two. */
export interface Shown {
  readonly table: string
  readonly fields: Readonly<Record<string, Field>>
  readonly withheld: Readonly<Record<string, string>>
}

/** Rows that belong to a row `t` of a part. At most 16 fields: D1 takes 32 arguments to a function. */
export interface Inner extends Shown {
  /** SQL that ties the row `n` to `t`, and the order of the rows. */
  readonly of: string
  /** One row or null, instead of a list. */
  readonly single?: true
}

/** One member of the file: rows of a table about the person. */
export interface Part extends Shown {
  readonly name: string
  /** The column that names the person. */
  readonly owner: string
  /** What that column holds: the person's id, their e-mail address, or each value of a query over the id `?1`. */
  readonly ownedBy?: 'id' | 'email' | { readonly each: string }
  /** A further condition on the row `t`. */
  readonly where?: string
  /** The columns that order the rows: unique for an owner and led by an index. None if there is one row at most. */
  readonly key: readonly string[]
  readonly inner?: Readonly<Record<string, Inner>>
}

/**
 * Columns, written like a SELECT list: `ref, amount usd, created_at time AS askedAt`. A column without a form is shown as it is;
 * one without a name is called by its own name in camel case.
 */
export function columns(list: string): Record<string, Field> {
  return Object.fromEntries(
    list.split(',').map((each) => {
      const [, column, form = 'plain', name] = /^\s*(\w+)(?: ([a-z]+))?(?: AS (\w+))?\s*$/.exec(each) ?? []
      if (column === undefined || !isForm(form)) throw new Error(`This is not a column: ${each}`)
      return [name ?? column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()), { column, form }]
    }),
  )
}

/** Reasons that come up again and again. */
export const NUMBERING = 'the database’s own numbering'
export const OWNER = 'whose it is: the person who asks'
export const HASH = 'a hash: it tells its owner nothing, and it is nobody else’s to have'
export const SECRET = 'a secret: whoever finds the file could use it'
export const COLLEAGUE = 'which operator it was: another person’s data'
export const OPERATORS_NOTE = 'a note among operators: the law may forbid to tell of a suspicion'

// Which operator it was is data about somebody else. So is any other person's id in a detail.
const by: Field = {
  column: 'actor',
  form: 'plain',
  sql: (row) =>
    `CASE ${row}.actor WHEN ?1 THEN 'you' WHEN 'system' THEN 'system' WHEN 'visitor' THEN 'visitor' ELSE 'operator' END`,
}
const detail: Field = {
  column: 'detail',
  form: 'json',
  sql: (row) => `(
    SELECT json_group_object(d.key, CASE d.type WHEN 'true' THEN json('true') WHEN 'false' THEN json('false') ELSE d.value END)
    FROM json_each(${row}.detail) d
    WHERE d.value = ?1 OR NOT EXISTS (SELECT 1 FROM users o WHERE o.id = d.value))`,
}

const act = { ...columns('at time, action'), detail }
const withheld = { seq: NUMBERING, id: NUMBERING }

/** What the audit log says of acts by the person, and of acts on them. */
export const ownAct = {
  fields: { ...act, ...columns('subject') },
  withheld: { ...withheld, actor: OWNER },
}
export const actOnPerson = { fields: { ...act, by }, withheld: { ...withheld, subject: OWNER } }

/** What others did to the thing of the row `t`. */
export const actsOnIt: Inner = {
  table: 'audit_log',
  fields: { ...act, by },
  withheld: { ...withheld, subject: 'the thing that it stands with' },
  of: 'n.subject = t.id AND n.actor <> ?1 ORDER BY n.seq',
}
