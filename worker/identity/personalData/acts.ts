import { type Field, type Inner, NUMBERING, OWNER, plain, time } from './part.ts'

// Operators are "an operator": which one it was is data about somebody else. So is any other person's id in a detail.
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

const act = { at: time('at'), action: plain('action'), detail }
const withheld = { seq: NUMBERING, id: NUMBERING }

/** What the audit log says of an act by the person, and of one on them. */
export const ownAct = {
  fields: { ...act, subject: plain('subject') },
  withheld: { ...withheld, actor: OWNER },
}
export const actOnPerson = { fields: { ...act, by }, withheld: { ...withheld, subject: OWNER } }

/** What others did to the thing that the row `t` is. */
export const actsOnIt: Inner = {
  table: 'audit_log',
  fields: { ...act, by },
  withheld: { ...withheld, subject: 'the thing that it stands with' },
  of: 'n.subject = t.id AND n.actor <> ?1 ORDER BY n.seq',
}
