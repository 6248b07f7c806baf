import { eq, sql } from 'drizzle-orm'
import { alias, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { renderQuery, selectRows } from './database.ts'
import { settings } from './tables/operators.ts'
import { users } from './tables/people.ts'
import { requests } from './tables/requests.ts'

const dialect = new SQLiteSyncDialect()
const name = 'x'

test.each([
  ['text alone', sql`SELECT 1`],
  ['values', sql`SELECT ${1}, ${'a'}, ${null}, ${true} WHERE ${name} = ${''}`],
  [
    'parts',
    sql`SELECT * FROM (${sql`SELECT ${1} UNION ${sql.raw(`SELECT 2`)}`}) WHERE ${sql.join([sql`${1}`, sql`${2}`], sql` OR `)}`,
  ],
  ['a list', sql`SELECT 1 WHERE ${1} IN ${[1, 2]} OR ${3}`],
  ['columns of a table', sql`SELECT ${settings.key} FROM ${settings} WHERE ${settings.key} = ${name}`],
  ['nothing', sql`SELECT 1 ${undefined} WHERE ${1}`],
])('SQL of %s is what Drizzle makes of it', (_, query) => {
  const { sql: text, params } = dialect.sqlToQuery(query)
  expect(renderQuery(query)).toMatchObject({ sql: text, params })
})

test('a selection names its fields, so that columns of the same name stay apart', () => {
  const people = alias(users, 'p')
  const selection = selectRows({ id: requests.id, person: people.id, total: sql<number>`count(*)` })
    .from(requests)
    .leftJoin(people, eq(people.id, requests.investor))
    .where(sql`p.role = ${'investor'}`)
  expect(renderQuery(selection.getSQL())).toMatchObject({
    sql: 'select "requests"."id" as "id", "p"."id" as "person", count(*) as "total" from "requests" left join "users" "p" on "p"."id" = "requests"."investor" where p.role = ?',
    params: ['investor'],
  })
})
