/**
 * How a column is written: unchanged, as a time, in USD (from cents), as a number (from millionths), as a boolean, as parsed JSON,
 * or only whether it has a value.
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
  /** Replaces the column by SQL over the row `alias` and the person `?1`. */
  readonly sql?: (alias: string) => string
}

/** The columns of a table that a person gets, and the reasons to withhold the others. Every column is in one of the two. */
export interface DisclosedTable {
  readonly table: string
  readonly fields: Readonly<Record<string, Field>>
  readonly withheld: Readonly<Record<string, string>>
}

/** Rows that belong to a row `t` of a part. At most 16 fields, because D1 allows 32 function arguments. */
export interface Inner extends DisclosedTable {
  /** SQL: the join condition of the row `n` to `t`, and the order of the rows. */
  readonly of: string
  /** Written as one row or null, not as a list. */
  readonly single?: true
}

/** One member of the file: a table's rows about the person. */
export interface Part extends DisclosedTable {
  readonly name: string
  /** The column that names the person. */
  readonly owner: string
  /** Whether closing the account deletes the owner’s rows, or why it keeps them. */
  readonly atClosing: 'deleted' | `kept: ${string}`
  /** The value in that column: the person's id, their e-mail address, or each result of a query over the id `?1`. */
  readonly ownedBy?: 'id' | 'email' | { readonly each: string }
  /** A further condition on the row `t`. */
  readonly where?: string
  /** The sort columns: unique per owner and prefix of an index. Empty if there is at most one row. */
  readonly key: readonly string[]
  readonly inner?: Readonly<Record<string, Inner>>
}

/**
 * Parses columns written like a SELECT list: `ref, amount usd, created_at time AS askedAt`. The default form is `plain`, and the
 * default name is the column's in camel case.
 */
export function parseColumns(list: string): Record<string, Field> {
  return Object.fromEntries(
    list.split(',').map((definition) => {
      const [, column, form = 'plain', name] =
        /^\s*(\w+)(?: ([a-z]+))?(?: AS (\w+))?\s*$/.exec(definition) ?? []
      if (column === undefined || !isForm(form)) throw new Error(`This is not a column: ${definition}`)
      return [name ?? column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()), { column, form }]
    }),
  )
}

/** Frequent reasons. */
export const BOOKS = 'kept: the books, by ids'
export const OPERATORS = 'kept: belongs to operators, who do not close their accounts'
export const FOLDED = 'the same name again, without accents, for the operators’ search'
export const NUMBERING = 'an internal number of the database'
export const OWNER = 'the owner: the person of this file'
export const HASH = 'a hash: meaningless to its owner, and nobody else may have it'
export const SECRET = 'a secret: a finder of the file could use it'
export const COLLEAGUE = 'the operator’s identity: another person’s data'
export const OPERATORS_NOTE = 'an operator’s note: the law may forbid disclosing a suspicion'

/** SQL: a bank's fields (JSON) with the numbers of accounts masked. A finder of the file could use them. */
export function maskBank(bank: string): string {
  const masks = ['accountNumber', 'clientNumber', 'investmentNumber'].map((name) => {
    const number = `replace(replace(json_extract(${bank}, '$.${name}'), ' ', ''), '-', '')`
    return `'$.${name}', '••••' || CASE WHEN length(${number}) > 4 THEN substr(${number}, -4) ELSE '' END`
  })
  return `json_replace(${bank}, ${masks.join(', ')})`
}

// An operator's identity is another person's data. So is another person's id in a detail.
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

const act = { ...parseColumns('at time, action'), detail }
const withheld = { seq: NUMBERING, id: NUMBERING }

/** Audit log entries by the person, and entries about them by others. */
export const ownAct = {
  fields: { ...act, ...parseColumns('subject') },
  withheld: { ...withheld, actor: OWNER },
}
export const actOnPerson = { fields: { ...act, by }, withheld: { ...withheld, subject: OWNER } }

/** Audit log entries by others about the row `t`. */
export const actsOnIt: Inner = {
  table: 'audit_log',
  fields: { ...act, by },
  withheld: { ...withheld, subject: 'the row that it belongs to' },
  // A hit on a sanctions list is a suspicion, which the signs of risk may name: see `WITHHELD_TABLES`.
  of: "n.subject = t.id AND n.actor <> ?1 AND n.action NOT GLOB 'screening.*' AND n.action NOT IN ('risk.accepted', 'kyc.final_proposed') ORDER BY n.seq",
}
